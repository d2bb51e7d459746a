/**
 * Keeps SQLite's log short: what is committed moves from `store.db-wal` into `store.db`.
 *
 *   U1  it is done between groups, after their answers: no writer waits for it but the next one.
 *   U2  usually without waiting for readers. Busy processes can then keep the log growing, so above `MOST_BYTES` it is
 *       emptied, for which readers and writers wait a moment; where one of them holds it, it is tried again later.
 *   U3  a failure here loses nothing, and is not told: the log has it all.
 */
import { statSync } from "node:fs";
import { databasePath } from "./database-file.ts";
import type { WriteOrder } from "./group-writer.ts";
import type { Database } from "./sqlite.ts";

const MOST_BYTES = 64 * 1024 * 1024;
const PAGE_BYTES = 4096;
/** Written by this connection between two moves, in pages as near as it can tell. */
const PAGES_BETWEEN = 2_000;
const RETRY_MS = 1_000;
const WAIT_MS = 100;
const USUAL_WAIT_MS = 1_000;

export class LogUpkeep {
  readonly #database: Database;
  readonly #log: string;
  #pages = 0;
  #notBeforeMs = 0;

  constructor(database: Database, directory: string) {
    this.#database = database;
    this.#log = `${databasePath(directory)}-wal`;
    // SQLite's own move would come within a commit, before its answer. It stays as the last resort.
    database.exec(`PRAGMA wal_autocheckpoint = ${PAGES_BETWEEN * 4}`);
  }

  /** After each group. */
  after(orders: readonly WriteOrder[]): void {
    for (const order of orders)
      this.#pages += 1 + (order.kind === "put" ? order.body.length / PAGE_BYTES : 0);
    if (this.#pages < PAGES_BETWEEN) return;
    this.#pages = 0;
    try {
      this.#move();
    } catch {
      // U3
    }
  }

  #move(): void {
    const bytes = statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes <= MOST_BYTES || performance.now() < this.#notBeforeMs) {
      this.#database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      return;
    }
    this.#database.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    try {
      const done = this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
      if (done?.busy !== 0) this.#notBeforeMs = performance.now() + RETRY_MS;
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${USUAL_WAIT_MS}`);
    }
  }
}
