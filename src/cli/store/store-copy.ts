/**
 * `baton store export` and `baton store import`: what is said, and the exit code.
 *
 * Owns opening the store and the words. What is copied, and what is refused, is in `store-files.ts`. An export only
 * reads: it works where nothing may be written, and it makes no store where none is.
 *
 * Exit codes: 0 copied; 1 not copied, with the reason in one line; 2 the store cannot be opened; 130 stopped by Ctrl-C.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { databasePath } from "../../adapters/embedded/database-file.ts";
import { SystemClock } from "../../adapters/system-ports.ts";
import { present } from "../../std/assert.ts";
import type { Io } from "../io.ts";
import { openStore, reachStore } from "../serve/open-store.ts";
import { DEFAULT_STORE } from "../serve/serve-options.ts";
import { UsageError } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import { grouped } from "../terminal/table.ts";
import { CopyError, codeOf, exportFiles, importFiles, type Tell, type Waits } from "./store-files.ts";

export interface CopyOptions {
  readonly store?: string;
}

export async function storeExportCommand(io: Io, folder: string, options: CopyOptions): Promise<number> {
  const text = options.store ?? DEFAULT_STORE;
  // Opening a directory would make a store there.
  if (!text.includes("://") && !existsSync(databasePath(resolve(io.folder, text))))
    throw new UsageError(`there is no store in ${resolve(io.folder, text)}`);
  // Read only: nothing is asked of the store that it would have to keep.
  const reached = await reachStore(text, io.folder);
  if (!reached.ok) throw new UsageError(reached.error.message);
  const { manners, name, close } = reached.value;
  const { store } = present(manners[0], "a manner");
  const out = resolve(io.folder, folder);
  return copied(io, close, async (waits, tell) => {
    const objects = await exportFiles(store, out, waits, tell);
    return `${grouped(objects)} objects of ${name} are in ${out}`;
  });
}

export async function storeImportCommand(io: Io, folder: string, options: CopyOptions): Promise<number> {
  const from = resolve(io.folder, folder);
  if (!existsSync(from)) throw new UsageError(`there is no folder ${from}`);
  const opened = await openStore(options.store ?? DEFAULT_STORE, io.folder);
  if (!opened.ok) throw new UsageError(opened.error.message);
  const { store, name, close } = opened.value;
  return copied(io, close, async (waits, tell) => {
    const { objects, before } = await importFiles(store, from, waits, tell);
    const there = before === 0 ? "" : `; ${grouped(before)} were there`;
    return `${grouped(objects)} objects of ${from} are in ${name}${there}`;
  });
}

async function copied(
  io: Io,
  close: () => Promise<void>,
  copy: (waits: Waits, tell: Tell) => Promise<string>,
): Promise<number> {
  const clock = new SystemClock();
  const progress = new Progress(io);
  const waits = { sleep: (ms: number) => clock.sleep(ms), interrupted: () => io.interrupted() };
  try {
    const said = await copy(waits, (done, of) =>
      progress.line(`${grouped(done)}${of === null ? "" : ` of ${grouped(of)}`} objects`, io.nowMs()),
    );
    progress.clear();
    io.out(`${said}\n`);
    return EXIT.pass;
  } catch (error) {
    progress.clear();
    const code = codeOf(error);
    if (!(error instanceof CopyError) && code === null) throw error;
    io.err(`error: ${error instanceof Error ? error.message : ""}\n`);
    return io.interrupted() ? EXIT.interrupted : EXIT.violation;
  } finally {
    await close();
  }
}
