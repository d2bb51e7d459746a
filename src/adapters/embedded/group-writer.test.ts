/**
 * Risk: a commit whose outcome is open is told as done or refused, or a group is applied in part.
 *
 * The database is a real one; statements of it fail on purpose.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { IF_ABSENT, ifMatch, NO_CONDITION, type PutCondition } from "../../ports/object-store.ts";
import { connect } from "./database-file.ts";
import { GroupWriter, type WriteOrder } from "./group-writer.ts";
import { type Database, loadSqlite, type Sqlite } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-group-"));
const pauses: number[] = [];
const pause = (ms: number) => void pauses.push(ms);
let database: Database;
/** Called with each text that is executed; may throw. */
let before: (sql: string) => void = () => undefined;
let after: (sql: string) => void = () => undefined;

function sqlite(): Sqlite {
  const loaded = loadSqlite(import.meta.url);
  return loaded.ok ? loaded.value : expect.fail(loaded.error);
}

function watched(inner: Database): Database {
  return {
    prepare: (sql) => inner.prepare(sql),
    close: () => inner.close(),
    exec: (sql) => {
      before(sql);
      inner.exec(sql);
      after(sql);
    },
  };
}

beforeAll(() => {
  database = connect(sqlite(), folder, pause);
});
beforeEach(() => {
  [before, after] = [() => undefined, () => undefined];
  database.exec("DELETE FROM objects");
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function put(key: string, condition: PutCondition = IF_ABSENT): WriteOrder {
  return { kind: "put", key, body: `body of ${key}`, condition, etag: `etag of ${key}` };
}

function failing(code: number): Error {
  return Object.assign(new Error("on purpose"), { errcode: code });
}

function keys(): readonly string[] {
  return database
    .prepare("SELECT CAST(key AS TEXT) AS key FROM objects ORDER BY key")
    .all()
    .map(({ key }) => String(key));
}

test("each order of a group is told what became of it", () => {
  const writer = new GroupWriter(watched(database), pause);
  const etag = "etag of a";
  expect(
    writer.write([
      put("a"),
      put("a"),
      put("a", ifMatch("another")),
      put("a", ifMatch(etag)),
      put("b", ifMatch(etag)),
      { kind: "delete", key: "b", condition: NO_CONDITION },
      { kind: "delete", key: "b", condition: ifMatch(etag) },
      { kind: "delete", key: "a", condition: ifMatch("another") },
    ]),
  ).toEqual({
    verdicts: [
      "ok",
      "precondition-failed",
      "precondition-failed",
      "ok",
      "not-found",
      "ok",
      "not-found",
      "precondition-failed",
    ],
    detail: "",
  });
  expect(keys()).toEqual(["a"]);
});

test("a commit that fails leaves every order of the group unknown, also a refused one (G2)", () => {
  const writer = new GroupWriter(watched(database), pause);
  before = (sql) => {
    if (sql === "COMMIT") throw failing(10);
  };
  expect(writer.write([put("a"), put("a")])).toEqual({
    verdicts: ["unknown-outcome", "unknown-outcome"],
    detail: "SQLite: on purpose",
  });
  before = () => undefined;
  expect(writer.write([put("b")])).toMatchObject({ verdicts: ["ok"] });
  expect(keys()).toEqual(["b"]);
});

test("a commit that happens and then says that it failed is unknown as well (G2)", () => {
  const writer = new GroupWriter(watched(database), pause);
  after = (sql) => {
    if (sql === "COMMIT") throw failing(10);
  };
  expect(writer.write([put("a")])).toMatchObject({ verdicts: ["unknown-outcome"] });
  expect(keys()).toEqual(["a"]);
});

test("an order that fails takes its whole group back (G1)", () => {
  const writer = new GroupWriter(watched(database), pause);
  const bad = { ...put("c"), body: null } as unknown as WriteOrder; // no caller can pass this
  expect(writer.write([put("a"), bad])).toMatchObject({ verdicts: ["unknown-outcome", "unknown-outcome"] });
  expect(keys()).toEqual([]);
});

test("a full disk is said", () => {
  const writer = new GroupWriter(watched(database), pause);
  before = () => {
    throw failing(13);
  };
  expect(writer.write([put("a")])).toEqual({ verdicts: ["unknown-outcome"], detail: "the disk is full" });
});

test("a group waits for another writer, and is written when that one has ended (G3)", () => {
  const other = connect(sqlite(), folder, pause);
  other.exec("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE");
  database.exec("PRAGMA busy_timeout = 0");
  let looks = 0;
  const writer = new GroupWriter(watched(database), () => {
    if (++looks === 3) other.exec("COMMIT");
  });
  expect(writer.write([put("a")])).toMatchObject({ verdicts: ["ok"] });
  expect(looks).toBe(3);
  other.close();
});
