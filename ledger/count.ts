/**
 * Counts a run: requests and bytes by cause between its marks, and how long each handoff waited for the store.
 *
 *   N1  a request counts where it was sent, whatever became of it; one that was refused costs as much as any other.
 *   N2  a handoff is a completion that was accepted; its serial time is the time since the one before it in which at
 *       least one request was under way, sweeps left out: what runs side by side counts once, and waiting for a clock not
 *       at all.
 */
import type { RunHistory, StoreOperation } from "../sim/index.ts";
import { assert, present } from "../src/std/assert.ts";
import { causesOf } from "./attribution.ts";
import { type Cause, type CountKind, type CountsByCause, NOTHING } from "./cause.ts";

export interface RunCounts {
  readonly counts: CountsByCause;
  readonly handoffs: number;
  readonly windowMs: number;
  /** N2, of each handoff. */
  readonly serialMs: readonly number[];
}

export function countRun(history: RunHistory): RunCounts {
  const begin = markAt(history, "begin");
  const end = markAt(history, "end");
  const within = (ms: number): boolean => ms >= begin && ms <= end;
  const totals = new Map<Cause, { [kind in CountKind]: number }>();
  const waited: StoreOperation[] = [];
  for (const [operation, cause] of causesOf(history)) {
    if (!within(operation.sentAtMs)) continue;
    const total = totals.get(cause) ?? { ...NOTHING };
    totals.set(cause, total);
    add(total, operation);
    if (cause !== "sweep") waited.push(operation);
  }
  const ends = history.calls
    .filter(({ operation, reply }) => operation === "complete" && isOk(reply))
    .map(({ answeredAtMs }) => present(answeredAtMs, "the time of an answer"))
    .filter((atMs) => atMs > begin && atMs <= end)
    .sort((a, b) => a - b);
  const counts = Object.fromEntries([...totals].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { counts, handoffs: ends.length, windowMs: end - begin, serialMs: serialTimes(waited, begin, ends) };
}

function markAt({ incidents }: RunHistory, detail: string): number {
  const mark = incidents.find((incident) => incident.kind === "measure" && incident.detail === detail);
  assert(mark !== undefined, `the mark ${detail} in a run that is counted`);
  return mark.atMs;
}

function isOk(reply: unknown): boolean {
  return typeof reply === "object" && reply !== null && "ok" in reply && reply.ok === true;
}

function add(total: { [kind in CountKind]: number }, operation: StoreOperation): void {
  const { kind, verdict, body, outcome } = operation;
  total[kind]++;
  const isWrite = kind === "put" || kind === "delete";
  if (verdict === "conflict" || verdict === "throttled") total.refused++;
  else if (isWrite && (verdict === "precondition-failed" || verdict === "not-found")) total.refused++;
  if (body !== null) total.up += Buffer.byteLength(body);
  if (outcome?.kind !== "ok") return;
  if ("body" in outcome) total.down += Buffer.byteLength(outcome.body);
  if ("entries" in outcome) for (const { key } of outcome.entries) total.down += Buffer.byteLength(key);
}

/** N2. */
function serialTimes(
  operations: readonly StoreOperation[],
  begin: number,
  ends: readonly number[],
): readonly number[] {
  const spans = busySpans(operations);
  let from = begin;
  let next = 0;
  return ends.map((until) => {
    let sum = 0;
    for (; next < spans.length; next++) {
      const [start, end] = present(spans[next], "a span");
      sum += Math.max(0, Math.min(end, until) - Math.max(start, from));
      if (end > until) break;
    }
    from = until;
    return sum;
  });
}

/** The times in which something was under way, in order and apart from each other. */
function busySpans(operations: readonly StoreOperation[]): readonly (readonly [number, number])[] {
  const spans: [number, number][] = [];
  for (const { sentAtMs, answeredAtMs } of [...operations].sort((a, b) => a.id - b.id)) {
    const end = answeredAtMs ?? sentAtMs;
    const last = spans.at(-1);
    if (last !== undefined && sentAtMs <= last[1]) last[1] = Math.max(last[1], end);
    else spans.push([sentAtMs, end]);
  }
  return spans;
}

/** The value below which this share of the numbers lies. */
export function share(numbers: readonly number[], of: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(of * sorted.length) - 1))] ?? 0;
}
