/**
 * The entry of a thread: the trap, then the scenarios, then one run, or the hunts for one bug, for each message.
 *
 * What the thread is started with says which of both it makes.
 */
import "../install-trap.ts";
import { parentPort, workerData } from "node:worker_threads";
import { present } from "../../std/assert.ts";
import { BugHunts, type HuntOrder, type HuntTask } from "../mutants/bug-hunts.ts";
import { packageShelf } from "../shelf.ts";
import type { RunSettings } from "./run-settings.ts";
import { inParcels, type ThreadRequest, threadRuns } from "./thread.ts";

export type WorkerData = { readonly settings: RunSettings } | { readonly order: HuntOrder };

const port = present(parentPort, "the port of a thread");
const work: WorkerData = workerData;
if ("settings" in work) {
  const answerTo = await threadRuns(packageShelf(), work.settings);
  const take = inParcels(answerTo, (answers) => port.postMessage(answers));
  port.on("message", (request: ThreadRequest) => take(request));
} else {
  const clock = {
    nowMs: () => performance.now(),
    turn: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
  // Whoever listens ends the thread when it has heard enough.
  const hunts = new BugHunts(packageShelf(), work.order, clock, (news) => {
    port.postMessage(news);
    return true;
  });
  port.on("message", (task: HuntTask) => void hunts.hunt(task));
}
