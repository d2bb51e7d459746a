/**
 * Claims: a turn that one person skips while another retries it is done or left out once, and what comes behind it is
 * untouched.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const skipWhileRetrying = buildScenario({
  name: "skip-while-retrying",
  claim:
    "a turn that one person skips while another retries it is done or left out once, and what comes behind it is untouched",
  faults: {
    rates: { "D03-poison": 500, "H02-lost-reply": 20, "D01-duplicate-request": 20 },
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
    attempts: [2, 3],
    retryable: 2,
    fatal: true,
    waits: {
      ...NO_WAITS,
      actions: ["retry", "skip"],
      controls: 3,
      repeats: 2,
      repeatMs: 5_000,
      afterMs: 8_000,
    },
  },
});
