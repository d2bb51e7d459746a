/**
 * Risk: a directory that cannot be a store is written to, or its refusal is a stack of calls instead of a line.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assert } from "../../std/assert.ts";
import type { StoreRefusal } from "../store-refusal.ts";
import { databasePath, refusalOf } from "./database-file.ts";
import { openEmbeddedStore } from "./embedded-store.ts";
import { isNewEnough, loadSqlite } from "./sqlite.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "baton-refusals-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function refusal(directory: string): Promise<StoreRefusal> {
  const opened = await openEmbeddedStore(directory);
  if (!opened.ok) {
    expect(opened.error.message).toMatch(/^[^\n]{5,200}$/);
    return opened.error;
  }
  await opened.value.close();
  return expect.fail("the store was opened");
}

/** Writes a database as another program, or another version, would. */
function writeDatabase(sql: string): void {
  const sqlite = loadSqlite(import.meta.url);
  assert(sqlite.ok, "SQLite");
  const database = sqlite.value.open(databasePath(folder));
  database.exec(sql);
  database.close();
}

test("a store of a newer version is refused and left as it is (F1)", async () => {
  const made = await openEmbeddedStore(folder);
  if (made.ok) await made.value.close();
  writeDatabase("PRAGMA user_version = 2");
  const bytes = readFileSync(databasePath(folder));
  const { kind, message } = await refusal(folder);
  expect(kind).toBe("newer-format");
  expect(message).toContain("its format is 2 and this version reads up to 1");
  expect(readFileSync(databasePath(folder))).toEqual(bytes);
});

test.each([
  ["of another program", "PRAGMA application_id = 77; CREATE TABLE t (a)"],
  ["without a mark", "CREATE TABLE t (a)"],
])("a database %s is refused and left as it is (F1)", async (_which, sql) => {
  writeDatabase(sql);
  const bytes = readFileSync(databasePath(folder));
  expect(await refusal(folder)).toMatchObject({ kind: "foreign" });
  expect(readFileSync(databasePath(folder))).toEqual(bytes);
});

test("a file that is no database is refused and left as it is (F1)", async () => {
  writeFileSync(
    databasePath(folder),
    "notes of a person, long enough to be looked at as a header of a file".repeat(20),
  );
  expect(await refusal(folder)).toMatchObject({ kind: "foreign" });
  expect(readFileSync(databasePath(folder), "utf8")).toContain("notes of a person");
});

test("a file where the directory shall be is named", async () => {
  writeFileSync(join(folder, "file"), "");
  expect(await refusal(join(folder, "file"))).toMatchObject({ kind: "in-the-way" });
  expect(await refusal(join(folder, "file", "store"))).toMatchObject({ kind: "in-the-way" });
  expect(await refusal(join(folder, "x".repeat(300)))).toMatchObject({ kind: "in-the-way" });
});

test("a directory where the database shall be is named", async () => {
  mkdirSync(databasePath(folder));
  expect(await refusal(folder)).toMatchObject({ kind: "no-permission" });
});

test.each([
  ["EACCES", "no-permission"],
  ["EROFS", "no-permission"],
  ["ENOSPC", "full"],
  ["EWHATEVER", "unavailable"],
])("the system's %s is a refusal of its own kind", (code, kind) => {
  expect(refusalOf(Object.assign(new Error("from the system"), { code }))).toMatchObject({ kind });
});

test.each([
  [5, "busy"],
  [1032, "no-permission"],
  [13, "full"],
  [11, "damaged"],
  [26, "foreign"],
  [10, "unavailable"],
])("SQLite's code %i is a refusal of its own kind", (errcode, kind) => {
  expect(refusalOf(Object.assign(new Error("from SQLite"), { errcode }))).toMatchObject({ kind });
});

test("an SQLite that can lose writes is not new enough", () => {
  for (const version of ["3.51.3", "3.51.10", "3.52.0", "4.0.0"]) expect(isNewEnough(version)).toBe(true);
  for (const version of ["3.51.2", "3.50.9", "3.9.9", "2.99.0", ""]) expect(isNewEnough(version)).toBe(false);
});
