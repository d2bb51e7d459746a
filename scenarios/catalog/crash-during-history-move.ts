/**
 * Claims: a node that dies anywhere in the move of a finished turn to history leaves it in at least one place, and
 * another operation finishes the move.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const crashDuringHistoryMove = buildScenario({
  name: "crash-during-history-move",
  claim: "a node that dies anywhere in the move of a turn to history loses nothing, and the move is finished",
  faults: NO_FAULTS,
  nodes: [2, 3],
  workers: [2, 2],
  reader: true,
  hazards: { death: 5, stall: 5 },
  aim: { at: "history-move", permille: 200 },
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, duplicates: 2, messages: 4 },
});
