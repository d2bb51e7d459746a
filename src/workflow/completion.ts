/**
 * The last call of a turn that its handler has finished: state, result and continuation, with what else goes in that write.
 *
 *   Q1  the same body each time: what goes along is decided once, before the first one is sent.
 *   Q2  a refusal as `invalid` may be one of what is not documented. Nothing was done then: the held step is saved, and
 *       the completion asked for as documented. Only when that is taken is the server called an older one.
 *   Q3  the lease of a turn that came along counts from before the first of all repeats: an earlier one may have been
 *       the one that claimed it.
 */
import type { Clock } from "../ports/clock.ts";
import type { CompleteRequest, FoldedStep, NextClaim } from "../vocabulary/requests.ts";
import type { CompletedView } from "../vocabulary/view.ts";
import type { Claimed } from "./claiming.ts";
import type { HeldStep } from "./held-step.ts";
import type { TakesMore } from "./savings.ts";
import { CallRefused, type TurnCalls } from "./turn-calls.ts";

/** Who completes, and what for. */
export interface Finisher {
  readonly clock: Clock;
  readonly calls: TurnCalls;
  readonly held: HeldStep;
  readonly takesMore: TakesMore;
  /** Asked once the completion is due: who takes the next turn; null: nobody now. */
  readonly next: () => NextClaim | null;
  /** Told while the completion itself is under way: the turn ends with it, whatever stops. */
  readonly ending: (isUnderWay: boolean) => void;
}

/** Completes the turn; answers the next one, if it was claimed with it. Throws what it is refused with. */
export async function completeTurn(finisher: Finisher, documented: CompleteRequest): Promise<Claimed | null> {
  const { held, takesMore, calls } = finisher;
  if (!takesMore.now) {
    await held.save();
    return sent(finisher, documented);
  }
  const more = moreOf(await held.forCompletion(), finisher.next());
  try {
    const next = await sent(finisher, { ...documented, ...more });
    held.saved();
    return next;
  } catch (error) {
    if (Object.keys(more).length === 0 || !isInvalid(error)) throw error;
    finisher.ending(false);
    calls.lease.resume();
    await held.save();
    const next = await sent(finisher, documented);
    takesMore.refused();
    return next;
  }
}

async function sent({ clock, calls, ending }: Finisher, request: CompleteRequest): Promise<Claimed | null> {
  ending(true);
  const claimedAtMs = clock.monotonicMs();
  const view: CompletedView = await calls.sendLast((turns, signal) => turns.complete(request, signal));
  const task = view.next ?? null;
  return task && { task, claimedAtMs };
}

function moreOf(
  steps: readonly FoldedStep[],
  next: NextClaim | null,
): Pick<CompleteRequest, "steps" | "next"> {
  return { ...(steps.length === 0 ? {} : { steps }), ...(next === null ? {} : { next }) };
}

function isInvalid(error: unknown): boolean {
  return error instanceof CallRefused && error.failure.kind === "invalid";
}
