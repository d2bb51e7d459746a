#!/usr/bin/env node
/**
 * The `baton` command: the real outside for `runCli`.
 *
 * Owns what only a process has: streams, signals, the clock on the wall, the exit code. A first Ctrl-C asks the
 * command to end; a second one ends the process at once.
 */
import "./install-trap.ts";
import { randomInt } from "node:crypto";
import { EXIT } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { runCli } from "./program.ts";
import { packageShelf } from "./shelf.ts";

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
  freshSeed: () => randomInt(2 ** 48 - 1),
  interrupted: () => interrupts > 0,
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
