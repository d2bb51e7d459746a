/**
 * I19: operations and what is reported of them.
 *
 *   O1  an operation belongs to the attempt that started it; its limits are counted from then by the clock of the node
 *       that decided. That nothing moves them, no renewal and no report, is held by `i05-no-lost-update.ts`.
 *   O2  it begins with the checkpoint that the last operation of its key left, and with no report of its own.
 *   O3  an attempt has one operation at a time, and none for a step that is saved; saving a step ends it.
 *   O4  numbers of reports rise; each names when it was received by the clock of the node that decided.
 *   O5  a report that was accepted is stored at some moment of its call: one that comes after its step, or from an
 *       attempt that lost its turn, is not.
 *
 * When an operation ends its attempt is held by `i22-lease-honoured.ts`, the back-off after it by
 * `i10-no-early-attempt.ts`, and what the next attempt is handed by `i19-attempt-fence.ts` (B38, B39, B45).
 */
import type { Checker } from "../../sim/index.ts";
import type { ProgressRequest } from "../../src/index.ts";
import type { Call } from "./calls.ts";
import type { ChangeOf } from "./changes.ts";
import { clockAt } from "./explain.ts";
import { type Facts, within } from "./facts.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";

const NAME = "I19-operations";

export const operations: Checker<Facts> = {
  name: NAME,
  statement:
    "an operation belongs to its attempt, is the only one, has limits from its start on, begins with the last checkpoint of its step, and ends with the step; reports have rising numbers, and an accepted one is stored",
  blind: "work that goes on after its operation is over, which is the worker's",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const changes of facts.changes.values())
      for (const change of changes) {
        if (change.kind === "started") begun(change, facts, report);
        if (change.kind === "progressed") reported(change, facts, report);
        if (change.kind !== "saved" && change.kind !== "suspended") continue;
        report.examine();
        if (change.turn.operation !== null)
          report.at(
            change.at.version,
            `${change.at.value.id}: ${change.step.key} of turn ${change.turn.number} is saved and its operation goes on`,
          );
      }
    for (const { progresses } of facts.calls.attempts.values())
      for (const call of progresses) accepted(call, facts, report);
    return report.finding();
  },
};

/** O1, O2, O3. */
function begun(change: ChangeOf<"started">, facts: Facts, report: Report): void {
  report.examine();
  const { at, was, turn, holder, operation } = change;
  const { key, token, attempt, sequence, details, checkpoint } = operation;
  const where = `${at.value.id}: operation ${key} of turn ${turn.number}`;
  if (token !== holder.token || attempt !== turn.attempt)
    report.at(at.version, `${where} belongs to attempt ${attempt} with the token ${token}`);
  if (was.operation?.token === holder.token)
    report.at(at.version, `${where} began while its attempt ran ${was.operation.key}`);
  if (turn.steps.some((step) => step.key === key)) report.at(at.version, `${where} began for a saved step`);
  const left = was.operation?.key === key ? was.operation.checkpoint : null;
  if (!same(checkpoint, left) || sequence !== 0 || details !== null)
    report.at(
      at.version,
      `${where} began with ${JSON.stringify(checkpoint)}, not with ${JSON.stringify(left)}`,
    );
  const [earliestMs, latestMs] = clockAt(change, facts);
  const { started_at_ms, last_heartbeat_ms, deadline_ms, timeout_ms } = operation;
  const counted = deadline_ms === started_at_ms + timeout_ms && last_heartbeat_ms === started_at_ms;
  if (!counted || started_at_ms < earliestMs || started_at_ms > latestMs)
    report.at(
      at.version,
      `${where} of ${timeout_ms} began at ${started_at_ms} and ends at ${deadline_ms}, when the clock showed ${earliestMs} to ${latestMs}`,
    );
}

/** O4. */
function reported(change: ChangeOf<"progressed">, facts: Facts, report: Report): void {
  report.examine();
  const { at, was, turn, holder, operation } = change;
  const where = `${at.value.id}: report ${operation.sequence} of ${operation.key} of turn ${turn.number}`;
  if (operation.token !== holder.token) report.at(at.version, `${where} is of an attempt that is over`);
  if (operation.sequence <= (was.operation?.sequence ?? 0))
    report.at(at.version, `${where} came after report ${was.operation?.sequence}`);
  const [earliestMs, latestMs] = clockAt(change, facts);
  const { last_heartbeat_ms: atMs } = operation;
  if (atMs < earliestMs || atMs > latestMs)
    report.at(at.version, `${where} came at ${atMs}, when the clock showed ${earliestMs} to ${latestMs}`);
}

/** O5. */
function accepted({ record, request, answer }: Call<ProgressRequest>, facts: Facts, report: Report): void {
  if (answer.kind !== "ok" || record.answeredAtMs === null) return;
  report.examine();
  const { workflow_id: id, turn, token, key, sequence, details, checkpoint } = request;
  const stored = within(facts.turn(id, turn), record.sentAtMs, record.answeredAtMs).some(
    ({ turn: { operation } }) =>
      operation?.token === token &&
      operation.key === key &&
      operation.sequence === sequence &&
      same(operation.details, details) &&
      same(operation.checkpoint, checkpoint),
  );
  if (!stored)
    report.add(
      `${id}: report ${sequence} of ${key} of turn ${turn} was accepted (call ${record.id}) and is stored at no moment of the call`,
      facts.decoder.identityKey(id),
      record.answeredAtMs,
    );
}
