/**
 * Claims: while writes to history get no answers or land late, so that moves take long, overlap and are given up, every turn stays
 * in at least one place and every repeat of its message and of its completion is recognised.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const historyBehind = buildScenario({
  name: "history-behind",
  claim: "while moves to history take long and are given up, no turn is lost and every repeat is recognised",
  faults: {
    ...NO_FAULTS,
    rates: { "H02-lost-reply": 60 },
    rules: [
      { kind: "F02-lost-request", permille: 300, key: "/segments/" },
      { kind: "F03-late-write", permille: 400, key: "/segments/" },
    ],
    lateByMs: 4_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: true,
  hazards: { death: 5, stall: 5 },
  aim: { at: "history-silence", permille: 200 },
  downMs: 5_000,
  // Each turn moves at once, and fills half a block.
  config: { history_segment_turns: 2, history_tail_chars: 100 },
  shape: { ...PLAIN_SHAPE, instances: 1, messages: 5, steps: 1, stepThirds: [0], duplicates: 8, spreadMs: 0 },
});
