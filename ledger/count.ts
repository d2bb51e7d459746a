/**
 * Counts a run: requests and bytes by cause between its marks, and how long each handoff waited for the store.
 *
 *   N1  a request counts where it was sent, whatever became of it; one that was refused costs as much as any other.
 *   N2  a handoff is a completion that was accepted.
 */
import type { RunHistory, StoreOperation } from "../sim/index.ts";
import { assert, present } from "../src/std/assert.ts";
import { causesOf } from "./attribution.ts";
import { type Cause, type CountKind, type CountsByCause, NOTHING } from "./cause.ts";
import { type Caused, chainsOf } from "./serial.ts";

export interface RunCounts {
  readonly counts: CountsByCause;
  readonly handoffs: number;
  readonly windowMs: number;
  /** Of each handoff, the requests that followed each other in it (`serial.ts`). */
  readonly chains: readonly (readonly StoreOperation[])[];
}

export function countRun(history: RunHistory): RunCounts {
  const begin = markAt(history, "begin");
  const end = markAt(history, "end");
  const within = (ms: number): boolean => ms >= begin && ms <= end;
  const totals = new Map<Cause, { [kind in CountKind]: number }>();
  const waited: Caused[] = [];
  for (const [operation, cause] of causesOf(history)) {
    if (!within(operation.sentAtMs)) continue;
    const total = totals.get(cause) ?? { ...NOTHING };
    totals.set(cause, total);
    add(total, operation);
    if (cause !== "sweep") waited.push([operation, cause]);
  }
  const ends = history.calls
    .filter(({ operation, reply }) => operation === "complete" && isOk(reply))
    .filter(({ answeredAtMs }) => answeredAtMs !== null && answeredAtMs > begin && answeredAtMs <= end)
    .map(({ repliedAtMs }) => present(repliedAtMs, "the time at which an answer was given"))
    .sort((a, b) => a - b);
  const counts = Object.fromEntries([...totals].sort(([a], [b]) => (a < b ? -1 : 1)));
  const chains = chainsOf(waited, history.calls, begin, ends);
  return { counts, handoffs: ends.length, windowMs: end - begin, chains };
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
