/**
 * I19: what an attempt was told.
 *
 * The other side of I04: there the stored changes look for a call that asked for them, here the accepted calls look
 * for a stored moment at which they were right. So a node that answers "accepted" to a stranger is seen even when
 * it stored nothing (B45, B75). A moment counts when it was current at some time between call and answer.
 *
 * Tasks are held against the store as well: a worker that starts from another state, from other steps or under a
 * token that was never stored does work that cannot be committed, or worse, can.
 */
import type { Checker } from "../../sim/index.ts";
import type { AttemptEnd, FailRequest, Turn } from "../../src/index.ts";
import { type AttemptCalls, type Call, taskIn } from "./calls.ts";
import type { ChangeOf } from "./changes.ts";
import { type Facts, type TurnMoment, within } from "./facts.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";
import { isObject } from "./shapes.ts";

const NAME = "I19-attempt-fence";

export const attemptFence: Checker<Facts> = {
  name: NAME,
  statement:
    "a renewal, operation, report, step, sleep, wait, child, migration, requeue, completion or failure is accepted only from the token that holds the turn, or whose exact repeat it is, at some moment between call and answer; a claim hands out what is stored under its token",
  blind: "calls whose answer never reached the caller",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const [token, calls] of facts.calls.attempts) attempt(token, calls, facts, report);
    handedOut(facts, report);
    return report.finding();
  },
};

function attempt(token: string, calls: AttemptCalls, facts: Facts, report: Report): void {
  const holds = ({ turn }: TurnMoment) => turn.holder?.token === token;
  const ended = ({ turn }: TurnMoment) => turn.last_attempt?.token === token;
  for (const call of calls.heartbeats) accepted(call, facts, report, holds);
  for (const call of calls.operations) accepted(call, facts, report, holds);
  for (const call of calls.progresses) accepted(call, facts, report, holds);
  for (const call of [
    ...calls.checkpoints,
    ...calls.waits,
    ...calls.starts,
    ...calls.requeues,
    ...calls.migrations,
  ])
    accepted(call, facts, report, (moment) => holds(moment) || ended(moment));
  for (const call of calls.completes)
    accepted(call, facts, report, (m) => ended(m) && m.turn.last_attempt?.end === "completed");
  for (const call of calls.fails)
    accepted(call, facts, report, (m) => ended(m) && m.turn.last_attempt?.end === endOf(call));
}

function endOf({ request }: Call<FailRequest>): AttemptEnd {
  return (request.retry_at_ms ?? null) === null ? "failed" : "deferred";
}

function accepted(
  call: Call<{ readonly workflow_id: string; readonly turn: number; readonly token: string }>,
  facts: Facts,
  report: Report,
  right: (moment: TurnMoment) => boolean,
): void {
  const { record, request, answer } = call;
  if (answer.kind !== "ok" || record.answeredAtMs === null) return;
  report.examine();
  const { workflow_id: id, turn, token } = request;
  if (within(facts.turn(id, turn), record.sentAtMs, record.answeredAtMs).some(right)) return;
  report.add(
    `${id}: ${record.to} accepted the ${record.operation} of token ${token} on turn ${turn} (call ${record.id}), which at no moment of the call was its to make`,
    facts.decoder.identityKey(id),
    record.answeredAtMs,
  );
}

/** Each task is what the store holds under its token. */
function handedOut(facts: Facts, report: Report): void {
  const claims = new Map<string, ChangeOf<"claimed">>();
  for (const changes of facts.changes.values())
    for (const change of changes) if (change.kind === "claimed") claims.set(change.holder.token, change);
  for (const call of [...facts.calls.claims, ...facts.calls.nexts]) {
    const task = taskIn(call);
    if (task === null) continue;
    const { record } = call;
    const change = claims.get(String(task.token));
    if (change === undefined) {
      const where = `call ${record.id} to ${record.to}`;
      report.add(`${where} handed out a token that was never stored`, record.to, record.answeredAtMs);
      continue;
    }
    report.examine();
    const { turn, at } = change;
    const answeredAtMs = record.answeredAtMs ?? 0;
    const shown = [turn, ...laterOf(change, call, facts)];
    const right =
      same(task.state, at.value.state) &&
      at.version.atMs <= answeredAtMs &&
      shown.some((one) => shows(task.turn, at.value.id, one));
    if (!right)
      report.at(
        at.version,
        `${at.value.id}: the ${record.operation} of turn ${turn.number} (call ${record.id}) handed out something else than it stored`,
      );
  }
}

/**
 * A claim that is answered after others have written is told of its attempt as it has become meanwhile, when it was sent
 * again with its completion or its own write is no longer remembered: signals may have come.
 */
function laterOf({ at, turn, holder }: ChangeOf<"claimed">, { record }: Call<unknown>, facts: Facts): Turn[] {
  const moments = facts.turn(at.value.id, turn.number);
  return moments.flatMap(({ version, turn: one }) =>
    one.holder?.token === holder.token && version.atMs <= (record.answeredAtMs ?? 0) ? [one] : [],
  );
}

function shows(view: unknown, id: string, turn: Turn): boolean {
  return (
    isObject(view) &&
    view.workflow_id === id &&
    view.number === turn.number &&
    view.attempt === turn.attempt &&
    same(view.message, turn.message) &&
    same(view.steps, turn.steps) &&
    same(view.signals, turn.signals) &&
    same(resumeOf(view.operation), resumeOf(turn.operation))
  );
}

/** What an attempt may go on from: the last operation's key and checkpoint. */
function resumeOf(operation: unknown): unknown {
  return isObject(operation) ? [operation.key, operation.sequence, operation.checkpoint] : null;
}
