/**
 * Claims: a signal and the deadline of the wait that it matches, on two nodes whose clocks disagree: exactly one ends
 * the wait.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const signalVersusDeadline = buildScenario({
  name: "signal-versus-deadline",
  claim:
    "a signal and the deadline of the wait that it matches, on two nodes whose clocks disagree: exactly one ends the wait",
  faults: {
    rates: { "F01-lost-answer": 10, "H02-lost-reply": 10 },
    lateByMs: 0,
    skewMs: 3_000,
    downMs: 5_000,
  },
  nodes: [2, 2],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    depth: 0,
    waits: {
      ...NO_WAITS,
      acts: ["wait", "step"],
      waitsMs: [2_000, 1_000, 4_000],
      signals: 2,
      aimed: true,
      afterMs: 5_000,
    },
  },
});
