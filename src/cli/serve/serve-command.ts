/**
 * `baton serve`: opens the store, serves until it is told to stop, and says in one line each what it does.
 *
 * The first Ctrl-C or SIGTERM ends it in good order with code 0; the second one at once. What cannot be served (a port
 * in use, a store that is none) is an error of usage: one line, code 2, and nothing was begun.
 */
import { MemoryStore } from "../../adapters/memory-store.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { type OpenedStore, openStore } from "./open-store.ts";
import { type ServeOptions, settingsOf } from "./serve-options.ts";
import { startServer } from "./serve-process.ts";

/** A store for trying out: gone with the process. */
export const MEMORY = "memory:";

export async function serveCommand(io: Io, version: string, options: ServeOptions): Promise<number> {
  const settings = settingsOf(options, io.environment);
  const stopped = new Promise<void>((resolve) => io.onStop(resolve));
  const started = await startServer(settings, await opened(settings.store, io.folder), version, (line) =>
    io.err(line),
  );
  if (!started.ok) throw new UsageError(started.error);
  const { url, hasGraph, stop } = started.value;
  io.out(`baton ${version} serves graph ${settings.graph} of ${settings.store} on ${url}\n`);
  if (!hasGraph) {
    const create = `POST ${url}/v1/graph/create?graph=${settings.graph}`;
    io.out(`the graph ${settings.graph} was deleted and stays so; create it again with ${create}\n`);
  }
  if (Object.keys(settings.tokens).length === 0)
    io.out("no token is set: whoever can reach this address may do everything\n");
  await stopped;
  const inTime = await stop();
  io.out(inTime ? "stopped\n" : `stopped; what was not answered after ${settings.stopMs} ms was cut off\n`);
  return EXIT.pass;
}

async function opened(text: string, folder: string): Promise<OpenedStore> {
  if (text === MEMORY)
    return { store: new MemoryStore(), name: MEMORY, isLocal: true, close: async () => undefined };
  const store = await openStore(text, folder);
  if (!store.ok) throw new UsageError(store.error.message);
  return store.value;
}
