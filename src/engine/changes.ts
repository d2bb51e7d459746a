/**
 * Changes: carries a command to an instance, tells the node's own claims of new work, and shows what became of it.
 */
import type { Settled } from "../documents/conditional-write.ts";
import type { Command, Instances } from "../documents/instances.ts";
import { isRescheduled } from "../protocol/schedule.ts";
import { turnView } from "../protocol/view.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { TurnView } from "../vocabulary/view.ts";
import type { Claims } from "./claims.ts";

export class Changes {
  readonly #instances: Instances;
  readonly #claims: Claims;

  constructor(instances: Instances, claims: Claims) {
    this.#instances = instances;
    this.#claims = claims;
  }

  async instance<Answer>(
    id: string,
    command: Command<Answer>,
  ): Promise<Result<Settled<Instance, Answer>, Failure>> {
    const settled = await this.#instances.change(id, command);
    if (!settled.ok) return settled;
    const { before, value } = settled.value;
    if (before !== null && isRescheduled(before, value)) this.#claims.forget();
    return settled;
  }

  /** Work that came into the store by another way is found by the node's next claim. */
  newWork(): void {
    this.#claims.forget();
  }

  /** The same for a command that answers a turn. */
  async turn(id: string, command: Command<Turn>): Promise<Result<TurnView, Failure>> {
    const settled = await this.instance(id, command);
    return settled.ok ? ok(turnView(id, settled.value.reply)) : settled;
  }
}
