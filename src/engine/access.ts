/**
 * Access: what a caller may do with the reserved workflow types and instance ids.
 *
 *   A1  only the operator's own worker creates an instance of a reserved type, or one with a reserved id of any type.
 *   A2  a claim that names a reserved type is refused whole to everybody else.
 *   A3  only the operator's own worker writes to a turn of a reserved instance.
 *   A4  a person may send, signal, control and delete a reserved instance; a key may not.
 *   A5  reads are open to all, and so is everything about other types. An instance is reserved by its type.
 *
 * A1 and A2 are decided on the request. A3 and A4 need the stored type: they are asked about the very version of the
 * identity that the command is decided on, before the command. What the engine does by itself (moves, repairs, the
 * reply to a parent) is asked nobody's leave.
 *
 * Source: seed 000 "LBB's own workflow types"; contract sections 2, 7.
 */
import type { Caller } from "../vocabulary/caller.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { WorkflowVersion } from "../vocabulary/requests.ts";
import type { ReservedNames } from "./config.ts";

/** Why the caller may not do it, or null when it may. */
export type Verdict = Failure | null;

export class Access {
  readonly #reserved: ReservedNames;
  readonly #caller: Caller;

  constructor(reserved: ReservedNames, caller: Caller) {
    this.#reserved = reserved;
    this.#caller = caller;
  }

  /** A1. */
  create(request: { readonly id: string; readonly workflow_type: string }): Verdict {
    if (this.#caller === "own") return null;
    if (this.#reserved.reserved_ids.includes(request.id)) {
      const message = `the id ${request.id} is reserved for the operator's own workers; choose another id`;
      return failure("forbidden", "reserved_workflow_id", message, "id");
    }
    return this.#isReserved(request.workflow_type) ? refused(request.workflow_type, "workflow_type") : null;
  }

  /** A2. */
  claim(workflows: readonly WorkflowVersion[]): Verdict {
    if (this.#caller === "own") return null;
    const reserved = workflows.find((one) => this.#isReserved(one.workflow_type));
    return reserved === undefined ? null : refused(reserved.workflow_type, "workflows");
  }

  /** A3. */
  write(instance: Instance): Verdict {
    if (this.#caller === "own" || !this.#isReserved(instance.workflow_type)) return null;
    return refused(instance.workflow_type, "workflow_id");
  }

  /** A4. */
  manage(instance: Instance): Verdict {
    return this.#caller === "person" ? null : this.write(instance);
  }

  /** An empty prefix reserves nothing. */
  #isReserved(type: string): boolean {
    const { reserved_prefix: prefix } = this.#reserved;
    return prefix !== "" && type.startsWith(prefix);
  }
}

function refused(type: string, param: string): Failure {
  const message = `the workflow type ${type} is reserved for the operator's own workers; use a type of your own`;
  return failure("forbidden", "reserved_workflow_type", message, param);
}
