/**
 * Claims: a worker that is told to stop while turn follows turn, each with the completion of the one before, gives back what
 * it has just been given, saves the step that it holds, and knows how old its lease is.
 *
 * Much work is there at once, and answers are slow or lost, so that most stops meet a completion or a held step, and many
 * a lease is old when it is told.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const httpStopBetweenTurns = buildScenario({
  name: "http-stop-between-turns",
  claim:
    "a worker that is told to stop while each completion brings the next turn gives back what it holds and loses no step",
  faults: { ...NO_FAULTS, rates: { "H02-lost-reply": 200, "H01-lost-call": 20 } },
  nodes: [1, 2],
  workers: [2, 2],
  reader: false,
  hazards: { death: 0, stall: 0 },
  aim: null,
  downMs: 0,
  http: {
    concurrency: [1, 2],
    stops: true,
    savesAll: true,
    stopsWithinSeconds: 2,
    drainMs: 1_000,
    changes: false,
  },
  shape: {
    ...PLAIN_SHAPE,
    messages: 6,
    steps: 4,
    depth: 0,
    retryable: 0,
    leasesMs: [2_000, 3_000],
    stepThirds: [0],
    spreadMs: 0,
    crowded: true,
  },
});
