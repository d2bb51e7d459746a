/**
 * The entry of a thread that makes runs: the trap, then the scenarios, then one run for each message.
 */
import "./install-trap.ts";
import { parentPort, workerData } from "node:worker_threads";
import { present } from "../std/assert.ts";
import type { RunSettings } from "./run-settings.ts";
import { packageShelf } from "./shelf.ts";
import { type ThreadRequest, threadRuns } from "./thread.ts";

const port = present(parentPort, "the port of a thread");
const settings: RunSettings = workerData;
const answerTo = await threadRuns(packageShelf(), settings);
port.on("message", (request: ThreadRequest) => {
  void answerTo(request).then((answer) => port.postMessage(answer));
});
