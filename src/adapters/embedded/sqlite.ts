/**
 * SQLite behind the one interface that the store needs: the module that Node has built in, or the package with the
 * same interface.
 *
 *   Q1  the built-in module is taken where its SQLite is new enough, else the package; an older SQLite is refused, since
 *       before 3.51.3 a writer that resets the log beside a reader could lose committed writes.
 *   Q2  everything here holds the thread that calls it.
 *
 * Node's warning that its module is experimental is not printed: only what is stable in it is used.
 */
import { createRequire } from "node:module";
import { err, ok, type Result } from "../../std/result.ts";

export type SqlValue = Uint8Array | string | number | null;
export type Row = { readonly [column: string]: SqlValue };

export interface Statement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): readonly Row[];
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Sqlite {
  readonly version: string;
  open(path: string): Database;
}

/** What both modules export, as far as it is used. */
interface Module {
  readonly DatabaseSync: new (path: string) => Database;
}

const PACKAGE = "@photostructure/sqlite";
const OLDEST = [3, 51, 3] as const;

/** `from`: the place of the module that asks, from where the package is looked for. */
export function loadSqlite(from: string): Result<Sqlite, string> {
  const builtIn = builtInModule();
  const found: string[] = [];
  if (builtIn !== null) {
    const sqlite = asSqlite(builtIn);
    if (isNewEnough(sqlite.version)) return ok(sqlite);
    found.push(`node:sqlite has SQLite ${sqlite.version}`);
  }
  try {
    const loaded: Module = createRequire(from)(PACKAGE);
    const sqlite = asSqlite(loaded);
    if (isNewEnough(sqlite.version)) return ok(sqlite);
    found.push(`${PACKAGE} has SQLite ${sqlite.version}`);
  } catch (error) {
    found.push(`${PACKAGE} does not load: ${firstLine(error)}`);
  }
  return err(
    `SQLite ${OLDEST.join(".")} or newer is needed, because older ones can lose writes; ${found.join("; ")}`,
  );
}

/** SQLite's primary result code of what it threw, or null. */
export function resultCode(error: unknown): number | null {
  const code = error instanceof Error && "errcode" in error ? error.errcode : null;
  return typeof code === "number" ? code & 0xff : null;
}

/** https://sqlite.org/rescode.html */
export const CODES = {
  perm: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notDb: 26,
};

export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? "";
}

export function isNewEnough(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, least] of OLDEST.entries()) {
    const part = parts[i] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

function builtInModule(): Module | null {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    const name = "node:sqlite";
    return (process.getBuiltinModule(name) as Module | undefined) ?? null; // the types are those of Node 20
  } catch {
    return null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function asSqlite({ DatabaseSync }: Module): Sqlite {
  const probe = new DatabaseSync(":memory:");
  try {
    const version = probe.prepare("SELECT sqlite_version() AS version").get()?.version;
    return { version: String(version), open: (path) => new DatabaseSync(path) };
  } finally {
    probe.close();
  }
}
