/**
 * Claims: a turn that is cancelled while its worker completes it ends in one way only, and everybody is told of that
 * one.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const cancelVersusComplete = buildScenario({
  name: "cancel-versus-complete",
  claim:
    "a turn that is cancelled while its worker completes it ends in one way only, and everybody is told of that one",
  faults: {
    rates: { "F01-lost-answer": 20, "H02-lost-reply": 20, "D01-duplicate-request": 20, "F03-late-write": 10 },
    lateByMs: 4_000,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: true,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    retryable: 1,
    waits: {
      ...NO_WAITS,
      acts: ["step", "sleep", "wait"],
      sleepsMs: [500],
      waitsMs: [1_000],
      signals: 1,
      actions: ["cancel_turn"],
      controls: 2,
      repeats: 2,
      repeatMs: 2_000,
      afterMs: 2_000,
    },
  },
});
