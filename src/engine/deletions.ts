/**
 * What a person asks to end a life: delete an instance.
 *
 * Whoever waits for the end of a child's work has to hear of it, also when the child is deleted. So work that somebody
 * waits for is cancelled first, in a write of its own; then its end is told, and then the child is deleted (P76). A
 * deletion that stops in between has cancelled the work, and its repeat goes on.
 */
import type { Instances } from "../documents/instances.ts";
import { control } from "../protocol/control.ts";
import { answer, type Decision, type Moment } from "../protocol/decision.ts";
import { owedTurns } from "../protocol/reply.ts";
import { err, ok } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { DeleteRequest } from "../vocabulary/requests.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";
import type { DeletionView } from "../vocabulary/view.ts";
import type { Access } from "./access.ts";
import type { Reply } from "./engine.ts";
import { checkName } from "./field-check.ts";
import type { Parts } from "./parts.ts";

const OWED = "work_waited_for";
/** A child that goes on meanwhile (it continues, say) is cancelled again, this often. */
const CANCELS = 3;

/** Work that is not finished and that somebody waits for. */
function openWork(instance: Instance): Turn | null {
  return owedTurns(instance).find((turn) => !isFinished(turn)) ?? null;
}

function waitedFor(instance: Instance): Failure | null {
  if (openWork(instance) === null) return null;
  return failure("unavailable", OWED, `somebody waits for ${instance.id}; repeat the request after a while`);
}

function cancelOwed(instance: Instance, moment: Moment): Decision<Instance, Instance> {
  const turn = openWork(instance);
  if (turn === null) return answer(instance);
  return control(instance, { workflow_id: instance.id, action: "cancel_turn", turn: turn.number }, moment);
}

export class Deletions {
  readonly #instances: Instances;
  readonly #access: Access;

  constructor({ instances }: Parts, access: Access) {
    this.#instances = instances;
    this.#access = access;
  }

  async delete(request: DeleteRequest): Reply<DeletionView> {
    const wrong = checkName(request.workflow_id, "workflow_id");
    if (wrong !== null) return err(wrong);
    const allow = (instance: Instance) => this.#access.manage(instance) ?? waitedFor(instance);
    let deleted = await this.#instances.delete(request.workflow_id, allow);
    for (let tried = 0; tried < CANCELS && !deleted.ok && deleted.error.code === OWED; tried++) {
      const cancelled = await this.#instances.change(request.workflow_id, (instance, moment) =>
        cancelOwed(instance, moment),
      );
      if (!cancelled.ok) return cancelled;
      deleted = await this.#instances.delete(request.workflow_id, allow);
    }
    if (!deleted.ok) return deleted;
    return ok({ deleted: deleted.value });
  }
}
