/**
 * The catalogue: every scenario, in the order in which a campaign runs them.
 */
import type { Scenario } from "../sim/index.ts";
import { appliedThenConflict } from "./catalog/applied-then-conflict.ts";
import { clockSkew } from "./catalog/clock-skew.ts";
import { crashDuringHistoryMove } from "./catalog/crash-during-history-move.ts";
import { damagedNeighbour } from "./catalog/damaged-neighbour.ts";
import { duplicateSends } from "./catalog/duplicate-sends.ts";
import { everything } from "./catalog/everything.ts";
import { failedOperations } from "./catalog/failed-operations.ts";
import { lateWrite } from "./catalog/late-write.ts";
import { lostIndexUpdate } from "./catalog/lost-index-update.ts";
import { lostPutResponse } from "./catalog/lost-put-response.ts";
import { twoNodeHandoff } from "./catalog/two-node-handoff.ts";
import { workerDeaths } from "./catalog/worker-deaths.ts";

export const catalog: readonly Scenario[] = [
  everything,
  twoNodeHandoff,
  lostPutResponse,
  appliedThenConflict,
  failedOperations,
  clockSkew,
  crashDuringHistoryMove,
  lostIndexUpdate,
  lateWrite,
  duplicateSends,
  workerDeaths,
  damagedNeighbour,
];
