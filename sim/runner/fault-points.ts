/**
 * Where faults struck in a run: how many requests of each sort there were, and how many of them each kind met.
 *
 * Owns what counts as one sort of request: the operation, its condition, and the key with every part that holds a
 * number replaced by a star. Does not own which kinds could strike which requests, nor how it is shown (`reports`).
 *
 *   P1  Counts are plain and add up: over runs, threads and shards alike. `put if-match x/*` counts requests,
 *       `F01-lost-answer at put if-match x/*` those that it struck.
 *   P2  A fault is counted at the request on whose record it stands; skews and whatever strikes no single request
 *       are not counted here.
 */
import type { CallRecord, RunHistory, StoreOperation } from "../history/history.ts";

/** P1. */
export type PointCounts = ReadonlyMap<string, number>;

/** Names of keys that are remembered; keys of many runs can be any number. */
const MOST_KEYS = 20_000;

/** Counts run by run; keeps nothing of a run but the names of requests, so that they are made once. */
export class FaultPointCounter {
  /** By key, then by operation and condition. */
  readonly #names = new Map<string, Map<string, string>>();
  readonly #calls = new Map<string, string>();

  /** The counts of this run alone. */
  count(history: RunHistory): PointCounts {
    const counts = new Map<string, number>();
    for (const op of history.operations) add(counts, this.#nameOf(op), op.faults);
    for (const { operation, faults } of history.calls) add(counts, this.#callName(operation), faults);
    return counts;
  }

  #nameOf({ key, kind, condition }: StoreOperation): string {
    let names = this.#names.get(key);
    if (names === undefined) {
      if (this.#names.size >= MOST_KEYS) this.#names.clear();
      names = new Map();
      this.#names.set(key, names);
    }
    const act = condition === null || condition.kind === "none" ? kind : CONDITIONAL[kind][condition.kind];
    let name = names.get(act);
    if (name === undefined) {
      name = `${act} ${patternOf(key)}`;
      names.set(act, name);
    }
    return name;
  }

  #callName(operation: string): string {
    let name = this.#calls.get(operation);
    if (name === undefined) {
      name = `call ${operation}`;
      this.#calls.set(operation, name);
    }
    return name;
  }
}

/** Texts that exist once, for they are looked up for each request. */
const CONDITIONAL = {
  get: { "if-match": "get if-match", "if-absent": "get if-absent" },
  put: { "if-match": "put if-match", "if-absent": "put if-absent" },
  delete: { "if-match": "delete if-match", "if-absent": "delete if-absent" },
  list: { "if-match": "list if-match", "if-absent": "list if-absent" },
} as const;

function add(counts: Map<string, number>, request: string, faults: CallRecord["faults"]): void {
  counts.set(request, (counts.get(request) ?? 0) + 1);
  for (const kind of faults) {
    const point = `${kind} at ${request}`;
    counts.set(point, (counts.get(point) ?? 0) + 1);
  }
}

function patternOf(key: string): string {
  return key
    .split("/")
    .map((part) => (/\d/.test(part) ? "*" : part))
    .join("/");
}
