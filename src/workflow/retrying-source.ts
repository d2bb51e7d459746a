/**
 * A node in the same process as a turn source that repeats what may be repeated.
 *
 *   S4  what a repeat makes no worse is repeated while its outcome is open: operation, progress, checkpoint, waits,
 *       children, migrations, work sent back, blobs and completion. A claim, a heartbeat and a failure are sent once.
 *
 * The same classes as over HTTP, so a worker behaves alike on both. Source: contract sections 1.2 and 3.3.
 */
import type { Reply } from "../engine/engine.ts";
import type { FailureKind } from "../vocabulary/errors.ts";
import { type RetryPorts, withRetries } from "./retries.ts";
import type { TurnSource, WorkerHost } from "./turn-source.ts";

/** What a worker needs to serve workflows on a node in its own process. */
export function workerHost(node: TurnSource, ports: RetryPorts): WorkerHost {
  return { turns: retryingSource(node, ports), clock: ports.clock, random: ports.random };
}

const OPEN: readonly FailureKind[] = ["unavailable", "unknown-outcome"];

export function retryingSource(source: TurnSource, ports: RetryPorts): TurnSource {
  const repeat = <T>(send: () => Reply<T>, signal: AbortSignal | undefined): Reply<T> =>
    withRetries(
      ports,
      async () => {
        const value = await send();
        return { value, again: value.ok || !OPEN.includes(value.error.kind) ? null : { afterMs: null } };
      },
      signal,
    );
  return {
    claim: (request, signal) => source.claim(request, signal),
    heartbeat: (request, signal) => source.heartbeat(request, signal),
    fail: (request, signal) => source.fail(request, signal),
    operation: (request, signal) => repeat(() => source.operation(request, signal), signal),
    progress: (request, signal) => repeat(() => source.progress(request, signal), signal),
    checkpoint: (request, signal) => repeat(() => source.checkpoint(request, signal), signal),
    waitSignal: (request, signal) => repeat(() => source.waitSignal(request, signal), signal),
    startChild: (request, signal) => repeat(() => source.startChild(request, signal), signal),
    migrate: (request, signal) => repeat(() => source.migrate(request, signal), signal),
    requeue: (request, signal) => repeat(() => source.requeue(request, signal), signal),
    complete: (request, signal) => repeat(() => source.complete(request, signal), signal),
    putBlob: (request, signal) => repeat(() => source.putBlob(request, signal), signal),
    getBlob: (id, reference, signal) => repeat(() => source.getBlob(id, reference, signal), signal),
  };
}
