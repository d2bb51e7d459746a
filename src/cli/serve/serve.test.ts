/**
 * Risk: a server that starts where it should not, does not say why it cannot, or loses what it was asked when it ends.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { MemoryStore } from "../../adapters/memory-store.ts";
import { StoppingStore } from "../../adapters/stopping-store.ts";
import { SYSTEM_IDS, SYSTEM_RANDOM, SystemClock } from "../../adapters/system-ports.ts";
import { createNode, EMBEDDED_CONFIG } from "../../index.ts";
import { SILENT } from "../../ports/index.ts";
import { bundled, bundleFolder } from "../bundled.ts";
import { runLine } from "../example-io.ts";
import type { Io } from "../io.ts";
import { packageShelf } from "../shelf.ts";
import { settingsOf } from "./serve-options.ts";
import { startServer } from "./serve-process.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-serve-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function serve(line: string, changes: Partial<Io> = {}) {
  return runLine(`serve ${line}`, packageShelf(), folder, changes);
}

/** A server on a free port, once it has said all that it says at its start. */
async function started(store: string) {
  let [out, stop] = ["", (): void => undefined];
  const ended = serve(`--store ${store} --bind 127.0.0.1:0 --log silent`, {
    out: (text) => {
      out += text;
    },
    onStop: (listener) => {
      stop = listener;
    },
  });
  await expect.poll(() => out).toContain("no token is set");
  return { url: /http:\S+/.exec(out)?.[0], out: () => out, stop: () => stop(), ended };
}

test.each([
  ["--bind 0.0.0.0:0", "no token is set"],
  ["--bind [::]:0", "no token is set"],
  ["--bind example.org:80", "no token is set"],
  ["--bind nowhere", "as in 127.0.0.1:4321"],
  ["--bind 127.0.0.1:70000", "as in 127.0.0.1:4321"],
  ["--api-token short", "8 to 512 printable characters"],
  ["--api-token same-same --operator-token same-same", "two of the tokens are the same"],
  ["--graph a/b", "the graph must be 1 to 128"],
  ["--tenant ..%2f", "the tenant must be 1 to 128"],
  ["--poll-ms 5", "--poll-ms must be a whole number from 10 to 60000"],
  ["--keep-turns -1", "--keep-turns must be a whole number"],
  ["--log loud", "silent, error, warn, info, debug"],
  ["--store ftp://x", "a store is a directory or s3://bucket/prefix"],
  ["--store file", "cannot open the store in"],
  ["extra", "too many arguments"],
])("`baton serve %s` is one clear line and exit code 2", async (line, words) => {
  writeFileSync(join(folder, "file"), "");
  const { code, out, err } = await serve(line);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/^error: [^\n]+\n$/);
  expect(err).toContain(words);
});

test("a port that is in use is one clear line", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const address = taken.address();
  const port = typeof address === "object" ? address?.port : 0;
  const { code, err } = await serve(`--store memory: --bind 127.0.0.1:${port}`);
  expect([code, err]).toEqual([2, `error: cannot listen on 127.0.0.1:${port}: the port is in use\n`]);
  taken.close();
});

test("settings come from the command line, else from the environment", () => {
  const environment = {
    BATON_STORE: "s3://b/p",
    BATON_BIND: "0.0.0.0:80",
    BATON_API_TOKEN: "from-environment",
    BATON_WORKFLOW_POLL_MS: "50",
    BATON_WORKFLOW_HISTORY_KEEP_TURNS: "0",
    BATON_WORKFLOW_KEY_WRITES_PER_SECOND: "15",
    BATON_GRAPH: "",
  };
  const settings = settingsOf({ bind: "[::1]:8080", graph: "g", indexShards: "4" }, environment);
  expect(settings).toMatchObject({
    store: "s3://b/p",
    host: "::1",
    port: 8080,
    graph: "g",
    pollMs: 50,
    keepTurns: 0,
    indexShards: 4,
    keyWritesPerSecond: 15,
  });
  expect(settings.tokens).toEqual({ api: "from-environment" });
  expect(settingsOf({}, {})).toMatchObject({ host: "127.0.0.1", port: 4321, graph: "main", tokens: {} });
  expect(settingsOf({}, {})).toMatchObject({ indexShards: 1, keyWritesPerSecond: null });
  for (const shards of ["0", "17", "x"])
    expect(() => settingsOf({ indexShards: shards }, {})).toThrow("--index-shards must be");
  expect(() => settingsOf({}, { BATON_WORKFLOW_POLL_MS: "x" })).toThrow("BATON_WORKFLOW_POLL_MS must be");
});

test("a server says where it is, serves, answers what waits when it is stopped, and ends with 0", async () => {
  const { url, out, stop, ended } = await started("memory:");
  const post = (path: string, body: object) =>
    fetch(`${url}/v1/workflows/${path}`, { method: "POST", body: JSON.stringify(body) });
  expect((await post("instances", { id: "i", workflow_type: "t", version: "v" })).status).toBe(200);
  const waits = post("turns/claim", {
    worker: "w",
    workflows: [{ workflow_type: "t", version: "v" }],
    wait_ms: 10_000,
  });
  await expect.poll(async () => (await fetch(`${url}/metrics`)).text()).toContain("baton_claims_waiting 1");
  stop();
  expect(await (await waits).json()).toEqual({ task: null });
  expect((await ended).code).toBe(0);
  expect(out()).toMatch(/serves graph main of memory: on http[^\n]*\n[^\n]*\nstopped\n$/);
});

test("a graph that was deleted stays so over a restart, until somebody creates it", async () => {
  /** What the server says at its start, and what it answers then to these requests. */
  async function restarted(...paths: readonly string[]) {
    const { url, out, stop, ended } = await started("again");
    const answers: object[] = [];
    for (const path of paths) {
      const method = path.startsWith("graph/") ? "POST" : "GET";
      answers.push((await (await fetch(`${url}/v1/${path}`, { method })).json()) as object);
    }
    stop();
    expect((await ended).code).toBe(0);
    return { out: out(), answers };
  }
  const list = "workflows/instances";
  const first = await restarted(list, "graph/delete");
  expect(first.out).not.toContain("deleted");
  expect(first.answers).toMatchObject([{ instances: [] }, { deleted: true }]);
  const second = await restarted(list, "graph/create", list);
  expect(second.out).toMatch(
    /^the graph main was deleted and stays so; create it again with POST http:\S+\/v1\/graph\/create\?graph=main$/m,
  );
  expect(second.answers).toMatchObject([
    { error: { code: "graph_not_found" } },
    { epoch: 2, created: true },
    { instances: [] },
  ]);
  const third = await restarted(list);
  expect(third.out).not.toContain("deleted");
  expect(third.answers).toMatchObject([{ instances: [] }]);
});

test("a server that starts over a graph whose deletion stopped half-way erases what it left", async () => {
  const memory = new MemoryStore();
  const settings = settingsOf({ bind: "127.0.0.1:0", log: "silent" }, {});
  const store = { store: memory, name: "memory", isLocal: true, close: async () => undefined };
  const first = await startServer(settings, store, "v", () => undefined);
  const ports = { clock: new SystemClock(), ids: SYSTEM_IDS, random: SYSTEM_RANDOM, trace: SILENT };
  const config = { ...EMBEDDED_CONFIG, tenant: settings.tenant, graph: settings.graph, graph_heads: true };
  const created = await createNode({ ...ports, store: memory }, config).createInstance({
    id: "i",
    workflow_type: "t",
    version: "v",
  });
  expect([first.ok, created.ok]).toEqual([true, true]);
  // The head is read and retired, and then nothing.
  const stopping = new StoppingStore(memory, 2);
  void createNode({ ...ports, store: stopping }, config).deleteGraph();
  await stopping.stopped;
  const instance = async () => {
    const listed = await memory.list({ prefix: "", cursor: null, limit: 100 });
    const key = listed.kind === "ok" ? listed.entries.find((one) => one.key.endsWith("/i.json"))?.key : "";
    const read = await memory.get(key ?? "");
    return read.kind === "ok" ? read.body : read.kind;
  };
  expect(await instance()).not.toContain("baton.tombstone");
  const second = await startServer(settings, store, "v", () => undefined);
  expect(second).toMatchObject({ ok: true, value: { hasGraph: false } });
  expect(await instance()).toMatch(/baton\.tombstone.*"erased":true/);
  for (const started of [first, second]) if (started.ok) await started.value.stop();
});

test("SIGTERM ends the process in good order with 0, and what was acknowledged is there when it starts again", async () => {
  const outdir = bundleFolder("serve");
  await bundled(outdir, { main: "cli/main" });
  for (const expected of [[], ["i"]]) {
    const argv = [
      join(outdir, "main.mjs"),
      "serve",
      "--store",
      "kept",
      "--bind",
      "127.0.0.1:0",
      "--log",
      "error",
    ];
    const child = spawn(process.execPath, argv, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    let out = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data) => {
        out += data;
      });
    await expect.poll(() => out, { timeout: 20_000 }).toContain("no token is set");
    const instances = `${/http:\S+/.exec(out)?.[0]}/v1/workflows/instances`;
    const page = (await (await fetch(instances)).json()) as { instances: { id: string }[] };
    expect(page.instances.map(({ id }) => id)).toEqual(expected);
    const body = JSON.stringify({ id: "i", workflow_type: "t", version: "v" });
    expect((await fetch(instances, { method: "POST", body })).status).toBe(200);
    child.kill("SIGTERM");
    expect([await ended, out.endsWith("stopped\n")]).toEqual([0, true]);
  }
});
