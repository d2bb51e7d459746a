/**
 * Where faults struck over many runs: how often each kind of fault met each kind of request.
 *
 * Owns what counts as one kind of request: the operation, its condition, and the key with every part that holds a
 * number replaced by a star. So a look at the table shows what no run has tried yet.
 *
 *   O1  A fault is counted at the request on whose record it stands; skews and whatever strikes no single request
 *       are not in the table.
 *   O2  Which kinds can strike which requests is known for those that are noted on requests today; a kind that is
 *       not known here is counted where it struck, and nowhere said to be missing.
 */
import type { CallRecord, RunHistory, StoreOperation } from "../sim/history/history.ts";
import type { FaultPointData, FaultPointsData } from "./campaign-data.ts";

interface Point {
  seen: number;
  readonly strikes: Map<string, number>;
}

type Reach = "any" | "read" | "write" | "conditional" | "call";
const REACH: { readonly [kind: string]: Reach } = {
  "F01-lost-answer": "any",
  "F02-lost-request": "any",
  "F03-late-write": "write",
  "F04-hidden-retry": "any",
  "F05-conflict-409": "conditional",
  "F06-throttle": "any",
  "F10-stale-read": "read",
  "N01-crash": "any",
  "N02-pause": "any",
  "D01-duplicate-request": "call",
  "H01-lost-call": "call",
  "H02-lost-reply": "call",
};

export class FaultPoints {
  readonly #points = new Map<string, Point>();
  readonly #patterns = new Map<string, string>();

  /** Counts the requests of one run. */
  add(history: RunHistory): void {
    for (const op of history.operations) this.#count(this.#requestOf(op), op.faults);
    for (const call of history.calls) this.#count(`call ${call.operation}`, call.faults);
  }

  /** The table, for the kinds that were on. */
  data(kindsOn: readonly string[]): FaultPointsData {
    const struck = new Set<string>();
    for (const { strikes } of this.#points.values()) for (const kind of strikes.keys()) struck.add(kind);
    const kinds = [...new Set([...kindsOn.filter((kind) => kind in REACH), ...struck])].sort();
    const shared = sharedStart([...this.#points.keys()].filter((request) => !request.startsWith("call ")));
    const rows = [...this.#points].map(([request, point]): FaultPointData => {
      const counts = kinds.map((kind) => point.strikes.get(kind) ?? (canStrike(kind, request) ? 0 : null));
      return { request: request.replace(` ${shared}`, " "), seen: point.seen, counts };
    });
    rows.sort((a, b) => (a.request < b.request ? -1 : 1));
    return { kinds, rows };
  }

  #count(request: string, faults: StoreOperation["faults"] | CallRecord["faults"]): void {
    let point = this.#points.get(request);
    if (point === undefined) {
      point = { seen: 0, strikes: new Map() };
      this.#points.set(request, point);
    }
    point.seen++;
    for (const kind of faults) point.strikes.set(kind, (point.strikes.get(kind) ?? 0) + 1);
  }

  #requestOf(op: StoreOperation): string {
    let pattern = this.#patterns.get(op.key);
    if (pattern === undefined) {
      pattern = patternOf(op.key);
      this.#patterns.set(op.key, pattern);
    }
    const condition = op.condition === null || op.condition.kind === "none" ? "" : ` ${op.condition.kind}`;
    return `${op.kind}${condition} ${pattern}`;
  }
}

function patternOf(key: string): string {
  const parts = key.split("/").map((part) => (/\d/.test(part) ? "*" : part));
  return parts.join("/");
}

/** The folders that all keys begin with. */
function sharedStart(requests: readonly string[]): string {
  const keys = requests.map((request) => request.slice(request.lastIndexOf(" ") + 1));
  let shared = keys[0] ?? "";
  for (const key of keys) while (!key.startsWith(shared)) shared = shared.slice(0, -1);
  return shared.slice(0, shared.lastIndexOf("/") + 1);
}

/** O2. */
function canStrike(kind: string, request: string): boolean {
  const reach = REACH[kind];
  const isCall = request.startsWith("call ");
  const isWrite = /^(put|delete) /.test(request);
  switch (reach) {
    case "any":
      return !isCall;
    case "read":
      return !isCall && !isWrite;
    case "write":
      return isWrite;
    case "conditional":
      return isWrite && / if-(match|absent) /.test(request);
    case "call":
      return isCall;
    default:
      return false;
  }
}
