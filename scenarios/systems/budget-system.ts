/**
 * A crowd that wants more than its graph may hold: several creators at several nodes, each with instances of its own.
 *
 *   U1  a creator makes an instance, sends it messages and later deletes it, or leaves it; what is refused for want of room
 *       it lets go, and tries the next one after a while.
 *   U2  nobody works on the messages: a graph that is full stays full until somebody deletes.
 *   U3  done means: every creator has tried all that it wanted.
 */
import type { Process, Simulation, Stage } from "../../sim/index.ts";
import type { EngineConfig } from "../../src/index.ts";
import { Decoder, type Space } from "../checkers/records.ts";
import { type CastPlan, NodeCast, type Range } from "./cast.ts";
import { NodeClient } from "./node-client.ts";

export interface BudgetSystemPlan extends CastPlan {
  readonly creators: Range;
  /** Instances that each creator wants, at most. */
  readonly wants: number;
  /** The largest state and message, characters. */
  readonly largest: number;
}

const FOREVER = Number.POSITIVE_INFINITY;
const CROWDED = { workflow_type: "crowded", version: "v1" };
/** Between two wishes of a creator, at most. */
const REST_MS = 12_000;
/** Messages to one instance, each some time after the one before. */
const MOST_SENDS = 7;

export class BudgetSystem {
  readonly decoder: Decoder;
  readonly #simulation: Simulation;
  readonly #plan: BudgetSystemPlan;
  readonly #cast: NodeCast;
  #open = 0;

  constructor(plan: BudgetSystemPlan, stage: Stage, config: EngineConfig, space: Space) {
    this.#simulation = stage.simulation;
    this.#plan = plan;
    this.decoder = new Decoder(space);
    this.#cast = new NodeCast(plan, stage, config);
    const creators = this.#cast.draw(plan.creators, "creators");
    for (let home = 0; home < creators; home++) this.#cast.add(this.#creator(home));
    this.#cast.start();
  }

  /** U1. */
  #creator(home: number): Process<unknown> {
    this.#open++;
    const wants = 1 + this.#simulation.choices.choose(this.#plan.wants, "creator-wants");
    return this.#simulation.process<null>(`creator-${home + 1}`, async (context) => {
      const { clock, random } = context;
      const client = new NodeClient(this.#simulation, context, this.#cast.nodes, home);
      const text = () => "x".repeat(random.below(this.#plan.largest, "creator-size"));
      for (let n = 1; n <= wants; n++) {
        await clock.sleep(random.below(REST_MS, "creator-rest"));
        const id = `crowd-${home + 1}-${n}`;
        const made = await client.repeat(FOREVER, () => client.create({ id, ...CROWDED, state: text() }));
        if (!made.ok) continue;
        for (let sends = random.below(MOST_SENDS, "creator-sends"); sends > 0; sends--) {
          const message = { workflow_id: id, id: `message-${sends}`, message: text() };
          await client.repeat(FOREVER, () => client.send(message));
          await clock.sleep(random.below(REST_MS, "creator-keeps"));
        }
        if (random.below(3, "creator-leaves") === 0) continue;
        await client.repeat(FOREVER, () => client.delete({ workflow_id: id }));
      }
      this.#open--;
    });
  }

  finished(): boolean {
    return this.#open === 0;
  }

  waiting(): string {
    return `${this.#open} creators still want something`;
  }

  heal(): void {
    this.#cast.heal();
  }
}
