/**
 * The order of a turn's steps: what was saved by earlier attempts, what comes next, and that one comes after the other.
 *
 *   O1  a saved step must stand where it is asked for, under its key and of its kind; also with the same length of a
 *       sleep, the same signal and time limit of a wait. Anything else means that the code has changed under the turn.
 *   O2  one step at a time: the next one is asked for when the one before is done.
 *   O3  keys are names, unique in the turn; a turn has at most 64 steps.
 *   O4  a turn that ends before all its saved steps were asked for has changed, too.
 *
 * What breaks a rule is remembered: the turn fails for good, whatever its handler does about it. Source: seed 000
 * "Message workflows"; contract section 3.2.
 */
import { LIMITS } from "../vocabulary/limits.ts";
import { isName, NAME_RULE } from "../vocabulary/names.ts";
import type { Step } from "../vocabulary/turn.ts";
import { WorkflowUsageError } from "./workflow-errors.ts";

/** What a handler asks for at a place. */
export interface AskedStep {
  readonly key: string;
  readonly kind: Step["kind"];
  /** Of a sleep its length, of a wait its time limit. */
  readonly delayMs: number | null;
  readonly signalName: string | null;
  /** Whether a wait is for the end of a child. */
  readonly isChild: boolean;
}

export class StepOrder {
  readonly #saved: readonly Step[];
  readonly #keys = new Set<string>();
  #position = 0;
  #active: string | null = null;
  #fault: WorkflowUsageError | null = null;

  constructor(saved: readonly Step[]) {
    this.#saved = saved;
  }

  /** The first rule that was broken; null: none was. */
  get fault(): WorkflowUsageError | null {
    return this.#fault;
  }

  get position(): number {
    return this.#position;
  }

  /** The saved step of that place; null: it is to be done. Throws what breaks a rule. */
  begin(asked: AskedStep): Step | null {
    if (this.#fault !== null) throw this.#fault;
    this.#check(asked.key);
    const saved = this.#saved[this.#position] ?? null;
    if (saved !== null) this.#compare(saved, asked);
    this.#keys.add(asked.key);
    this.#active = asked.key;
    return saved;
  }

  /** The step is saved; the next one may come. */
  done(): void {
    this.#active = null;
    this.#position += 1;
  }

  /** The step failed and is not saved. */
  failed(): void {
    this.#active = null;
  }

  /** The handler has returned. Throws what it broke, also when it hid that (O2, O4). */
  end(): void {
    if (this.#fault !== null) throw this.#fault;
    if (this.#active !== null)
      this.break(`the handler returned while ${this.#active} was not done; await every step`);
    const left = this.#saved[this.#position];
    if (left !== undefined)
      this.break(
        `the handler returned without the saved step ${left.key}; the code of a turn must not change`,
      );
  }

  /** Remembers and throws it. */
  break(message: string): never {
    this.#fault ??= new WorkflowUsageError(message);
    throw this.#fault;
  }

  #check(key: string): void {
    if (!isName(key)) this.break(`the key of a step must be ${NAME_RULE}`);
    if (this.#active !== null)
      this.break(`${key} was asked for while ${this.#active} was not done; await steps one after the other`);
    if (this.#keys.has(key)) this.break(`the key ${key} stands twice in the turn; keys are unique in a turn`);
    if (this.#position >= LIMITS.stepsPerTurn)
      this.break(
        `a turn has at most ${LIMITS.stepsPerTurn} steps; return ctx.continue to go on in another one`,
      );
  }

  /** O1. */
  #compare(saved: Step, asked: AskedStep): void {
    const { position } = this;
    const was = `step ${position} was saved as ${described(saved)}`;
    if (saved.key !== asked.key || saved.kind !== asked.kind || isChild(saved) !== asked.isChild)
      this.break(`${was} and is now ${asked.kind} ${asked.key}; the code of a turn must not change`);
    if ((saved.delay_ms ?? null) !== asked.delayMs)
      this.break(`${was} with ${saved.delay_ms ?? null} ms and is now asked for with ${asked.delayMs} ms`);
    if ((saved.signal_name ?? null) !== asked.signalName)
      this.break(`${was} for the signal ${saved.signal_name} and now waits for ${asked.signalName}`);
  }
}

function described({ kind, key }: Step): string {
  return `${kind} ${key}`;
}

/** A server of the published contract leaves the field out. */
function isChild(saved: Step): boolean {
  return (saved.child_id ?? null) !== null;
}
