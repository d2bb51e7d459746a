/**
 * Wait for a signal: takes the oldest one that matches, or suspends the turn until one comes or the time is out.
 *
 *   P28  a signal is taken by at most one step, and in the write that saves what the step received.
 *   P29  the deadline is fixed when the wait begins and never moves. A signal received strictly before it ends the
 *        wait (`signal.ts`); the next claim after it ends the wait with nothing (P27). Both decide on one document, so
 *        exactly one of them does, whatever the clocks say.
 *   P30  an exact repeat is accepted by the attempt that waited, also after the wait has released it; it is then told
 *        once more that the turn waits (P15), although the wait may be over and another attempt go on.
 *
 * Source: seed 000 "LLM runs, signals and progress"; contract sections 3, 3.2; catalogue I12, B63, B64.
 */
import type { Instance } from "../vocabulary/instance.ts";
import type { WaitSignalRequest } from "../vocabulary/requests.ts";
import type { Signal, Step, Turn } from "../vocabulary/turn.ts";
import { released, saving, suspending } from "./checkpoint.ts";
import { answer, type Decision, type Moment, refuse } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { turnNumbered } from "./inbox.ts";
import { isOwnAttempt, placeFailure } from "./steps.ts";
import { writeFitting } from "./turn-write.ts";

/** `childId`: the instance whose reply is waited for (`start-child.ts`). */
export function waitSignal(
  instance: Instance,
  request: WaitSignalRequest,
  moment: Moment,
  childId: string | null = null,
): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  const saved = turn.steps[request.position];
  if (saved !== undefined && isOwnAttempt(turn, request) && isRepeat(saved, request, childId))
    return answer(released(turn, request, saved));
  const refused = fenceFailure(turn, request, moment) ?? placeFailure(turn, request);
  if (refused !== null) return refuse(refused);
  const wait: Step = {
    key: request.key,
    kind: "signal",
    output: null,
    at_ms: moment.now_ms,
    delay_ms: request.timeout_ms,
    wake_at_ms: moment.now_ms + request.timeout_ms,
    signal_name: request.name,
    child_id: childId,
  };
  const match = turn.signals.findIndex((one) => one.consumed_by === null && one.name === request.name);
  const next = match < 0 ? suspending(turn, wait) : received(saving(turn, wait), match);
  return writeFitting(instance, next, moment);
}

/** The turn whose last step, a wait, takes the signal at the index (P28). */
export function received(turn: Turn, at: number): Turn {
  const wait = turn.steps.at(-1);
  const signal: Signal | undefined = turn.signals[at];
  if (wait === undefined || signal === undefined) return turn;
  return {
    ...turn,
    steps: turn.steps.with(-1, { ...wait, output: { received: true, value: signal.value } }),
    signals: turn.signals.with(at, { ...signal, consumed_by: wait.key }),
  };
}

function isRepeat(saved: Step, request: WaitSignalRequest, childId: string | null): boolean {
  return (
    saved.key === request.key &&
    saved.kind === "signal" &&
    saved.signal_name === request.name &&
    saved.child_id === childId &&
    saved.delay_ms === request.timeout_ms
  );
}
