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

/** Requests of one sort to one key, and how many of them the run that is counted has made so far. */
interface Sort {
  readonly name: string;
  seen: number;
}

/** Counts run by run; keeps nothing of a run but the names of requests, so that they are made once. */
export class FaultPointCounter {
  /** By key, then by the place of its operation and condition. */
  readonly #sorts = new Map<string, Sort[]>();
  readonly #calls = new Map<string, Sort>();
  /** Those of the run that is counted. */
  readonly #met: Sort[] = [];

  /** The counts of this run alone. */
  count({ operations, calls }: RunHistory): PointCounts {
    const counts = new Map<string, number>();
    for (const operation of operations) this.#add(counts, this.#sortOf(operation), operation.faults);
    for (const call of calls) this.#add(counts, this.#callOf(call.operation), call.faults);
    for (const sort of this.#met) {
      raise(counts, sort.name, sort.seen);
      sort.seen = 0;
    }
    this.#met.length = 0;
    if (this.#sorts.size > MOST_KEYS) this.#sorts.clear();
    return counts;
  }

  #add(counts: Map<string, number>, sort: Sort, faults: CallRecord["faults"]): void {
    if (sort.seen++ === 0) this.#met.push(sort);
    for (const kind of faults) raise(counts, `${kind} at ${sort.name}`, 1);
  }

  #sortOf(operation: StoreOperation): Sort {
    const { key, kind } = operation;
    let sorts = this.#sorts.get(key);
    if (sorts === undefined) {
      sorts = [];
      this.#sorts.set(key, sorts);
    }
    const condition = operation.condition?.kind ?? "none";
    const place = KINDS.indexOf(kind) * CONDITIONS.length + CONDITIONS.indexOf(condition);
    let sort = sorts[place];
    if (sort === undefined) {
      const act = condition === "none" ? kind : `${kind} ${condition}`;
      sort = { name: `${act} ${patternOf(key)}`, seen: 0 };
      sorts[place] = sort;
    }
    return sort;
  }

  #callOf(operation: string): Sort {
    let sort = this.#calls.get(operation);
    if (sort === undefined) {
      sort = { name: `call ${operation}`, seen: 0 };
      this.#calls.set(operation, sort);
    }
    return sort;
  }
}

const KINDS = ["get", "put", "delete", "list"] as const;
const CONDITIONS = ["none", "if-match", "if-absent"] as const;

function raise(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

function patternOf(key: string): string {
  return key
    .split("/")
    .map((part) => (/\d/.test(part) ? "*" : part))
    .join("/");
}
