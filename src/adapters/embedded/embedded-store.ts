/**
 * The embedded object store: all objects of a directory in one SQLite database, for one machine and any number of its
 * processes.
 *
 *   E1  a write is acknowledged when it is on the disk (O1).
 *   E2  a read runs on this thread, on a connection of its own that never writes. Each is a transaction of its own, so
 *       it sees every write that was acknowledged before, whichever process made it (O5).
 *   E3  an etag is never issued twice: it is made of a number that this opening drew at random, and a count.
 *   E4  a missing key answers an `if-match` with `not-found`.
 *
 * Files, format and what a person should know: `README.md` beside this file.
 */
import { randomBytes } from "node:crypto";
import type {
  DeleteCondition,
  DeleteOutcome,
  GetOutcome,
  ListEntry,
  ListOutcome,
  ListRequest,
  ObjectStore,
  PutCondition,
  PutOutcome,
} from "../../ports/object-store.ts";
import { assert } from "../../std/assert.ts";
import { err, ok, type Result } from "../../std/result.ts";
import type { StoreRefusal } from "../store-refusal.ts";
import { connect, refusalOf } from "./database-file.ts";
import { createSignals, pauseOn } from "./signals.ts";
import { type Database, firstLine, loadSqlite, type SqlValue, type Statement } from "./sqlite.ts";
import { HERE } from "./thread-code.ts";
import { Writer, type Written } from "./writer.ts";

const CLOSED = { kind: "unknown-outcome", detail: "the store is closed" } as const;
/** Above every key: UTF-8 has no byte 0xff. */
const LAST = Buffer.from([0xff]);

/** Opens the store in this directory, which is made when it is not there. */
export async function openEmbeddedStore(directory: string): Promise<Result<EmbeddedStore, StoreRefusal>> {
  const sqlite = loadSqlite(HERE);
  if (!sqlite.ok) return err({ kind: "unavailable", message: sqlite.error });
  let database: Database;
  try {
    database = connect(sqlite.value, directory, pauseOn(createSignals()));
  } catch (error) {
    return err(refusalOf(error));
  }
  const writer = await Writer.start(directory);
  if (writer.ok) return ok(new EmbeddedStore(database, writer.value));
  database.close();
  return writer;
}

export class EmbeddedStore implements ObjectStore {
  readonly #database: Database;
  readonly #writer: Writer;
  readonly #get: Statement;
  readonly #list: Statement;
  readonly #mark = randomBytes(9).toString("base64url");
  #writes = 0;
  #closed = false;

  /** Through `openEmbeddedStore`. */
  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
    database.exec("PRAGMA query_only = ON");
    this.#get = database.prepare("SELECT etag, body FROM objects WHERE key = ?");
    this.#list = database.prepare(
      "SELECT key, etag FROM objects WHERE key > ? AND key >= ? AND key < ? ORDER BY key LIMIT ?",
    );
  }

  get(key: string): Promise<GetOutcome> {
    return this.#read((): GetOutcome => {
      const row = this.#get.get(Buffer.from(key));
      if (row === undefined) return { kind: "not-found" };
      return { kind: "ok", body: textOf(row.body), etag: String(row.etag) };
    });
  }

  async put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    this.#writes += 1;
    const etag = `${this.#mark}-${this.#writes.toString(36)}`;
    const written = await this.#writer.write({ kind: "put", key, body, condition, etag });
    return written.verdict === "ok" ? { kind: "ok", etag } : unwritten(written.verdict, written);
  }

  async delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome> {
    const written = await this.#writer.write({ kind: "delete", key, condition });
    return written.verdict === "ok" ? { kind: "ok" } : unwritten(written.verdict, written);
  }

  list({ prefix, startAfter, cursor, limit }: ListRequest): Promise<ListOutcome> {
    assert(Number.isInteger(limit) && limit >= 1 && limit <= 1_000, "a page limit from 1 to 1,000");
    return this.#read((): ListOutcome => {
      const after = cursor ?? startAfter ?? null;
      const from = Buffer.from(prefix);
      // One more than asked: it tells whether there are more.
      const rows = this.#list.all(
        after === null ? Buffer.alloc(0) : Buffer.from(after),
        from,
        endOf(from),
        limit + 1,
      );
      const entries = rows
        .slice(0, limit)
        .map(({ key, etag }): ListEntry => ({ key: textOf(key), etag: String(etag) }));
      const next = rows.length > limit ? (entries.at(-1)?.key ?? null) : null;
      return { kind: "ok", entries, next };
    });
  }

  /** Finishes the writes that were asked for, and lets go of the files. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // First: whoever lets go last moves the log into the database, which is work for the other thread.
    this.#database.close();
    await this.#writer.close();
  }

  /** E2. */
  #read<Outcome>(
    look: () => Outcome,
  ): Promise<Outcome | typeof CLOSED | { kind: "unknown-outcome"; detail: string }> {
    if (this.#closed) return Promise.resolve(CLOSED);
    try {
      return Promise.resolve(look());
    } catch (error) {
      return Promise.resolve({ kind: "unknown-outcome", detail: `SQLite: ${firstLine(error)}` });
    }
  }
}

type Refused = Exclude<Written["verdict"], "ok">;

function unwritten(verdict: Refused, { detail }: Written) {
  if (verdict === "unknown-outcome") return { kind: verdict, detail };
  if (verdict === "throttled") return { kind: verdict, retryAfterMs: null };
  return { kind: verdict };
}

/** The first bytes behind all keys with this prefix. */
function endOf(prefix: Buffer): Buffer {
  if (prefix.length === 0) return LAST;
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end.at(-1) ?? 0) + 1;
  return end;
}

function textOf(value: SqlValue | undefined): string {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.length).toString()
    : String(value);
}
