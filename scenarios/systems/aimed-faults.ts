/**
 * Faults aimed at writes of a certain meaning: a layer between a node and the store that knows the engine's keys.
 *
 *   history-move   the node dies around a write to history, or around the write that drops the moved turn
 *   index-update   a write of the scheduling index never leaves the node, or the node dies before it
 *
 * A lost write looks to the node like any missing answer. Each strike is noted on the time line.
 */

import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type {
  DeleteCondition,
  DeleteOutcome,
  GetOutcome,
  ListOutcome,
  ListRequest,
  ObjectStore,
  PutCondition,
  PutOutcome,
} from "../../src/ports/index.ts";
import { type Hazards, never } from "./hazards.ts";

export interface AimedFaults {
  readonly at: "history-move" | "index-update";
  /** Chance out of 1,000 for each such write. */
  readonly permille: number;
}

type Strike = "crash-before" | "crash-after" | "lose";
const STRIKES: { readonly [at in AimedFaults["at"]]: readonly Strike[] } = {
  "history-move": ["crash-after", "crash-before"],
  "index-update": ["lose", "crash-before"],
};
/** How long a node waits for an answer to a write that was lost. */
const SILENCE_MS = 300;

export class AimedStore implements ObjectStore {
  readonly #inner: ObjectStore;
  readonly #aim: AimedFaults;
  readonly #hazards: Hazards;
  readonly #simulation: Simulation;
  readonly #context: ProcessContext;
  readonly #node: () => Process<unknown>;
  /** Instances of which this node has written history: their next identity write drops the turn. */
  readonly #moving = new Set<string>();

  constructor(
    inner: ObjectStore,
    aim: AimedFaults,
    hazards: Hazards,
    simulation: Simulation,
    context: ProcessContext,
    node: () => Process<unknown>,
  ) {
    this.#inner = inner;
    this.#aim = aim;
    this.#hazards = hazards;
    this.#simulation = simulation;
    this.#context = context;
    this.#node = node;
  }

  get(key: string): Promise<GetOutcome> {
    return this.#inner.get(key);
  }
  delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome> {
    return this.#inner.delete(key, condition);
  }
  list(request: ListRequest): Promise<ListOutcome> {
    return this.#inner.list(request);
  }

  put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    if (!this.#isTarget(key) || !this.#hazards.strikes(this.#aim.permille))
      return this.#inner.put(key, body, condition);
    const strikes = STRIKES[this.#aim.at];
    const strike = strikes[this.#simulation.choices.choose(strikes.length, "aimed-strike")] ?? "lose";
    this.#simulation.incident(strike, this.#context.name, key);
    if (strike === "lose") return this.#lost();
    if (strike === "crash-after") void this.#inner.put(key, body, condition);
    this.#hazards.kill(this.#node());
    return never();
  }

  #isTarget(key: string): boolean {
    if (this.#aim.at === "index-update") return key.endsWith("/state/index.json");
    const history = /\/history\/i-([^/]+)\//.exec(key)?.[1];
    if (history !== undefined) {
      this.#moving.add(history);
      return true;
    }
    const id = /\/state\/instances\/(.+)\.json$/.exec(key)?.[1];
    return id !== undefined && this.#moving.delete(id);
  }

  async #lost(): Promise<PutOutcome> {
    await this.#context.clock.sleep(SILENCE_MS);
    return { kind: "unknown-outcome", detail: "no answer from the store" };
  }
}
