/**
 * Claims: what falls due while an inbox is paused comes in the order in which it is due, each once, when the inbox goes on.
 *
 * The second delay is four minutes and the first is one, so what was sent back later may be due earlier; a pause of five
 * minutes has both of them wait for the same claim.
 */
import { buildFamily } from "../build-family.ts";
import { FAMILY_FAULTS } from "../workloads/family-faults.ts";

export const requeueWhilePaused = buildFamily({
  name: "requeue-while-paused",
  claim:
    "what falls due while an inbox is paused comes in the order in which it is due, each once, when the inbox goes on",
  faults: FAMILY_FAULTS,
  nodes: [2, 3],
  workers: [1, 2],
  newer: [0, 0],
  hazards: { death: 10, stall: 10 },
  cancels: false,
  pauses: 2,
  downMs: 5_000,
  shape: { parents: 2, messages: 4, children: 0, oddChildren: false, again: 4, steps: 0, lateSeconds: 120 },
  holds: ["I06-requeued-once"],
});
