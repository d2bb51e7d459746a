/**
 * Claims: a message that is sent again, also long after its turn moved to history and also by the network, is one
 * turn, and another payload under its id is refused.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const duplicateSends = buildScenario({
  name: "duplicate-sends",
  claim: "a message that is sent again, also after its turn moved to history, is one turn",
  faults: {
    rates: { "D01-duplicate-request": 60, "H02-lost-reply": 30, "F01-lost-answer": 10 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 0,
  },
  nodes: [2, 3],
  workers: [2, 2],
  reader: true,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, messages: 4, steps: 2, duplicates: 3 },
});
