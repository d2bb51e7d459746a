/**
 * The database file of a store: where it lies, its format, and how a connection to it is set up.
 *
 *   DIR/store.db       all objects; `store.db-wal` and `store.db-shm` beside it belong to it while it is open
 *
 *   F1  a file of a newer format, or of another program, is refused and not touched.
 *   F2  an acknowledged write is on disk: `synchronous` is set on every connection, since builds differ in its default.
 *   F3  several processes may create the store at the same moment: one of them writes the format, the others find it.
 *   F4  the order of keys is that of their UTF-8 bytes, and any text is a key or a body: both are stored as bytes.
 *
 * The format has a number, `FORMAT`, in the file's header. Its table has rows by number and a unique index on the key,
 * so that a replaced object changes one page, and a listing passes over no bodies.
 */
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StoreRefusal } from "../store-refusal.ts";
import { CODES, type Database, firstLine, resultCode, type Sqlite } from "./sqlite.ts";

export const FORMAT = 1;
/** "BATN", in the header of every store. */
const APPLICATION = 0x4241_544e;
const CREATE = `
  CREATE TABLE objects (number INTEGER PRIMARY KEY, key BLOB NOT NULL, etag TEXT NOT NULL, body BLOB NOT NULL);
  CREATE UNIQUE INDEX objects_by_key ON objects (key);
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${FORMAT};`;
/** How long opening waits for others that hold the file. */
const OPEN_MS = 10_000;

export function databasePath(directory: string): string {
  return join(directory, "store.db");
}

/** Opens the store's file and sets the connection up; creates both, when there is none. Throws what `refusalOf` reads. */
export function connect(sqlite: Sqlite, directory: string, pause: (ms: number) => void): Database {
  makeDirectory(directory);
  const database = sqlite.open(databasePath(directory));
  try {
    database.exec(`PRAGMA busy_timeout = ${OPEN_MS / 10}`);
    patiently(pause, () => prepare(database));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A store that cannot be used as it is. */
export class RefusedStore extends Error {
  override readonly name = "RefusedStore";
  readonly refusal: StoreRefusal;
  constructor(refusal: StoreRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

function prepare(database: Database): void {
  const { application, format } = stated(database);
  if (application !== 0 || format !== 0) checkFormat(application, format);
  else if (count(database, "SELECT count(*) AS n FROM sqlite_schema") > 0) checkFormat(-1, 0);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
  if (application !== 0) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    if (stated(database).application === 0) database.exec(CREATE);
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

export function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has already rolled back by itself.
  }
}

function stated(database: Database): { application: number; format: number } {
  return {
    application: count(database, "SELECT application_id AS n FROM pragma_application_id"),
    format: count(database, "SELECT user_version AS n FROM pragma_user_version"),
  };
}

function count(database: Database, sql: string): number {
  return Number(database.prepare(sql).get()?.n ?? 0);
}

/** F1. */
function checkFormat(application: number, format: number): void {
  if (application !== APPLICATION)
    throw new RefusedStore({ kind: "foreign", message: "store.db there belongs to another program" });
  if (format > FORMAT) {
    const message = `its format is ${format} and this version reads up to ${FORMAT}: it was made by a newer version; use that one`;
    throw new RefusedStore({ kind: "newer-format", message });
  }
}

/** Several may create the file at once, or find it while its log is recovered. */
function patiently(pause: (ms: number) => void, work: () => void): void {
  const untilMs = performance.now() + OPEN_MS;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (resultCode(error) !== CODES.busy || performance.now() > untilMs) throw error;
      pause(5);
    }
  }
}

/** A directory whose own entry is on disk before anything in it is acknowledged. */
function makeDirectory(directory: string): void {
  const made = mkdirSync(directory, { recursive: true });
  if (made === undefined) return;
  const stop = dirname(made);
  for (let parent = dirname(directory); ; parent = dirname(parent)) {
    const handle = openSync(parent, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (parent === stop || dirname(parent) === parent) return;
  }
}

/** Why the store could not be opened, from what was thrown. */
export function refusalOf(error: unknown): StoreRefusal {
  if (error instanceof RefusedStore) return error.refusal;
  const system = error instanceof Error && "code" in error ? error.code : null;
  switch (system) {
    case "EACCES":
    case "EPERM":
      return { kind: "no-permission", message: "this user may not create or write it" };
    case "EROFS":
      return { kind: "no-permission", message: "it lies on a file system that cannot be written" };
    case "ENOSPC":
    case "EDQUOT":
      return { kind: "full", message: "the disk is full" };
    case "EEXIST":
    case "ENOTDIR":
      return { kind: "in-the-way", message: "a file is in the way of the directory" };
    case "ENOENT":
    case "ENAMETOOLONG":
    case "ELOOP":
    case "EINVAL":
      return { kind: "in-the-way", message: `no directory can be made there (${system})` };
  }
  switch (resultCode(error)) {
    case CODES.busy:
    case CODES.locked:
      return { kind: "busy", message: `another process has held it locked for ${OPEN_MS / 1_000} s` };
    case CODES.perm:
    case CODES.readonly:
      return { kind: "no-permission", message: "this user may not write store.db" };
    case CODES.cannotOpen:
      return {
        kind: "no-permission",
        message: "store.db cannot be opened: look at its permissions, and whether it is a file",
      };
    case CODES.full:
      return { kind: "full", message: "the disk is full" };
    case CODES.notDb:
      return { kind: "foreign", message: "store.db there is not a database" };
    case CODES.corrupt:
      return { kind: "damaged", message: `store.db is damaged: ${firstLine(error)}` };
    default:
      return { kind: "unavailable", message: firstLine(error) };
  }
}
