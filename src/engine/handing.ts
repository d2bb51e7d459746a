/**
 * Hands the turn of an admitted message to a claim that waits on this node, in the write that admits it.
 *
 *   H1  one call reserves one waiter at most, at its first decision that has a turn to give. Meanwhile nobody else gives it
 *       anything and it looks for nothing.
 *   H2  it is given a task only when the very write that says so is settled. When nothing was claimed it goes on waiting
 *       in its old place.
 *   H3  when it is unknown whether the write happened the waiter hears just that (N4 of `claims.ts`): to be told later of no
 *       work would promise that nothing was taken. The lease, if there is one, ends by itself.
 *
 *   H4  the claim is decided at the time at which it is made. The admission may have looked up its message for long, and who
 *       waits may have asked meanwhile: its lease is a whole one from then on.
 *
 * Each decision has a token of its own: an earlier one may have been written after all.
 */
import type { Carried } from "../documents/identities.ts";
import type { Clock } from "../ports/clock.ts";
import { type Admitted, claimingAdmitted } from "../protocol/admit-and-claim.ts";
import type { ClaimCommand } from "../protocol/claim.ts";
import type { Decision, Moment } from "../protocol/decision.ts";
import { claimedTask } from "../protocol/view.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { Offer, Waits } from "./waits.ts";

type Settled = Result<Carried<Admitted>, Failure>;

const UNKNOWN = failure(
  "unknown-outcome",
  "outcome_unknown",
  "whether a turn was claimed for this worker is not known; claim again",
);

export class Handing {
  readonly #waits: Waits;
  readonly #clock: Clock;
  readonly #token: () => string;
  readonly #effectScope: string;
  #offer: Offer | null = null;
  /** Whether some decision of the call would claim for the waiter. */
  #promised = false;

  constructor(waits: Waits, clock: Clock, token: () => string, effectScope: string) {
    this.#waits = waits;
    this.#clock = clock;
    this.#token = token;
    this.#effectScope = effectScope;
  }

  decide(admitted: Decision<Instance, Turn>, moment: Moment): Decision<Instance, Admitted> {
    const waiting = () => (admitted.kind === "write" ? this.#claimFor(admitted.next) : null);
    const now = { ...moment, now_ms: this.#clock.wallMs() };
    const decision = claimingAdmitted(admitted, waiting, now);
    if (decision.kind === "write" && decision.reply.claimed !== null) this.#promised = true;
    return decision;
  }

  /** H1. */
  #claimFor(instance: Instance): ClaimCommand | null {
    this.#offer ??= this.#waits.offer(instance);
    if (this.#offer === null) return null;
    const { worker, workflows } = this.#offer.request;
    return { worker, workflows, token: this.#token() };
  }

  /** Carries the call, which asks `decide`; however it ends, the waiter is let go. */
  async carry(call: () => Promise<Settled>): Promise<Settled> {
    let settled: Settled | null = null;
    try {
      settled = await call();
      return settled;
    } finally {
      this.#settle(settled);
    }
  }

  /** H2, H3: the call is over; null: it has crashed. */
  #settle(settled: Settled | null): void {
    if (this.#offer === null) return;
    if (settled?.ok && settled.value.wrote && settled.value.reply.claimed !== null) {
      const { value, reply } = settled.value;
      this.#offer.end(ok(claimedTask(value, reply.claimed ?? reply.turn, this.#effectScope)));
      return;
    }
    const unsure =
      settled === null || (settled.ok ? !settled.value.wrote : settled.error.kind === "unknown-outcome");
    this.#offer.end(this.#promised && unsure ? err(UNKNOWN) : null);
  }
}
