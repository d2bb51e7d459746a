/**
 * A reader process: looks at instances, turns and history through the nodes while everything else goes on.
 *
 * It never repeats a read: an answer that is lost is lost. What it sees is held against the rest by the checkers.
 */

import type { Process, Simulation } from "../../sim/index.ts";
import { present } from "../../src/std/assert.ts";
import { callerOf, type Nodes } from "./caller.ts";
import type { Outside } from "./outside.ts";

export interface ReaderSetup {
  readonly simulation: Simulation;
  readonly nodes: Nodes;
  readonly outside: Outside;
  /** The instances it looks at, at least one. */
  readonly ids: readonly string[];
  /** Whether it looks into inboxes, too. */
  readonly inboxes: boolean;
}

/** Time between two reads, at least, milliseconds. */
const PAUSE_MS = 400;
const READS = ["instance", "turn", "history"] as const;
const INBOXES = [...READS, "inbox", "type-inbox"] as const;
/** It asks for turns up to this number, whether they are there or not. */
const LAST_TURN = 4;

export function reader(name: string, setup: ReaderSetup): Process<null> {
  const { simulation, nodes, outside, ids, inboxes } = setup;
  const reads = inboxes ? INBOXES : READS;
  return simulation.process<null>(name, async (context) => {
    const { random, clock } = context;
    const client = callerOf(simulation, context, nodes, 0);
    while (!outside.closed) {
      await clock.sleep(PAUSE_MS * (1 + random.below(5, "reader-pause")));
      const id = present(ids[random.below(ids.length, "reader-instance")], "an instance to read");
      const read = reads[random.below(reads.length, "reader-read")];
      if (read === "turn") await client.turn(id, 1 + random.below(LAST_TURN, "reader-turn"));
      else if (read === "inbox") await client.inbox({ workflow_id: id, payloads: true });
      else if (read === "type-inbox") await client.typeInbox({ workflow_type: "order" });
      else if (read === "history") await client.history({ workflow_id: id });
      else await client.instance(id);
      client.move();
    }
  });
}
