/**
 * Changes: carries a command to an instance, tells the node's own claims of new work, and shows what became of it.
 *
 * Before the command the caller's right to it is looked at, on the very version that the command decides on (A3, A4).
 */
import type { Company } from "../documents/group-commit.ts";
import type { Carried } from "../documents/identities.ts";
import type { Command, Instances } from "../documents/instances.ts";
import { refuse } from "../protocol/decision.ts";
import { isRescheduled } from "../protocol/schedule.ts";
import { turnView } from "../protocol/view.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { WorkflowVersion } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { TurnView } from "../vocabulary/view.ts";
import type { Claims } from "./claims.ts";
import type { Handing } from "./handing.ts";

/** Why the caller may not change the instance, or null when it may. */
export type Guard = (instance: Instance) => Failure | null;

/** For what the node does by itself. */
export const UNGUARDED: Guard = () => null;

export class Changes {
  readonly #instances: Instances;
  readonly #claims: Claims;
  readonly #guard: Guard;

  constructor(instances: Instances, claims: Claims, guard: Guard) {
    this.#instances = instances;
    this.#claims = claims;
    this.#guard = guard;
  }

  async instance<Answer>(
    id: string,
    command: Command<Answer>,
    company: Company = "alone",
  ): Promise<Result<Carried<Answer>, Failure>> {
    const guarded: Command<Answer> = (instance, moment) => {
      const refused = this.#guard(instance);
      return refused === null ? command(instance, moment) : refuse(refused);
    };
    const settled = await this.#instances.change(id, guarded, company);
    if (!settled.ok) return settled;
    const { before, value } = settled.value;
    if (before !== null && isRescheduled(before, value)) this.#claims.rescheduled(value);
    return settled;
  }

  /** For a call that may give its turn to a claim that waits on this node. */
  handing(): Handing {
    return this.#claims.handing();
  }

  /** Work that came into the store by another way is found by the node's next claim. */
  newWork(work: WorkflowVersion): void {
    this.#claims.newWork(work);
  }

  /** The same for a command that answers a turn. */
  async turn(
    id: string,
    command: Command<Turn>,
    company: Company = "alone",
  ): Promise<Result<TurnView, Failure>> {
    const settled = await this.instance(id, command, company);
    return settled.ok ? ok(turnView(id, settled.value.reply)) : settled;
  }
}
