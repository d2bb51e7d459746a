/**
 * Claims: servers, clients and workers do together, over HTTP that loses, doubles and delays, what the engine does alone.
 *
 * Each hop may lose the request or the answer, so every rule of repeats is met; what belongs to one rule alone is attacked
 * in a scenario of its own.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const httpHandoff = buildScenario({
  name: "http-handoff",
  claim:
    "servers, clients and workers do together, over HTTP that loses, doubles and delays, what the engine does alone",
  faults: {
    rates: {
      "H01-lost-call": 15,
      "H02-lost-reply": 15,
      "D01-duplicate-request": 10,
      "D02-reorder": 10,
      "F01-lost-answer": 5,
      "N01-crash": 2,
    },
    lateByMs: 0,
    skewMs: 0,
    downMs: 4_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: true,
  hazards: { death: 3, stall: 3 },
  aim: null,
  downMs: 5_000,
  http: { concurrency: [1, 2, 3], stops: false, drainMs: 5_000, changes: false },
  shape: {
    ...PLAIN_SHAPE,
    fatal: true,
    attempts: [20, 3],
    skips: true,
    waits: {
      ...NO_WAITS,
      acts: ["step", "operate", "wait", "sleep"],
      sleepsMs: [1_000, 3_000],
      signals: 1,
      turnedAway: 1,
      hangs: 1,
    },
  },
});
