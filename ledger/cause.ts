/**
 * What a request to the store was for, and what is counted of it.
 *
 *   admit       a message is taken into an inbox; also whether its id is known already
 *   claim       a worker gets a turn
 *   operation   a step is begun, or reports its progress
 *   checkpoint  a step is saved
 *   complete    a turn ends
 *   history     a finished turn leaves its identity: its objects, and the identity's own write without it; and it is pruned,
 *               with the blobs that nothing names any more
 *   index       the scheduling index, whoever reads or mends it
 *   heartbeat   a lease is renewed
 *   read        somebody looks
 *   sweep       a node looks at all identities by itself
 *   other       nothing of these: creations, signals, controls, and what cannot be told
 */
export const CAUSES = [
  "admit",
  "claim",
  "operation",
  "checkpoint",
  "complete",
  "history",
  "index",
  "heartbeat",
  "read",
  "sweep",
  "other",
] as const;
export type Cause = (typeof CAUSES)[number];

/** `refused` are among the puts and deletes; `up` and `down` are bytes of bodies, and of keys that a list shows. */
export const KINDS = ["get", "put", "list", "delete", "refused", "up", "down"] as const;
export type CountKind = (typeof KINDS)[number];

export type Counts = { readonly [kind in CountKind]: number };
export const NOTHING: Counts = { get: 0, put: 0, list: 0, delete: 0, refused: 0, up: 0, down: 0 };

/** By cause; a cause that never came is absent. */
export type CountsByCause = { readonly [cause in Cause]?: Counts };

/** Those of all causes. */
export function totalOf(counts: CountsByCause): Counts {
  const sum = { ...NOTHING };
  for (const cause of CAUSES) for (const kind of KINDS) sum[kind] += counts[cause]?.[kind] ?? 0;
  return sum;
}

/** The calls of the engine, and what each is for. What is not here is `other`. */
const BY_CALL: { readonly [operation: string]: Cause } = {
  sendMessage: "admit",
  claim: "claim",
  operation: "operation",
  progress: "operation",
  checkpoint: "checkpoint",
  waitSignal: "checkpoint",
  complete: "complete",
  fail: "complete",
  heartbeat: "heartbeat",
  getInstance: "read",
  getTurn: "read",
  listInstances: "read",
  history: "read",
  inbox: "read",
  typeInbox: "read",
};

export function causeOfCall(operation: string): Cause {
  return BY_CALL[operation] ?? "other";
}
