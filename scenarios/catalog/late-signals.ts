/**
 * Claims: a signal that comes before, while or after its turn runs, again, or after the turn moved to history, is
 * received once or refused, and never by another turn.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const lateSignals = buildScenario({
  name: "late-signals",
  claim:
    "a signal that comes before, while or after its turn runs, again, or after the turn moved to history, is received once or refused, and never by another turn",
  faults: {
    rates: { "D01-duplicate-request": 30, "H02-lost-reply": 30, "F01-lost-answer": 10 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: true,
  hazards: { death: 5, stall: 5 },
  aim: { at: "history-move", permille: 60 },
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    waits: {
      ...NO_WAITS,
      acts: ["step", "wait"],
      names: ["paid", "packed"],
      signals: 3,
      strays: true,
      repeats: 3,
      repeatMs: 8_000,
      afterMs: 6_000,
    },
  },
});
