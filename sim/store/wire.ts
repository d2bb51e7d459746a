/**
 * The entrance to the simulated store: draws how long a request takes and which fault strikes it, and sends it.
 *
 * How requests travel is `transport.ts`, what faults do to them `strikes.ts`.
 */
import type { Throttled, UnknownOutcome } from "../../src/ports/object-store.ts";
import type { StoreOperation } from "../history/history.ts";
import type { ProcessContext, Simulation } from "../kernel/simulation.ts";
import { type LatencyBounds, modelledMs } from "./latency.ts";
import type { StoreFaults } from "./store-faults.ts";
import { strike } from "./strikes.ts";
import { type AnyOutcome, type Passage, type Serve, Transport } from "./transport.ts";

export class Wire {
  readonly #way: Transport;

  constructor(simulation: Simulation, faults: StoreFaults, latency: LatencyBounds) {
    this.#way = new Transport(simulation, faults, latency);
  }

  /** Late writes that have not landed yet. */
  get lateWrites(): number {
    return this.#way.lateWrites;
  }

  /**
   * Sends a request; the promise is never settled for a sender that crashed. `serve` is called once for each
   * send that arrives. `conflict` is what the loser of a tight race hears, or null where there is no such answer.
   */
  send<O extends AnyOutcome>(
    context: ProcessContext,
    operation: StoreOperation,
    serve: Serve<O>,
    conflict: O | UnknownOutcome | null,
  ): Promise<O | Throttled | UnknownOutcome> {
    const way = this.#way;
    const { model } = way.latency;
    const wholeMs = model === undefined ? 0 : modelledMs(model, operation, way.simulation);
    const requestMs =
      model === undefined ? way.draw(way.latency.requestMs, "store-request-ms") : wholeMs >> 1;
    const answerMs =
      model === undefined
        ? 1 + way.draw(way.latency.answerMs, "store-answer-ms")
        : Math.max(1, wholeMs - requestMs);
    const fault = way.faults.storeFault(operation, conflict !== null);
    return new Promise((resolve) => {
      const passage: Passage<O> = { context, operation, serve, conflict, requestMs, answerMs, resolve };
      if (fault === null) way.plain(passage);
      else strike(way, passage, fault);
    });
  }
}
