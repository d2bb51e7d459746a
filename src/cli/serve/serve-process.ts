/**
 * A server in this process: store, nodes, handlers, sockets, log and metrics put together, and taken down in order.
 *
 *   T1  the graph is there before the first connection is taken. One that was deleted stays deleted (P117): a restart
 *       brings nothing back that somebody has ended. What its deletion has left is erased then.
 *   T2  at the end: waiting claims are answered, what is being served is answered, the last sweep is over, other nodes are
 *       told of the work that only this one knows, the store is closed. Whatever of it does not end in time is cut.
 */
import { type HttpServerOptions, listen } from "../../adapters/http-server.ts";
import { type LogLevel, logTrace } from "../../adapters/log-trace.ts";
import { meteredStore } from "../../adapters/metered-store.ts";
import { PrometheusTrace, toAll } from "../../adapters/prometheus-trace.ts";
import { SYSTEM_IDS, SYSTEM_RANDOM, SystemClock } from "../../adapters/system-ports.ts";
import { createNode, DEFAULT_CONFIG, EMBEDDED_CONFIG, type EngineNode, type Reply } from "../../index.ts";
import type { Clock, ObjectStore } from "../../ports/index.ts";
import { type BatonServer, createServer } from "../../server/index.ts";
import { err, ok, type Result } from "../../std/result.ts";
import type { OpenedStore } from "./open-store.ts";
import type { ServeSettings } from "./serve-options.ts";

export interface RunningServer {
  readonly url: string;
  readonly server: BatonServer;
  /** T1. False: the graph was deleted, and is to be created by request. */
  readonly hasGraph: boolean;
  /** T2. Answers whether everything ended in time. */
  stop(): Promise<boolean>;
}

/** How long an answer about the store's health is good. */
const HEALTH_MS = 1_000;

/** What a server is made of beside its store; `baton chaos` gives others. */
export interface ServerParts {
  readonly clock: Clock & { stop(): void };
  readonly createNode: typeof createNode;
}

/** Starts it; a failure is one line, and the store is closed again. */
export async function startServer(
  settings: ServeSettings,
  opened: OpenedStore,
  version: string,
  writeLog: (line: string) => void,
  parts: ServerParts = { clock: new SystemClock(), createNode },
): Promise<Result<RunningServer, string>> {
  const { clock } = parts;
  const metrics = new PrometheusTrace(version);
  // The level was checked with the other options.
  const trace = toAll(metrics, logTrace(settings.log as LogLevel, { write: writeLog }));
  const store = meteredStore(opened.store, clock, metrics);
  const ports = { store, clock, ids: SYSTEM_IDS, random: SYSTEM_RANDOM, trace };
  const config = {
    ...(opened.isLocal ? EMBEDDED_CONFIG : DEFAULT_CONFIG),
    tenant: settings.tenant,
    graph_heads: true,
    poll_ms: settings.pollMs,
    reconcile_ms: settings.reconcileMs,
    history_keep_turns: settings.keepTurns,
    history_keep_ms: settings.keepMs,
    index_shards: settings.indexShards,
    key_writes_per_second: settings.keyWritesPerSecond,
  };
  const server = createServer({
    clock,
    ids: SYSTEM_IDS,
    trace,
    tokens: settings.tokens,
    version,
    metrics: () => metrics.text(),
    ready: healthOf(store, clock),
    openGraph: (graph) => parts.createNode(ports, { ...config, graph }),
  });
  const begun = await beginGraph(server.node(settings.graph));
  if (!begun.ok) {
    await opened.close();
    return err(`the graph ${settings.graph} cannot be served: ${begun.error.message}`);
  }
  const listening = await listen(socketsOf(settings, server));
  if (!listening.ok) {
    await opened.close();
    return listening;
  }
  const { port } = listening.value;
  const stopping = new AbortController();
  const sweeping = sweep(server, clock, settings.reconcileMs, stopping.signal);
  const url = `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`;
  trace.emit("serving", { url, store: opened.name, graph: settings.graph });
  return ok({
    url,
    server,
    hasGraph: begun.value,
    async stop() {
      trace.emit("stopping", { url });
      server.drain();
      stopping.abort();
      const answered = await listening.value.stop(settings.stopMs);
      await Promise.race([sweeping.then(() => server.flush()), clock.sleep(settings.stopMs)]);
      await opened.close();
      clock.stop();
      return answered;
    },
  });
}

/** T1. Answers whether the graph is there. */
async function beginGraph(node: EngineNode): Reply<boolean> {
  const begun = await node.beginGraph();
  // Now, for a request makes the server forget a graph that is not there. What fails is left to who creates it again.
  if (begun.ok && !begun.value) await node.reconcile();
  return begun;
}

function socketsOf({ host, port }: ServeSettings, server: BatonServer): HttpServerOptions {
  return {
    host,
    port,
    handle: server.handle,
    bodyLimit: (target) => server.bodyLimit(target),
    refuse: (refusal) => server.refuse(refusal),
  };
}

async function sweep(server: BatonServer, clock: Clock, ms: number, stopping: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(ms, stopping);
    if (stopping.aborted) return;
    await server.sweep();
  }
}

/** Whether the store answers a read; asked at most once a second, however often somebody looks. */
function healthOf(store: ObjectStore, clock: Clock): () => Promise<boolean> {
  let asked: { readonly atMs: number; readonly healthy: Promise<boolean> } | null = null;
  return () => {
    const nowMs = clock.monotonicMs();
    if (asked === null || nowMs - asked.atMs >= HEALTH_MS) {
      const healthy = store.get("health").then(({ kind }) => kind === "ok" || kind === "not-found");
      asked = { atMs: nowMs, healthy };
    }
    return asked.healthy;
  };
}
