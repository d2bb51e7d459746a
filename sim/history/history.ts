/**
 * What happened in a run, as data: every store operation, every version of every key, every call, every incident.
 *
 * Checkers and reports read only this. The harness fills it while the run goes on; nothing is removed.
 */
import type {
  DeleteCondition,
  DeleteOutcome,
  Etag,
  GetOutcome,
  ListOutcome,
  PutCondition,
  PutOutcome,
} from "../../src/ports/object-store.ts";

/**
 * The kinds of faults, named after part 2 of the catalogue; C04 and H01, H02 are ours. F07 to F10 are departures of a
 * broken store from the contract, the others may strike over any store.
 */
export const FAULT_KINDS = [
  "F01-lost-answer",
  "F02-lost-request",
  "F03-late-write",
  "F04-hidden-retry",
  "F05-conflict-409",
  "F06-throttle",
  "F07-status",
  "F08-condition",
  "F09-etag-alias",
  "F10-stale-read",
  "F11-list",
  "F12-broken-body",
  "F13-partition",
  "N01-crash",
  "N02-pause",
  "N03-starve",
  "N04-stop",
  "N05-clock-back",
  "N06-twin",
  "N07-drop-hint",
  "C01-skew",
  "C02-step",
  "C03-tick",
  "C04-drift",
  "D01-duplicate-request",
  "D02-reorder",
  "D03-poison",
  "S01-hops",
  "H01-lost-call",
  "H02-lost-reply",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What the store decided when a request reached it. `served` is a get or list that was answered. */
export type Verdict =
  | "applied"
  | "served"
  | "absent"
  | "precondition-failed"
  | "not-found"
  | "conflict"
  | "throttled";

/** One request of a process to the store, from its sending to its answer. */
export interface StoreOperation {
  /** 1, 2, 3 … in the order of sending. */
  readonly id: number;
  readonly process: string;
  readonly incarnation: number;
  readonly kind: "get" | "put" | "delete" | "list";
  /** The key; of a list, its prefix. */
  readonly key: string;
  readonly condition: PutCondition | DeleteCondition | null;
  /** The body of a put. */
  readonly body: string | null;
  readonly sentAtMs: number;
  /** When the store acted on it (the first send that had an effect); null: it never did. */
  appliedAtMs: number | null;
  verdict: Verdict | null;
  /** The version it wrote or read, as an index into the key's chain (from 0); null: none. */
  version: number | null;
  answeredAtMs: number | null;
  /** What the sender was told; null: it never was. */
  outcome: GetOutcome | PutOutcome | DeleteOutcome | ListOutcome | null;
  /** The faults that struck it. */
  faults: readonly FaultKind[];
}

/** One version of a key. `body` is null for a deletion. */
export interface Version {
  readonly key: string;
  /** Its index in the key's chain, from 0. */
  readonly index: number;
  readonly body: string | null;
  readonly etag: Etag;
  readonly atMs: number;
  readonly operation: StoreOperation;
}

/** Something that struck a process or the whole run: `start`, `crash`, `pause`, `resume`, `heal`, `skew`, … */
export interface Incident {
  readonly atMs: number;
  readonly kind: string;
  readonly process: string | null;
  readonly detail: string;
}

/** One call of a process to another, with what the caller learned. */
export interface CallRecord {
  readonly id: number;
  readonly from: string;
  readonly fromIncarnation: number;
  readonly to: string;
  readonly operation: string;
  readonly request: unknown;
  readonly sentAtMs: number;
  /** When the answer that the caller learned was given, at the target; null: it learned none, or nobody noted when. */
  repliedAtMs: number | null;
  /** When the caller learned its outcome; null: it died waiting. */
  answeredAtMs: number | null;
  outcome: "answered" | "unknown-outcome" | null;
  /** The answer, when there was one. */
  reply: unknown;
  faults: readonly FaultKind[];
}

export interface RunHistory {
  readonly operations: readonly StoreOperation[];
  readonly chains: ReadonlyMap<string, readonly Version[]>;
  readonly calls: readonly CallRecord[];
  readonly incidents: readonly Incident[];
  /** When the faults were switched off; null: they never were. */
  readonly healedAtMs: number | null;
  readonly endedAtMs: number;
}
