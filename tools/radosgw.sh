#!/usr/bin/env bash
# A real S3 service for the tests, to be thrown away: Ceph's monitor, one in-memory OSD and the gateway, on loopback.
# Runs as root, needs no systemd, touches nothing outside $DIR; what it holds is gone when it stops.
#   radosgw.sh install   Debian's packages (once; about 25 s)
#   radosgw.sh start     returns when S3 answers (about 2 s), writes the settings to $DIR/env and prints them
#   radosgw.sh stop      ends the three daemons (by recorded pid), deletes $DIR
#   radosgw.sh status
# The tests find it by BATON_TEST_GATEWAY, `baton` by the other settings:
#   tools/radosgw.sh start && export $(cat ${TMPDIR:-/tmp}/radosgw-test/env) && npm test
# Settings (environment): DIR, MON_PORT, RGW_PORT, MEM_BYTES, ACCESS_KEY, SECRET_KEY
set -euo pipefail
DIR=${DIR:-${TMPDIR:-/tmp}/radosgw-test}
MON_PORT=${MON_PORT:-16789}
RGW_PORT=${RGW_PORT:-17480}
MEM_BYTES=${MEM_BYTES:-1073741824}     # memstore capacity reported by the OSD
ACCESS_KEY=${ACCESS_KEY:-testaccesskey}
SECRET_KEY=${SECRET_KEY:-testsecretkey}
export CEPH_CONF=$DIR/ceph.conf

install() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends \
    ceph-mon ceph-osd ceph-common radosgw
}

wait_for() { # wait_for SECONDS WHAT CMD...
  local until=$((SECONDS + $1)) what=$2; shift 2
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS >= until)); then echo "radosgw.sh: timed out waiting for $what (logs in $DIR/log)" >&2; return 1; fi
    sleep 0.05
  done
}
tcp_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

write_conf() {
  cat > "$DIR/ceph.conf" <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
run dir = $DIR/run
admin socket = $DIR/run/\$name.asok
pid file = $DIR/run/\$name.pid
log file = $DIR/log/\$name.log
log to stderr = false
err to stderr = false
log to file = true
crash dir = $DIR/crash
mon cluster log file = $DIR/log/cluster.log
ms bind ipv6 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
mon initial members = a
mon host = v2:127.0.0.1:$MON_PORT/0
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
auth allow insecure global id reclaim = false
keyring = $DIR/keyring
debug ms = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon allow pool delete = true
paxos propose interval = 0.02
paxos min wait = 0.01
mon data avail crit = 0
mon data avail warn = 0

[mon.a]
mon data = $DIR/mon
mon addr = v2:127.0.0.1:$MON_PORT/0

[osd.0]
osd data = $DIR/osd
osd objectstore = memstore
memstore device bytes = $MEM_BYTES
memstore page set = false
osd max object name len = 4096
osd op num shards = 2
osd op num threads per shard = 2

[client.rgw]
rgw data = $DIR/rgw
rgw frontends = beast endpoint=127.0.0.1:$RGW_PORT tcp_nodelay=1
rgw thread pool size = 16
rgw enable usage log = false
rgw enable ops log = false
rgw enable gc threads = false
rgw enable lc threads = false
rgw enable quota threads = false
rgw dynamic resharding = false
rgw run sync thread = false
rgw override bucket index max shards = 1
rgw max concurrent requests = 256
CONF
}

start() {
  stop >/dev/null 2>&1 || true
  rm -rf "$DIR"; mkdir -p "$DIR"/{run,log,mon,osd,rgw,crash}
  write_conf
  local t0; t0=$(date +%s.%N)
  # --- monitor
  monmaptool --create --addv a "[v2:127.0.0.1:$MON_PORT]" --fsid "$(sed -n 's/^fsid = //p' "$DIR/ceph.conf")" --set-min-mon-release pacific "$DIR/monmap" >/dev/null
  # one keyring holds all four identities; mkfs imports it whole into the monitor's auth database
  ceph-authtool --create-keyring "$DIR/keyring" --gen-key -n mon. --cap mon 'allow *' >/dev/null
  ceph-authtool "$DIR/keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' >/dev/null
  ceph-authtool "$DIR/keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *' --cap mgr 'allow profile osd' >/dev/null
  ceph-authtool "$DIR/keyring" --gen-key -n client.rgw --cap mon 'allow rw' --cap osd 'allow rwx' >/dev/null
  ceph-mon -c "$CEPH_CONF" --mkfs -i a --monmap "$DIR/monmap" --keyring "$DIR/keyring"
  ceph-mon -c "$CEPH_CONF" -i a -f >"$DIR/log/mon.out" 2>&1 & echo $! >"$DIR/run/mon.mypid"
  wait_for 30 "the monitor's port" tcp_open "$MON_PORT"
  wait_for 30 "monitor quorum" timeout 5 ceph -c "$CEPH_CONF" --connect-timeout 2 mon stat
  local t1; t1=$(date +%s.%N)
  # --- in-memory OSD
  local uuid; uuid=$(cat /proc/sys/kernel/random/uuid)
  ceph -c "$CEPH_CONF" osd new "$uuid" 0 >/dev/null
  ceph-osd -c "$CEPH_CONF" -i 0 --mkfs --osd-uuid "$uuid" >"$DIR/log/osd-mkfs.out" 2>&1
  ceph-osd -c "$CEPH_CONF" -i 0 -f >"$DIR/log/osd.out" 2>&1 & echo $! >"$DIR/run/osd.mypid"
  wait_for 30 "the OSD to be up" bash -c "ceph -c '$CEPH_CONF' osd stat 2>/dev/null | grep -q '1 up'"
  local t2; t2=$(date +%s.%N)
  # --- gateway
  radosgw -c "$CEPH_CONF" -n client.rgw -f >"$DIR/log/rgw.out" 2>&1 & echo $! >"$DIR/run/rgw.mypid"
  wait_for 90 "the gateway's port" tcp_open "$RGW_PORT"
  local t3; t3=$(date +%s.%N)
  radosgw-admin -c "$CEPH_CONF" -n client.rgw user create --uid=test --display-name=test \
    --access-key="$ACCESS_KEY" --secret-key="$SECRET_KEY" >"$DIR/log/user.json" 2>"$DIR/log/user.err"
  local t4; t4=$(date +%s.%N)
  cat > "$DIR/env" <<ENV
BATON_TEST_GATEWAY=http://$ACCESS_KEY:$SECRET_KEY@127.0.0.1:$RGW_PORT
AWS_ACCESS_KEY_ID=$ACCESS_KEY
AWS_SECRET_ACCESS_KEY=$SECRET_KEY
AWS_REGION=us-east-1
ENV
  awk -v a="$t0" -v b="$t1" -v c="$t2" -v d="$t3" -v e="$t4" 'BEGIN{printf "started: mon %.1fs, osd %.1fs, rgw %.1fs, user %.1fs, total %.1fs\n", b-a, c-b, d-c, e-d, e-a}'
  cat "$DIR/env"
}

stop() { # nothing is worth saving: the OSD is in memory, so no graceful shutdown (that takes 5 s)
  local f p
  for f in rgw osd mon; do
    [ -s "$DIR/run/$f.mypid" ] || continue
    p=$(cat "$DIR/run/$f.mypid")
    # only kill what we started: the pid must still be a ceph daemon using our config
    grep -qz -- "$CEPH_CONF" "/proc/$p/cmdline" 2>/dev/null || continue
    kill -KILL "$p" 2>/dev/null || true
    # gone, or a zombie waiting for init to reap it
    for _ in $(seq 200); do grep -Eq '^State:[[:space:]]+[^Z[:space:]]' "/proc/$p/status" 2>/dev/null || break; sleep 0.01; done
  done
  rm -rf "$DIR"
}

status() {
  ceph -c "$CEPH_CONF" --connect-timeout 5 -s || true
  for f in mon osd rgw; do p=$(cat "$DIR/run/$f.mypid"); echo "$f pid $p rss $(awk '/VmRSS/{print int($2/1024)}' /proc/$p/status) MB"; done
  du -sm "$DIR" | awk '{print "disk " $1 " MB"}'
}

case "${1:-}" in install|start|stop|status) "$1";; *) sed -n '2,11p' "$0"; exit 2;; esac
