/**
 * Claims: when the store falls silent in the middle of a move to history, and the next move has more turns than the last one
 * wrote, each turn is in one segment of its block and each message id at its place.
 *
 * Turns move at once and blocks are larger than a turn, so that a move that was given up leaves a segment which is shorter
 * than what the next mover has; pages are short, so that some leave with most moves.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const historyRaced = buildScenario({
  name: "history-raced",
  claim: "a move that finds what an earlier one has begun loses no turn and no message id",
  faults: NO_FAULTS,
  nodes: [1, 2],
  workers: [1, 2],
  reader: false,
  hazards: { death: 0, stall: 0 },
  aim: { at: "history-mute", permille: 250 },
  downMs: 3_000,
  config: { history_segment_turns: 2, history_page_turns: 1, history_tail_chars: 100 },
  shape: {
    ...PLAIN_SHAPE,
    instances: 1,
    messages: 10,
    steps: 1,
    depth: 0,
    retryable: 0,
    stepThirds: [0],
    spreadMs: 0,
    duplicates: 2,
    crowded: true,
  },
});
