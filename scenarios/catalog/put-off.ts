/**
 * Claims: a worker that asks for a later time spends no attempt and loses no step, however often it is turned away.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const putOff = buildScenario({
  name: "put-off",
  claim:
    "a worker that asks for a later time spends no attempt and loses no step, however often it is turned away",
  faults: {
    rates: { "F01-lost-answer": 20, "H02-lost-reply": 20, "N01-crash": 4 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 0, stall: 0 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, attempts: [2, 3], waits: { ...NO_WAITS, acts: ["step", "sleep"], turnedAway: 4 } },
});
