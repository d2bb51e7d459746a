/**
 * The way between a process and the store without faults: a request, the store's decision, an answer; or silence.
 *
 * Requests travel outside every process, so they arrive although their sender crashed or is paused; answers and what
 * the client's own layers do come back through `deliver`, so they reach only a sender that still runs. Knows nothing
 * of keys and bodies: a request is a function that lets the store decide.
 *
 *   W4  An answer takes at least one millisecond, so a loop of requests always moves virtual time.
 *   W6  Whatever a sender hears reaches it here, so that extra microtasks (S01) may come between everywhere.
 */
import type {
  DeleteOutcome,
  GetOutcome,
  ListOutcome,
  PutOutcome,
  Throttled,
  UnknownOutcome,
} from "../../src/ports/object-store.ts";
import type { FaultKind, StoreOperation } from "../history/history.ts";
import type { ProcessContext, Simulation } from "../kernel/simulation.ts";
import type { LatencyBounds } from "./latency.ts";
import type { StoreFaults } from "./store-faults.ts";

export type AnyOutcome = GetOutcome | PutOutcome | DeleteOutcome | ListOutcome;

/** One object for every missing answer: nothing in it tells a lost request from a lost answer. */
export const NO_ANSWER: UnknownOutcome = Object.freeze({
  kind: "unknown-outcome",
  detail: "no answer from the store",
});

/** Lets the store decide on an operation, at that time. */
export type Serve<O> = (operation: StoreOperation, nowMs: number) => O;

/** A request under way. */
export interface Passage<O extends AnyOutcome> {
  readonly context: ProcessContext;
  readonly operation: StoreOperation;
  readonly serve: Serve<O>;
  /** What the loser of a tight race is told; null: this store or this request knows no such answer. */
  readonly conflict: O | UnknownOutcome | null;
  readonly requestMs: number;
  readonly answerMs: number;
  readonly resolve: (outcome: O | Throttled | UnknownOutcome) => void;
}

export class Transport {
  readonly simulation: Simulation;
  readonly faults: StoreFaults;
  readonly latency: LatencyBounds;
  /** Late writes that have not landed yet. */
  lateWrites = 0;

  constructor(simulation: Simulation, faults: StoreFaults, latency: LatencyBounds) {
    this.simulation = simulation;
    this.faults = faults;
    this.latency = latency;
  }

  draw(bound: number, label: string): number {
    return bound === 0 ? 0 : this.simulation.choices.choose(bound + 1, label);
  }

  /** There and back. */
  plain<O extends AnyOutcome>(passage: Passage<O>): void {
    this.arrive(passage, () => this.answer(passage, this.serve(passage)));
  }

  /** Lets the request reach the store after its way there; what is done then may depend on the order of requests. */
  arrive<O extends AnyOutcome>(passage: Passage<O>, decide: () => void): void {
    this.simulation.after(passage.requestMs, "store-request", decide, passage.operation);
  }

  serve<O extends AnyOutcome>(passage: Passage<O>): O {
    return passage.serve(passage.operation, this.simulation.now());
  }

  answer<O extends AnyOutcome>(passage: Passage<O>, outcome: O | Throttled | UnknownOutcome): void {
    this.simulation.deliver(passage.context, passage.answerMs, "store-answer", () =>
      this.#hear(passage, outcome),
    );
  }

  /** Tells the sender that there is no answer; `taken` runs when it learns so. Answers the delay (W1). */
  silence<O extends AnyOutcome>(passage: Passage<O>, taken: () => void): number {
    const waitMs = this.draw(this.latency.silenceMs, "store-silence-ms");
    const delayMs = passage.requestMs + passage.answerMs + waitMs;
    this.simulation.deliver(passage.context, delayMs, "store-silence", () => {
      taken();
      this.#hear(passage, NO_ANSWER);
    });
    return delayMs;
  }

  struck(operation: StoreOperation, kind: FaultKind): void {
    this.faults.struck(kind);
    operation.faults = [...operation.faults, kind];
  }

  /** W6. */
  #hear<O extends AnyOutcome>(passage: Passage<O>, outcome: O | Throttled | UnknownOutcome): void {
    passage.operation.answeredAtMs = this.simulation.now();
    passage.operation.outcome = outcome;
    const hops = this.faults.hops();
    if (hops === 0) passage.resolve(outcome);
    else void goOnAfter(hops, () => passage.resolve(outcome));
  }
}

async function goOnAfter(hops: number, goOn: () => void): Promise<void> {
  for (let hop = 0; hop < hops; hop++) await null;
  goOn();
}
