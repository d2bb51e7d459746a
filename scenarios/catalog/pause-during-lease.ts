/**
 * Claims: an instance that is paused while a worker holds its turn lets it finish, begins no other, and goes on when
 * it is resumed.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const pauseDuringLease = buildScenario({
  name: "pause-during-lease",
  claim:
    "an instance that is paused while a worker holds its turn lets it finish, begins no other, and goes on when it is resumed",
  faults: {
    rates: { "H02-lost-reply": 10, "F01-lost-answer": 10, "N01-crash": 4 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 20, stall: 20 },
  aim: { at: "index-update", permille: 300 },
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    leasesMs: [2_000, 5_000],
    stepThirds: [0, 2],
    waits: {
      ...NO_WAITS,
      acts: ["step", "sleep"],
      actions: ["pause", "resume"],
      controls: 2,
      repeats: 1,
      repeatMs: 3_000,
      afterMs: 3_000,
    },
  },
});
