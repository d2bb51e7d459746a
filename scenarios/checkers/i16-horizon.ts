/**
 * I16: a repeat is recognised for as long as it can come.
 *
 * The core keeps turns and message ids for good, so its horizon has no end: whatever was acknowledged, and whatever
 * is stored under the caller's own token, is answered the same again, before and after the move to history (B69,
 * B70). The engine may say that it cannot tell now; it may not say anything else.
 *
 * Retention ends the horizon of a turn: once it is pruned, no repeat is answered with it (B70). What it looks at is the
 * answer. That a repeat changes nothing is held by I06.
 *
 * A sleep's or a wait's repeat comes from an attempt that has let go. It has to be told so: an answer that shows the turn
 * as another attempt holds it by now would have two of them go on.
 */
import type { Checker } from "../../sim/index.ts";
import type {
  CheckpointRequest,
  CompleteRequest,
  SendRequest,
  Turn,
  WaitSignalRequest,
} from "../../src/index.ts";
import type { Call } from "./calls.ts";
import { type Facts, momentAt, within } from "./facts.ts";
import { prunedAt } from "./lifelines.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";
import { isObject } from "./shapes.ts";

const NAME = "I16-horizon";

export const horizon: Checker<Facts> = {
  name: NAME,
  statement:
    "an exact repeat of an acknowledged message, or of a completion that is stored, is answered with its first outcome, however late it comes; so is that of a sleep or wait until its attempt has ended otherwise, which is told that the turn waits; another payload under the message id is refused",
  blind: "repeats that overlap with the first call; steps and failures, whose repeats end with their attempt",
  check(_history, facts) {
    const report = new Report(NAME);
    const admitted = new Map<string, Call<SendRequest>>();
    for (const call of facts.calls.sends) {
      const name = `${call.request.workflow_id} ${call.request.id}`;
      const first = admitted.get(name);
      if (first !== undefined) repeated(call, first, facts, report);
      if (call.answer.kind === "ok" && (first === undefined || numberOf(call) !== numberOf(first)))
        admitted.set(name, call);
    }
    for (const { completes, checkpoints, waits } of facts.calls.attempts.values()) {
      for (const call of completes) completedAgain(call, facts, report);
      for (const call of checkpoints) if (call.request.kind === "sleep") suspendedAgain(call, facts, report);
      for (const call of waits) suspendedAgain(call, facts, report);
    }
    return report.finding();
  },
};

function repeated(call: Call<SendRequest>, first: Call<SendRequest>, facts: Facts, report: Report): void {
  const { record, request } = call;
  if (record.sentAtMs <= (first.record.answeredAtMs ?? Number.POSITIVE_INFINITY)) return;
  const said = answerTo(call);
  if (said === "nothing") return;
  report.examine();
  const kept = retention(request.workflow_id, Number(numberOf(first)), record, facts);
  if (kept === "pruned meanwhile" || (kept === "pruned" && numberOf(call) !== numberOf(first))) return;
  const alike = same(request.message, first.request.message);
  const right =
    kept === "pruned"
      ? false
      : alike
        ? said === "ok" && numberOf(call) === numberOf(first)
        : said === "conflict";
  if (right) return;
  const payload = alike ? "again" : "again with another payload";
  report.add(
    `${request.workflow_id}: message ${request.id}, acknowledged by call ${first.record.id}, was sent ${payload} (call ${record.id}) and answered ${said}`,
    facts.decoder.identityKey(request.workflow_id),
    record.answeredAtMs,
  );
}

/** A sleep or a wait that released its attempt, sent again with the token that it took away. */
function suspendedAgain(
  call: Call<CheckpointRequest> | Call<WaitSignalRequest>,
  facts: Facts,
  report: Report,
): void {
  const { record, request } = call;
  const said = answerTo(call);
  if (said === "nothing" || record.answeredAtMs === null) return;
  const { workflow_id: id, turn: number, token, position, key } = request;
  // As in `completedAgain`: before the call, and until its answer.
  const moments = within(facts.turn(id, number), record.sentAtMs - 1, record.answeredAtMs);
  if (moments.length === 0 || !moments.every(({ turn }) => isSuspendedBy(turn, token, position, key))) return;
  report.examine();
  const { answer } = call;
  const status = answer.kind === "ok" && isObject(answer.value) ? answer.value.status : "waiting";
  if (said !== "ok" || status !== "waiting")
    report.add(
      `${id}: turn ${number} was suspended at ${key} by just this attempt, and its repeat (call ${record.id}) was answered ${said}, ${String(status)}`,
      facts.decoder.identityKey(id),
      record.answeredAtMs,
    );
}

function isSuspendedBy(turn: Turn, token: string, position: number, key: string): boolean {
  const { last_attempt: last, steps, status } = turn;
  const there = last?.token === token && last.end === "suspended" && steps[position]?.key === key;
  return there && (status === "waiting" || status === "queued" || status === "running");
}

function completedAgain(call: Call<CompleteRequest>, facts: Facts, report: Report): void {
  const { record, request } = call;
  const said = answerTo(call);
  if (said === "nothing") return;
  const { workflow_id: id, turn: number, token, state, result = null } = request;
  // Strictly before: what was applied in the same millisecond may have come after the answer was made.
  const moment = momentAt(facts.turn(id, number), record.sentAtMs - 1);
  const turn = moment?.turn;
  if (turn?.status !== "completed" || turn.last_attempt?.token !== token) return;
  if (!same(turn.state_after, state) || !same(turn.result, result)) return;
  report.examine();
  const kept = retention(id, number, record, facts);
  if (kept === "pruned meanwhile" || (kept === "pruned" && said !== "ok")) return;
  if (said !== "ok" || kept === "pruned")
    report.add(
      `${id}: turn ${number} was completed by just this attempt and content, and its repeat (call ${record.id}) was answered ${said}`,
      facts.decoder.identityKey(id),
      record.answeredAtMs,
    );
}

/** Whether the turn was kept until the call was answered, had been pruned before it was sent, or neither. */
function retention(
  id: string,
  turn: number,
  { sentAtMs, answeredAtMs }: Call<unknown>["record"],
  facts: Facts,
): "kept" | "pruned" | "pruned meanwhile" {
  const atMs = prunedAt(facts.records.identities.get(id) ?? [], turn);
  if (atMs === null || (answeredAtMs !== null && atMs > answeredAtMs)) return "kept";
  return atMs < sentAtMs ? "pruned" : "pruned meanwhile";
}

/** `ok`, the kind of a refusal, or `nothing`: no answer, or one that says only that the node cannot tell. */
function answerTo({ record }: Call<unknown>): string {
  const { reply, outcome } = record;
  if (outcome !== "answered" || !isObject(reply)) return "nothing";
  if (reply.ok === true) return "ok";
  const kind = isObject(reply.error) ? String(reply.error.kind) : "nothing";
  return kind === "unavailable" || kind === "unknown-outcome" ? "nothing" : kind;
}

function numberOf({ answer }: Call<unknown>): unknown {
  return answer.kind === "ok" && isObject(answer.value) ? answer.value.number : null;
}
