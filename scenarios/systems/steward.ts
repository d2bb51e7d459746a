/**
 * A steward: makes a graph, deletes it while others work in it, and makes it again, as often as planned.
 *
 *   W1  each call is repeated until it is answered. One that was sent twice, or late, may delete the graph once more than
 *       planned: so until all work is done the steward looks, and makes the graph again when it is gone.
 *   W3  somebody else wants the graph while its deletion is under way, and asks for it through another node.
 *   W2  it never dies: what it still has to ask is the environment's.
 */
import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { Engine } from "../../src/index.ts";
import { NodeClient } from "./node-client.ts";

export interface StewardSetup {
  readonly simulation: Simulation;
  readonly nodes: readonly Process<Engine>[];
  /** How often the graph is made again. */
  readonly times: number;
  readonly done: () => void;
  readonly closed: () => boolean;
}

const FOREVER = Number.POSITIVE_INFINITY;
/** A graph goes on for one to this many tenths of a second. */
const TENTHS = 120;
const CARE_MS = 3_000;
const RUSH_MS = 600;

export function steward(name: string, setup: StewardSetup): Process<unknown> {
  const { simulation, nodes, times } = setup;
  return simulation.process<null>(name, async (context: ProcessContext) => {
    const { clock, random } = context;
    const client = new NodeClient(simulation, context, nodes, 0);
    await client.repeat(FOREVER, () => client.createGraph());
    for (let n = 0; n < times; n++) {
      await clock.sleep(100 * (1 + random.below(TENTHS, "steward-wait")));
      client.move();
      const ended = client.repeat(FOREVER, () => client.deleteGraph());
      // W3.
      await Promise.all([ended, makes(1 + random.below(RUSH_MS, "steward-rush"), context, setup)]);
      client.move();
      await client.repeat(FOREVER, () => client.createGraph());
    }
    setup.done();
    while (!setup.closed()) {
      await clock.sleep(CARE_MS);
      await client.repeat(FOREVER, () => client.createGraph());
      client.move();
    }
  });
}

/** W3. */
async function makes(afterMs: number, context: ProcessContext, setup: StewardSetup): Promise<void> {
  const other = new NodeClient(setup.simulation, context, setup.nodes, 1);
  await context.clock.sleep(afterMs);
  await other.repeat(FOREVER, () => other.createGraph());
}
