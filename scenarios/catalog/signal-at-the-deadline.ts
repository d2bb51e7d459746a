/**
 * Claims: a signal that is received in the very millisecond of a wait's deadline stays for the next wait, and the wait ends
 * with nothing.
 *
 * The clock of the node may be so coarse that it shows that millisecond for a second; one node alone decides, so that it is
 * its own clock that fixed the deadline.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const signalAtTheDeadline = buildScenario({
  name: "signal-at-the-deadline",
  claim:
    "a signal that is received in the very millisecond of a wait's deadline stays for the next wait, which ends with nothing",
  faults: { rates: { "H02-lost-reply": 10 }, lateByMs: 0, skewMs: 0, tickMs: 1_000, downMs: 5_000 },
  nodes: [1, 1],
  workers: [1, 2],
  reader: false,
  hazards: { death: 0, stall: 0 },
  aim: null,
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    depth: 0,
    waits: {
      ...NO_WAITS,
      acts: ["wait", "step"],
      waitsMs: [2_000, 1_000],
      signals: 3,
      aimed: true,
      afterMs: 5_000,
    },
  },
});
