/**
 * The command line with an outside in memory: what it wrote is kept, and its clock goes on 10 ms at each look. Only
 * tests use it.
 */
import type { Io } from "./io.ts";
import { runCli } from "./program.ts";
import type { Shelf } from "./shelf.ts";

/** What became of one command. */
export interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly folder: string;
}

/** Runs one line, words parted by spaces, as typed in this folder. */
export async function runLine(
  line: string,
  shelf: Shelf,
  folder: string,
  changes: Partial<Io> = {},
): Promise<Told> {
  let [out, err, nowMs] = ["", "", 0];
  const io: Io = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    live: false,
    colored: false,
    width: 80,
    folder,
    nowMs: () => (nowMs += 10),
    freshSeed: () => 77,
    interrupted: () => false,
    onStop: () => undefined,
    environment: {},
    github: null,
    startThread: () => {
      throw new Error("no thread is wanted");
    },
    startHunts: () => {
      throw new Error("no thread is wanted");
    },
    turn: async () => undefined,
    ...changes,
  };
  const code = await runCli(line.split(" ").filter(Boolean), io, shelf);
  return { code, out, err, folder };
}
