#!/usr/bin/env node
/**
 * The `baton` command: the real outside for `runCli`.
 *
 * Owns what only a process has: streams, signals, the clock on the wall, the exit code. A first Ctrl-C asks the
 * command to end; a second one ends the process at once.
 */
import { THREAD_MEMORY } from "./young-memory.ts";
import "./install-trap.ts";
import { randomInt } from "node:crypto";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { WorkerData } from "./campaign/run-worker.ts";
import type { Thread } from "./campaign/thread.ts";
import type { Io } from "./io.ts";
import { runCli } from "./program.ts";
import { packageShelf } from "./shelf.ts";
import { FRESH_SEED_LIMIT } from "./terminal/arguments.ts";
import { EXIT } from "./terminal/exit-codes.ts";

/** The entry of a thread lies beside this file, compiled in the same way. */
const RUN_WORKER = new URL(
  `./campaign/run-worker${extname(fileURLToPath(import.meta.url))}`,
  import.meta.url,
);

/** What a thread is started with says what it is for. */
function startWorker<Request, Answer>(work: WorkerData): Thread<Request, Answer> {
  const worker = new Worker(RUN_WORKER, { workerData: work, resourceLimits: THREAD_MEMORY });
  return {
    ask: (request) => worker.postMessage(request),
    listen(answered, failed) {
      worker.on("message", answered);
      worker.on("error", failed);
      worker.on("exit", (code) => failed(new Error(`a thread ended with code ${code}`)));
    },
    end: () => void worker.terminate(),
  };
}

let interrupts = 0;
process.on("SIGINT", () => {
  interrupts++;
  if (interrupts > 1) process.exit(EXIT.interrupted);
});
// `baton … | head` closes the pipe; that is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}
const environment = process.env;
const forced = environment.FORCE_COLOR !== undefined && environment.FORCE_COLOR !== "0";
const io: Io = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  live: process.stderr.isTTY === true && environment.TERM !== "dumb",
  colored: !environment.NO_COLOR && (forced || process.stdout.isTTY === true) && environment.TERM !== "dumb",
  width: process.stderr.columns || 80,
  folder: process.cwd(),
  nowMs: () => performance.now(),
  freshSeed: () => randomInt(FRESH_SEED_LIMIT),
  interrupted: () => interrupts > 0,
  onStop(listener) {
    process.once("SIGINT", listener);
    process.on("SIGTERM", () => {
      interrupts++;
      if (interrupts > 1) process.exit(EXIT.interrupted);
      listener();
    });
  },
  environment,
  github:
    environment.GITHUB_ACTIONS === "true"
      ? {
          summaryFile: environment.GITHUB_STEP_SUMMARY || null,
          outputFile: environment.GITHUB_OUTPUT || null,
        }
      : null,
  startThread: (settings) => startWorker({ settings }),
  startHunts: (order) => startWorker({ order }),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
};

try {
  process.exitCode = await runCli(process.argv.slice(2), io, packageShelf());
} catch (error) {
  process.stderr.write(
    `error: baton itself failed: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exitCode = EXIT.internal;
}
