/**
 * Claims: when many requests and answers are lost, each call is repeated if that is safe and not if it is not, and
 * everything is still done once.
 *
 * The store loses an answer or asks to slow down now and then, so that servers have open outcomes and waits to tell of.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const httpLostAnswers = buildScenario({
  name: "http-lost-answers",
  claim:
    "when many requests and answers are lost, each call is repeated if that is safe and not if it is not, and all is done once",
  faults: {
    rates: {
      "H01-lost-call": 120,
      "H02-lost-reply": 120,
      "D01-duplicate-request": 30,
      "F01-lost-answer": 30,
      "F06-throttle": 30,
    },
    lateByMs: 0,
    skewMs: 0,
    downMs: 4_000,
  },
  nodes: [1, 2],
  workers: [1, 2],
  reader: false,
  hazards: { death: 0, stall: 0 },
  aim: null,
  downMs: 5_000,
  http: { concurrency: [1, 2], stops: false, drainMs: 3_000, changes: false },
  shape: {
    ...PLAIN_SHAPE,
    leasesMs: [10_000, 30_000, 4_000],
    stepThirds: [0, 0, 1],
    waits: {
      ...NO_WAITS,
      acts: ["step", "operate", "wait", "sleep"],
      signals: 1,
      actions: ["wake", "pause", "cancel_turn"],
      controls: 1,
      turnedAway: 1,
    },
  },
});
