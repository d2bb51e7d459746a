/**
 * Claims: what a turn sends back comes again as one message, after 1, 4 and 16 minutes and never a fourth time, however
 * often the call is repeated, and by whichever attempt.
 */
import { buildFamily } from "../build-family.ts";
import { FAMILY_FAULTS } from "../workloads/family-faults.ts";

export const requeueRepeats = buildFamily({
  name: "requeue-repeats",
  claim:
    "what a turn sends back comes again as one message at its time, however often and by whichever attempt it is asked for",
  faults: FAMILY_FAULTS,
  nodes: [2, 3],
  workers: [1, 2],
  newer: [0, 0],
  hazards: { death: 40, stall: 30 },
  cancels: false,
  downMs: 5_000,
  shape: { parents: 2, messages: 2, children: 0, oddChildren: false, again: 4, steps: 1 },
  holds: ["I06-requeued-once"],
});
