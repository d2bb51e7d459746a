/**
 * A worker process: claims turns through the nodes and makes attempts at them, until there is no more work to come.
 *
 * After a claim that found nothing it asks the next node, so that every node's clock and copy of the index gets
 * its say: work that only one node thinks ready is found within one round.
 */

import type { Process, Simulation } from "../../sim/index.ts";
import type { Engine } from "../../src/index.ts";
import { type Attempted, attemptTurn } from "./attempt.ts";
import type { Hazards } from "./hazards.ts";
import { NodeClient } from "./node-client.ts";
import type { Outside } from "./outside.ts";

/** How long a claim waits at a node for work. */
const CLAIM_WAIT_MS = 2_000;
/** After an attempt that it lost a worker rests this long, twice as long or not at all. */
const REST_MS = 700;

export interface WorkerSetup {
  readonly simulation: Simulation;
  readonly nodes: readonly Process<Engine>[];
  readonly outside: Outside;
  readonly hazards: Hazards;
  /** The node it begins at, counted around. */
  readonly home: number;
  /** The version of its code; absent: `v1`. */
  readonly version?: string;
}

export function worker(name: string, setup: WorkerSetup): Process<null> {
  const { simulation, nodes, outside, hazards, home, version = "v1" } = setup;
  const workflows = [{ workflow_type: "order", version }];
  const self: Process<null> = simulation.process<null>(name, async (context) => {
    const client = new NodeClient(simulation, context, nodes, home);
    let troubles = 0;
    while (!outside.closed) {
      const request = { worker: name, workflows, wait_ms: CLAIM_WAIT_MS };
      const askedAtMs = context.clock.monotonicMs();
      const claimed = await client.claim(request);
      if (!claimed.ok) {
        troubles++;
        await client.backOff(troubles);
        continue;
      }
      troubles = 0;
      if (claimed.value === null) {
        client.move();
        continue;
      }
      const shop = { simulation, context, client, outside, hazards, self, serves: workflows };
      let turn: Attempted["next"] = { task: claimed.value, askedAtMs };
      while (turn !== null) {
        const attempted: Attempted = await attemptTurn(turn.task, shop, turn.askedAtMs);
        if (!attempted.ended) await context.clock.sleep(REST_MS * context.random.below(3, "worker-rest"));
        turn = attempted.next;
      }
    }
  });
  return self;
}
