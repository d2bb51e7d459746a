/**
 * Claims: a real worker that dies or freezes at any point costs attempts, never a step, and once its lease is over it
 * leaves the turn alone.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const httpWorkerCrash = buildScenario({
  name: "http-worker-crash",
  claim:
    "a real worker that dies or freezes at any point costs attempts, never a step, and leaves a turn alone once its lease is over",
  faults: {
    rates: { "H01-lost-call": 10, "H02-lost-reply": 10, "D02-reorder": 10 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 4_000,
  },
  nodes: [2, 2],
  workers: [2, 3],
  reader: false,
  hazards: { death: 60, stall: 80 },
  aim: null,
  downMs: 5_000,
  http: { concurrency: [1, 2], stops: false, drainMs: 3_000, changes: false },
  shape: {
    ...PLAIN_SHAPE,
    stepThirds: [0, 2, 4],
    waits: { ...NO_WAITS, acts: ["step", "operate"] },
  },
});
