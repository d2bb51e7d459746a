/**
 * The catalogue: every scenario, in the order in which a campaign runs them.
 *
 * A scenario lives in a file of `catalog` with its claim as the header; here it only has its place. Those of families
 * (children, versions, work sent back) come last: they have a system and checkers of their own (`build-family.ts`).
 *
 * The one with every fault comes first, since it sees most; the others each press on one promise, so that a failure
 * says at once where to look.
 */
import type { Scenario } from "../sim/index.ts";
import { appliedThenConflict } from "./catalog/applied-then-conflict.ts";
import { childReplyOnBothSides } from "./catalog/child-reply-on-both-sides.ts";
import { clockSkew } from "./catalog/clock-skew.ts";
import { clockSteps } from "./catalog/clock-steps.ts";
import { crashDuringHistoryMove } from "./catalog/crash-during-history-move.ts";
import { damagedNeighbour } from "./catalog/damaged-neighbour.ts";
import { duplicateSends } from "./catalog/duplicate-sends.ts";
import { everything } from "./catalog/everything.ts";
import { failedOperations } from "./catalog/failed-operations.ts";
import { gracefulStop } from "./catalog/graceful-stop.ts";
import { historyBehind } from "./catalog/history-behind.ts";
import { lateWrite } from "./catalog/late-write.ts";
import { lossyMemory } from "./catalog/lossy-memory.ts";
import { lostIndexUpdate } from "./catalog/lost-index-update.ts";
import { lostPutResponse } from "./catalog/lost-put-response.ts";
import { migrationRacedByOldWorker } from "./catalog/migration-raced-by-old-worker.ts";
import { oneKeyFails } from "./catalog/one-key-fails.ts";
import { parentCrashes } from "./catalog/parent-crashes-between-start-and-checkpoint.ts";
import { partition } from "./catalog/partition.ts";
import { poisonMessage } from "./catalog/poison-message.ts";
import { reorderedCalls } from "./catalog/reordered-calls.ts";
import { repeatsOnABadStore } from "./catalog/repeats-on-a-bad-store.ts";
import { requeueRepeats } from "./catalog/requeue-repeats.ts";
import { starvedNode } from "./catalog/starved-node.ts";
import { twinNodes } from "./catalog/twin-nodes.ts";
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
  historyBehind,
  repeatsOnABadStore,
  oneKeyFails,
  clockSteps,
  gracefulStop,
  lossyMemory,
  partition,
  poisonMessage,
  reorderedCalls,
  starvedNode,
  twinNodes,
  childReplyOnBothSides,
  migrationRacedByOldWorker,
  parentCrashes,
  requeueRepeats,
];
