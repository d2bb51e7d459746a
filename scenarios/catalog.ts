/**
 * The catalogue: every scenario, in the order in which a campaign runs them.
 *
 * A scenario lives in a file of `catalog` with its claim as the header; here it only has its place. Those of families
 * (children, versions, work sent back) and of lifetimes (deletion, retention, blobs) come last: they have systems and
 * checkers of their own (`build-family.ts`, `build-lifetime.ts`).
 *
 * Those of plain turns come first, then those of turns that wait and of people who act on them, then families. Which of
 * them attacks which promise is told on this folder's page, and a test holds that against this list.
 *
 * The one with every fault comes first, since it sees most; the others each press on one promise, so that a failure
 * says at once where to look.
 */
import type { Scenario } from "../sim/index.ts";
import { appliedThenConflict } from "./catalog/applied-then-conflict.ts";
import { blobSweep } from "./catalog/blob-sweep.ts";
import { cancelVersusComplete } from "./catalog/cancel-versus-complete.ts";
import { childReplyOnBothSides } from "./catalog/child-reply-on-both-sides.ts";
import { clockSkew } from "./catalog/clock-skew.ts";
import { clockSteps } from "./catalog/clock-steps.ts";
import { crashDuringHistoryMove } from "./catalog/crash-during-history-move.ts";
import { damagedNeighbour } from "./catalog/damaged-neighbour.ts";
import { deleteAndCreateAgain } from "./catalog/delete-and-create-again.ts";
import { duplicateSendAcrossRetention } from "./catalog/duplicate-send-across-retention.ts";
import { duplicateSends } from "./catalog/duplicate-sends.ts";
import { everything } from "./catalog/everything.ts";
import { failedOperations } from "./catalog/failed-operations.ts";
import { gracefulStop } from "./catalog/graceful-stop.ts";
import { graphBudget } from "./catalog/graph-budget.ts";
import { graphMadeAgain } from "./catalog/graph-made-again.ts";
import { hangingOperation } from "./catalog/hanging-operation.ts";
import { historyBehind } from "./catalog/history-behind.ts";
import { historyRaced } from "./catalog/history-raced.ts";
import { httpCodeChanged } from "./catalog/http-code-changed.ts";
import { httpHandoff } from "./catalog/http-handoff.ts";
import { httpLostAnswers } from "./catalog/http-lost-answers.ts";
import { httpStopBetweenTurns } from "./catalog/http-stop-between-turns.ts";
import { httpWorkerCrash } from "./catalog/http-worker-crash.ts";
import { httpWorkerDrain } from "./catalog/http-worker-drain.ts";
import { lateProgress } from "./catalog/late-progress.ts";
import { lateSignals } from "./catalog/late-signals.ts";
import { lateWrite } from "./catalog/late-write.ts";
import { lossyMemory } from "./catalog/lossy-memory.ts";
import { lostIndexUpdate } from "./catalog/lost-index-update.ts";
import { lostPutResponse } from "./catalog/lost-put-response.ts";
import { migrationRacedByOldWorker } from "./catalog/migration-raced-by-old-worker.ts";
import { oneKeyFails } from "./catalog/one-key-fails.ts";
import { parentCrashes } from "./catalog/parent-crashes-between-start-and-checkpoint.ts";
import { partition } from "./catalog/partition.ts";
import { pauseDuringLease } from "./catalog/pause-during-lease.ts";
import { poisonMessage } from "./catalog/poison-message.ts";
import { poisonSkipped } from "./catalog/poison-skipped.ts";
import { pruningInterrupted } from "./catalog/pruning-interrupted.ts";
import { putOff } from "./catalog/put-off.ts";
import { reorderedCalls } from "./catalog/reordered-calls.ts";
import { repeatedSuspension } from "./catalog/repeated-suspension.ts";
import { repeatsOnABadStore } from "./catalog/repeats-on-a-bad-store.ts";
import { requeueRepeats } from "./catalog/requeue-repeats.ts";
import { requeueWhilePaused } from "./catalog/requeue-while-paused.ts";
import { reservedBesideStrangers } from "./catalog/reserved-beside-strangers.ts";
import { sendersAtOnce } from "./catalog/senders-at-once.ts";
import { signalAtTheDeadline } from "./catalog/signal-at-the-deadline.ts";
import { signalVersusDeadline } from "./catalog/signal-versus-deadline.ts";
import { skipWhileRetrying } from "./catalog/skip-while-retrying.ts";
import { sleepOverRestarts } from "./catalog/sleep-over-restarts.ts";
import { starvedNode } from "./catalog/starved-node.ts";
import { turnHandedOver } from "./catalog/turn-handed-over.ts";
import { twinNodes } from "./catalog/twin-nodes.ts";
import { twoNodeHandoff } from "./catalog/two-node-handoff.ts";
import { twoVersions } from "./catalog/two-versions.ts";
import { wakeVersusDue } from "./catalog/wake-versus-due.ts";
import { wholeLife } from "./catalog/whole-life.ts";
import { workerDeaths } from "./catalog/worker-deaths.ts";

/** What the ledger measures: scenarios without faults, which a campaign does not run. */
export type { MeasuredConfiguration, MeasuredUnit } from "./ledger/configuration.ts";
export type { MeasuredScenario } from "./ledger/measured.ts";
export { workloads } from "./ledger/workloads.ts";

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
  signalVersusDeadline,
  signalAtTheDeadline,
  lateSignals,
  wakeVersusDue,
  cancelVersusComplete,
  skipWhileRetrying,
  pauseDuringLease,
  lateProgress,
  sleepOverRestarts,
  repeatedSuspension,
  putOff,
  hangingOperation,
  poisonSkipped,
  twoVersions,
  wholeLife,
  sendersAtOnce,
  turnHandedOver,
  historyRaced,
  childReplyOnBothSides,
  migrationRacedByOldWorker,
  parentCrashes,
  requeueRepeats,
  requeueWhilePaused,
  deleteAndCreateAgain,
  duplicateSendAcrossRetention,
  pruningInterrupted,
  blobSweep,
  graphMadeAgain,
  reservedBesideStrangers,
  graphBudget,
  httpHandoff,
  httpLostAnswers,
  httpWorkerCrash,
  httpWorkerDrain,
  httpCodeChanged,
  httpStopBetweenTurns,
];
