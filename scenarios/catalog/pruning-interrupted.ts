/**
 * Claims: a node that dies anywhere in pruning loses no kept turn, and what it has left behind goes with the next move.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildLifetime } from "../build-lifetime.ts";

export const pruningInterrupted = buildLifetime({
  name: "pruning-interrupted",
  claim: "a node that dies anywhere in pruning loses no kept turn and leaves nothing behind for good",
  faults: {
    ...NO_FAULTS,
    rates: { "N01-crash": 8, "F01-lost-answer": 10, "F02-lost-request": 10 },
    downMs: 3_000,
  },
  nodes: [2, 3],
  workers: [2, 2],
  hazards: { death: 5, stall: 5 },
  aim: { at: "history-move", permille: 150 },
  downMs: 4_000,
  config: { history_keep_turns: 1, history_keep_ms: 1_000 },
  shape: {
    instances: 2,
    lives: 1,
    messages: 8,
    steps: 1,
    repeats: 2,
    repeatMs: 4_000,
    waitMs: 1_000,
    stepMs: 0,
    blobs: false,
  },
});
