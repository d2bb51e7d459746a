/**
 * An object store that tells the trace of every operation: its kind, its outcome and its time. It changes nothing else.
 */
import type { Clock } from "../ports/clock.ts";
import type { ListRequest, ObjectStore } from "../ports/object-store.ts";
import type { Trace } from "../ports/trace.ts";

export function meteredStore(store: ObjectStore, clock: Clock, trace: Trace): ObjectStore {
  const told = async <Outcome extends { readonly kind: string }>(
    operation: string,
    answer: Promise<Outcome>,
  ): Promise<Outcome> => {
    const startedMs = clock.monotonicMs();
    const outcome = await answer;
    const elapsed_ms = clock.monotonicMs() - startedMs;
    trace.emit("store-operation", { operation, outcome: outcome.kind, elapsed_ms });
    return outcome;
  };
  return {
    get: (key) => told("get", store.get(key)),
    put: (key, body, condition) => told("put", store.put(key, body, condition)),
    delete: (key, condition) => told("delete", store.delete(key, condition)),
    list: (request: ListRequest) => told("list", store.list(request)),
  };
}
