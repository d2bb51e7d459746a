/**
 * Complete a turn: state, result, inbox advance and continuation in one document, so in one write.
 *
 *   P16  the saved state changes only here and by a migration (P65), and only by the holder of the head.
 *   P17  a continuation is appended behind everything queued, in the same write. Its origin names the turn that
 *        continued; signals that nobody took stay with that turn. Who waits for the turn's end waits for the
 *        continuation's from then on (P74).
 *   P18  an exact repeat by the attempt that completed the turn answers the same turn; other content conflicts. Steps
 *        that it saves (`fold.ts`) are content; who takes the next turn (`complete-and-claim.ts`) is not.
 *
 * Source: seed 000 "Message workflows"; catalogue B65, B67, I09.
 */
import { canonicalJson } from "../std/canonical-json.ts";
import { sha256 } from "../std/hash.ts";
import type { Json } from "../std/json.ts";
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { CONTINUATION_PREFIX } from "../vocabulary/limits.ts";
import type { CompleteRequest } from "../vocabulary/requests.ts";
import type { Origin, Turn } from "../vocabulary/turn.ts";
import { endedAttempt } from "./attempt.ts";
import { answer, type Decision, type Moment, refuse, write } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { folded } from "./fold.ts";
import { turnNumbered } from "./inbox.ts";
import { queuedTurn } from "./send.ts";
import { migrationPending } from "./steps.ts";
import { writeFitting } from "./turn-write.ts";

export function complete(
  instance: Instance,
  request: CompleteRequest,
  moment: Moment,
): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  if (turn.status === "completed") return repeatedComplete(turn, request);
  const fenced = fenceFailure(turn, request, moment);
  if (fenced !== null) return refuse(fenced);
  const pending = migrationPending(turn, request);
  if (pending !== null) return refuse(pending);
  const steps = folded(turn, request, moment);
  if (!steps.ok) return refuse(steps.error);
  const continuation = request.continuation ?? null;
  const completed: Turn = {
    ...steps.value,
    status: "completed",
    holder: null,
    last_attempt: endedAttempt(turn, "completed"),
    result: request.result ?? null,
    state_after: request.state,
    operation: null,
    completion_digest: completionDigest(request),
    error: null,
    finished_at_ms: moment.now_ms,
    continued_to: continuation === null ? null : instance.next_turn,
  };
  const decision = writeFitting(instance, completed, moment);
  if (decision.kind !== "write") return decision;
  const next: Instance = { ...decision.next, state: request.state };
  if (continuation === null) return write(next, decision.reply);
  const successor = continuing(instance, turn, continuation.message, moment);
  const { next_turn, turns } = next;
  return write({ ...next, next_turn: next_turn + 1, turns: [...turns, successor] }, decision.reply);
}

/** P17. */
function continuing(instance: Instance, turn: Turn, message: Json, moment: Moment): Turn {
  const id = `${CONTINUATION_PREFIX}${turn.number}`;
  const origin: Origin = { kind: "continuation", turn: turn.number, message_id: turn.message_id };
  return queuedTurn(instance, { id, message, origin, reply_to: turn.reply_to }, moment);
}

/** What a completion of a finished turn gets; also of one that has moved to history. */
export function repeatedComplete(turn: Turn, request: CompleteRequest): Decision<never, Turn> {
  const where = `turn ${turn.number} of ${request.workflow_id}`;
  if (turn.status !== "completed") {
    const code = turn.status === "cancelled" ? "turn_cancelled" : "turn_finished";
    return refuse(failure("fenced", code, `${where} was ${turn.status}; claim again`));
  }
  if (turn.last_attempt?.token !== request.token)
    return refuse(
      failure("fenced", "turn_finished", `${where} was completed by another attempt; claim again`),
    );
  if (turn.completion_digest === completionDigest(request)) return answer(turn);
  const message = `${where} was completed with another state, result or continuation; a completion never changes`;
  return refuse(failure("conflict", "completion_conflict", message));
}

function completionDigest(request: CompleteRequest): string {
  const { state, result = null, continuation = null, steps = [] } = request;
  const folds = steps.map(({ position, key, output }) => ({ position, key, output }));
  return sha256(
    canonicalJson({
      state,
      result,
      continuation: continuation && { message: continuation.message },
      ...(folds.length === 0 ? {} : { steps: folds }),
    }),
  );
}
