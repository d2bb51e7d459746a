/**
 * Requests to the store made by hand, for tests.
 */
import type { StoreOperation } from "../sim/index.ts";

/** A request of `node-1` that met no fault. */
export function exampleRequest(
  told: Pick<StoreOperation, "id" | "kind" | "key" | "sentAtMs" | "answeredAtMs">,
  change: Partial<StoreOperation> = {},
): StoreOperation {
  return {
    process: "node-1",
    incarnation: 1,
    condition: null,
    body: null,
    appliedAtMs: null,
    verdict: null,
    version: null,
    outcome: null,
    faults: [],
    ...told,
    ...change,
  };
}
