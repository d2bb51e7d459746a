/**
 * I22: the lease that a worker is told of is a whole one.
 *
 * The other side of `i22-lease-honoured.ts`, which looks at what is stored: a renewal that stores nothing new is no
 * change there. Here each accepted claim, renewal and grant has to name a deadline one lease after the call was sent or
 * later, by the clock of the node that answered (B35, B38, B39).
 */
import type { Checker } from "../../sim/index.ts";
import { type Call, type NextRequest, taskIn } from "./calls.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

const NAME = "I22-lease-granted";

export const leaseGranted: Checker<Facts> = {
  name: NAME,
  statement:
    "an accepted claim, renewal or completion that grants a turn answers a deadline at least one lease after it was sent, by the clock of the node that answers",
  blind: "a lease that is too long, which I22-lease-honoured sees; answers that the worker never received",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const call of facts.calls.claims) granted(call, taskIn(call)?.turn, [call], facts, report);
    for (const call of facts.calls.nexts) {
      const alike = facts.calls.nexts.filter(({ request }) => isRepeat(request, call.request));
      granted(call, taskIn(call)?.turn, alike, facts, report);
    }
    for (const { heartbeats } of facts.calls.attempts.values())
      for (const call of heartbeats)
        if (call.answer.kind === "ok") granted(call, call.answer.value, [call], facts, report);
    return report.finding();
  },
};

/** Whether the two are the same completion, sent again: the first of them may have granted what the last answers. */
function isRepeat(a: NextRequest, b: NextRequest): boolean {
  return a.workflow_id === b.workflow_id && a.turn === b.turn && a.token === b.token;
}

/** `grants`: the calls that may have granted what this one answers. */
function granted(
  call: Call<unknown>,
  view: unknown,
  grants: readonly Call<unknown>[],
  facts: Facts,
  report: Report,
): void {
  if (!isObject(view) || typeof view.workflow_id !== "string") return;
  if (typeof view.deadline_ms !== "number") return;
  const lease = facts.records.identities.get(view.workflow_id)?.[0]?.value.lease_ms;
  if (lease === undefined) return;
  report.examine();
  const { sentAtMs: lastMs, answeredAtMs, to, id, operation } = call.record;
  const shown = grants
    .filter(({ record }) => record.sentAtMs <= lastMs)
    .map(({ record }) => facts.clocks.shown(record.to, record.sentAtMs, answeredAtMs ?? lastMs)[0]);
  const leastMs = Math.min(...shown);
  if (view.deadline_ms >= leastMs + lease) return;
  report.add(
    `${view.workflow_id}: ${to} answered a ${operation} (call ${id}) with a lease of ${lease} until ${view.deadline_ms}, when its clock showed at least ${leastMs}`,
    facts.decoder.identityKey(view.workflow_id),
    answeredAtMs,
  );
}
