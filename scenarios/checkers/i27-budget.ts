/**
 * I27: the budget of a graph, as far as it can be kept by nodes that share nothing but an index which lags.
 *
 *   B1  an instance is created, and a message admitted, only when the index had room at some moment of the call, or not
 *       longer before than `STALE_MS`. So what passes a budget is what is under way at one time, and nothing after it.
 *       A node may know more than the index shows: what it has deleted itself does not count.
 *   B2  a refusal for want of room has a reason: the index was nearly full at some moment of that time, or so many lived. Nearly, because a
 *       creation adds its own bytes, and because a node knows what it has written before the index does.
 *   B3  a node that has not seen the index yet refuses nothing, so what a node decides soon after its start is left out.
 *
 * Nothing is written on a refusal: that is held by I01-honest-refusals for callers, and here by B1, since what is there was
 * admitted.
 */
import type { CallRecord, Checker, RunHistory } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import type { IndexVersion } from "./records.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

const NAME = "I27-budget";
/** What the scenario gives its graph. */
export const BUDGET = { max_instances: 3, max_state_bytes: 16_000 };
const OPEN_BYTES = BUDGET.max_state_bytes - Math.floor(BUDGET.max_state_bytes / 16);
/** More than an interval between two sweeps, each of which shows the index, and the time of one over a bad store. */
const STALE_MS = 20_000;

export const budget: Checker<Facts> = {
  name: NAME,
  statement:
    "an instance is created and a message admitted only when the index showed room for it shortly before, and refused for want of room only when it showed none",
  blind:
    "what several nodes admit at one time, which may pass the budget; what a node decides before it has seen the index; the last bytes of a creation",
  check(history, facts) {
    const report = new Report(NAME);
    const { index } = facts.records;
    for (const [id, chain] of facts.records.identities) {
      const [first] = chain;
      for (const [at, { version, value }] of chain.entries()) {
        const came = at === 0 ? 0 : value.next_turn - (chain[at - 1]?.value.next_turn ?? 0);
        if (version !== first?.version && came <= 0) continue;
        const { process, sentAtMs } = version.operation;
        if (startedAt(history, process, sentAtMs) > sentAtMs - STALE_MS) continue;
        report.examine();
        const shown = within(index, sentAtMs - STALE_MS, sentAtMs);
        const gone = goneBy(facts, sentAtMs);
        if (shown.some((one) => hasRoom(one, at === 0, gone))) continue;
        const what = at === 0 ? `${id} was created` : `a message came to ${id}`;
        report.at(version, `${what} by ${process} at ${sentAtMs}, and the graph was full for long`);
      }
    }
    for (const call of history.calls) refused(call, index, facts, report);
    return report.finding();
  },
};

/** B2. */
function refused(call: CallRecord, index: readonly IndexVersion[], facts: Facts, report: Report): void {
  const { reply, operation, sentAtMs, answeredAtMs, from, id } = call;
  if (!isObject(reply) || !isObject(reply.error) || reply.error.code !== "graph_full") return;
  report.examine();
  const shown = within(index, sentAtMs - STALE_MS, answeredAtMs ?? sentAtMs);
  if (shown.some((one) => isNearlyFull(one, operation === "createInstance"))) return;
  if (livingSince(facts, sentAtMs - STALE_MS, answeredAtMs ?? sentAtMs) >= BUDGET.max_instances) return;
  report.add(
    `${from} was refused ${operation} (call ${id}) for want of room, and there was room`,
    facts.decoder.indexKey(),
    answeredAtMs,
  );
}

/** The versions of the index that were the last one at some time from `fromMs` to `toMs`. */
function within(index: readonly IndexVersion[], fromMs: number, toMs: number): readonly IndexVersion[] {
  return index.filter(
    ({ version }, at) => version.atMs <= toMs && (index[at + 1]?.version.atMs ?? toMs) >= fromMs,
  );
}

function hasRoom({ value }: IndexVersion, creates: boolean, gone: ReadonlySet<string>): boolean {
  if (bytesOf(value, gone) >= OPEN_BYTES) return false;
  let instances = 0;
  for (const id of value.keys()) if (!gone.has(id)) instances++;
  return !creates || instances < BUDGET.max_instances;
}

/** How many instances lived at some time of the stretch. */
function livingSince({ records }: Facts, fromMs: number, toMs: number): number {
  let living = 0;
  for (const lifeline of records.lifelines.values()) {
    const end = lifeline.find(({ deleted }) => deleted)?.version.atMs ?? toMs;
    if (end >= fromMs && (lifeline[0]?.version.atMs ?? toMs + 1) <= toMs) living++;
  }
  return living;
}

/** The instances that had been deleted by then. */
function goneBy({ records }: Facts, atMs: number): ReadonlySet<string> {
  const gone = new Set<string>();
  for (const [id, lifeline] of records.lifelines)
    if (lifeline.some(({ deleted, version }) => deleted && version.atMs <= atMs)) gone.add(id);
  return gone;
}

/** Whether so little is left that a refusal may be right. */
function isNearlyFull({ value }: IndexVersion, creates: boolean): boolean {
  return (creates && value.size >= BUDGET.max_instances) || bytesOf(value) >= OPEN_BYTES / 2;
}

function bytesOf(value: IndexVersion["value"], gone: ReadonlySet<string> = NOBODY): number {
  let bytes = 0;
  for (const [id, { bytes: own = 0 }] of value) if (!gone.has(id)) bytes += own;
  return bytes;
}
const NOBODY: ReadonlySet<string> = new Set();

/** B3: when the process was started last before the time. */
function startedAt({ incidents }: RunHistory, process: string, atMs: number): number {
  let startedMs = 0;
  for (const one of incidents)
    if (one.process === process && one.kind === "start" && one.atMs <= atMs) startedMs = one.atMs;
  return startedMs;
}
