/**
 * Claims: a sleep or a wait that is sent again with the token that it took away is answered as the first time and
 * moves nothing.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const repeatedSuspension = buildScenario({
  name: "repeated-suspension",
  claim:
    "a sleep or a wait that is sent again with the token that it took away is answered as the first time and moves nothing",
  faults: {
    rates: {
      "F01-lost-answer": 40,
      "H02-lost-reply": 40,
      "D01-duplicate-request": 30,
      "F04-hidden-retry": 20,
    },
    lateByMs: 0,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    // Long steps: another attempt still runs when the repeat comes.
    stepThirds: [0, 2, 2],
    waits: {
      ...NO_WAITS,
      acts: ["wait", "sleep", "step"],
      sleepsMs: [0, 1_000],
      waitsMs: [1_000, 2_000],
      signals: 2,
    },
  },
});
