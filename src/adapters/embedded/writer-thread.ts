/**
 * The thread that writes: takes groups of orders from its port, writes each in one transaction and answers.
 *
 * Its first answer says whether the database is open. It has no event loop of its own to speak of: it sleeps until it
 * is woken (`signals.ts`) and then takes all that has come. Started by `writer.ts` and by nothing else.
 */
import { type MessagePort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { connect, refusalOf } from "./database-file.ts";
import { type GroupAnswer, GroupWriter, type WriteOrder } from "./group-writer.ts";
import { LogUpkeep } from "./log-upkeep.ts";
import { BUSY, CLOSE, GO_ON, ORDER, PARK, pauseOn, WAKE, type WriterData } from "./signals.ts";
import { type Database, loadSqlite } from "./sqlite.ts";

export type ThreadAnswer =
  | { readonly kind: "open" }
  | { readonly kind: "refused"; readonly refusal: ReturnType<typeof refusalOf> }
  | ({ readonly kind: "written" } & GroupAnswer);

const { directory, signals, from, port }: WriterData & { readonly port: MessagePort } = workerData;

function answer(value: ThreadAnswer): void {
  port.postMessage(value);
}

function open(): Database {
  const sqlite = loadSqlite(from);
  if (!sqlite.ok) throw new Error(sqlite.error);
  return connect(sqlite.value, directory, pauseOn(signals));
}

/** Whether the main thread lets SQLite be called; raises `BUSY` when it does. */
function enter(): boolean {
  Atomics.store(signals, BUSY, 1);
  if (Atomics.load(signals, ORDER) !== PARK) return true;
  leave();
  return false;
}

function leave(): void {
  Atomics.store(signals, BUSY, 0);
  Atomics.notify(signals, BUSY);
}

/** Writes groups until it is told to end. */
function serve(database: Database): void {
  const writer = new GroupWriter(database, pauseOn(signals));
  const upkeep = new LogUpkeep(database, directory);
  answer({ kind: "open" });
  for (let seen = Atomics.load(signals, WAKE); ; seen = Atomics.load(signals, WAKE)) {
    for (;;) {
      const received: { readonly message: readonly WriteOrder[] } | undefined = receiveMessageOnPort(port);
      if (received === undefined) break;
      if (!enter()) return;
      answer({ kind: "written", ...writer.write(received.message) });
      upkeep.after(received.message);
      leave();
    }
    if (Atomics.load(signals, ORDER) !== GO_ON) return;
    Atomics.wait(signals, WAKE, seen);
  }
}

// `BUSY` was raised by whoever started the thread.
try {
  const database = open();
  leave();
  serve(database);
  if (Atomics.load(signals, ORDER) === CLOSE && enter()) {
    database.close();
    leave();
  }
} catch (error) {
  answer({ kind: "refused", refusal: refusalOf(error) });
} finally {
  leave();
  port.close();
}
// A process that ends takes the thread down wherever it is: here is a safe place.
if (Atomics.load(signals, ORDER) === PARK) Atomics.wait(signals, ORDER, PARK);
