/**
 * Risk: a copy of a store lacks an object, mixes two stores, or leaves half of it somewhere as if it were whole.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openEmbeddedStore } from "../../adapters/embedded/embedded-store.ts";
import { MemoryStore } from "../../adapters/memory-store.ts";
import { lostAnswer, lostRequest, ScriptedStore } from "../../adapters/scripted-store.ts";
import { NO_CONDITION, type ObjectStore } from "../../ports/index.ts";
import { runLine } from "../example-io.ts";
import { packageShelf } from "../shelf.ts";
import { exportFiles, importFiles, type Waits } from "./store-files.ts";

const WAITS: Waits = { sleep: () => Promise.resolve(), interrupted: () => false };
const OBJECTS = {
  "tenants/local/a.json": '{"format":"x"}',
  "tenants/local/a.json/b": "below another object",
  "../../outside": "stays inside",
  "/": "",
  "na\u0000me é 漢": "\ufeffé\r\n\u0000",
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "baton-copies-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function filled(store: ObjectStore, objects: { readonly [key: string]: string }): Promise<ObjectStore> {
  for (const [key, body] of Object.entries(objects)) await store.put(key, body, NO_CONDITION);
  return store;
}

async function content(store: ObjectStore): Promise<{ readonly [key: string]: string }> {
  const page = await store.list({ prefix: "", cursor: null, limit: 1_000 });
  const found: { [key: string]: string } = {};
  for (const { key } of page.kind === "ok" ? page.entries : []) {
    const got = await store.get(key);
    found[key] = got.kind === "ok" ? got.body : got.kind;
  }
  return found;
}

const out = () => join(folder, "out");
const exported = async (store: ObjectStore) => exportFiles(store, out(), WAITS, () => undefined);
const imported = async (store: ObjectStore, waits = WAITS) =>
  importFiles(store, out(), waits, () => undefined);

test("what went out comes in again, and lies nowhere else", async () => {
  const store = await filled(new MemoryStore(), { ...OBJECTS, "store-probe/record.json": "of this bucket" });
  expect(await exported(store)).toBe(5);
  expect(readdirSync(folder)).toEqual(["out"]);
  expect(readFileSync(join(out(), "objects", "tenants", "local", "a.json"), "utf8")).toBe('{"format":"x"}');
  const other = await filled(new MemoryStore(), { "store-probe/record.json": "of that bucket" });
  expect(await imported(other)).toEqual({ objects: 5, before: 0 });
  expect(await content(other)).toEqual({ ...OBJECTS, "store-probe/record.json": "of that bucket" });
});

test("a store of several pages is copied whole", async () => {
  const many = Object.fromEntries(Array.from({ length: 2_345 }, (_, i) => [`k/${i}`, `${i}`]));
  expect(await exported(await filled(new MemoryStore(), many))).toBe(2_345);
  const other = new MemoryStore();
  await imported(other);
  expect(await imported(other)).toEqual({ objects: 2_345, before: 2_345 });
});

test("an export that was cut off is no export, and the next one takes its place (Z1)", async () => {
  const store = await filled(new MemoryStore(), OBJECTS);
  let looks = 0;
  const cut = { ...WAITS, interrupted: () => ++looks > 0 };
  await expect(exportFiles(store, out(), cut, () => undefined)).rejects.toThrow("Ctrl-C");
  expect(existsSync(out())).toBe(false);
  expect(await exported(store)).toBe(5);
  expect(readdirSync(folder)).toEqual(["out"]);
  await expect(exported(store)).rejects.toThrow("is there already");
});

test("a stranger's folder is not taken away (Z1)", async () => {
  mkdirSync(join(folder, "out.unfinished"));
  await expect(exported(new MemoryStore())).rejects.toThrow("in the way");
});

test("an import that was cut off goes on, also over writes whose answers were lost (Z3)", async () => {
  await exported(await filled(new MemoryStore(), OBJECTS));
  const store = new ScriptedStore();
  store.puts = [lostAnswer, lostRequest];
  let looks = 0;
  await expect(imported(store, { ...WAITS, interrupted: () => ++looks > 4 })).rejects.toThrow("Ctrl-C");
  expect((await imported(store)).objects).toBe(5);
  expect(await content(store.beneath)).toEqual(OBJECTS);
});

test.each([
  ["another body", { "tenants/local/a.json": "other" }],
  ["another key", { stranger: "x" }],
])(
  "a store that holds %s is left as it is (Z3)",
  async (_which, objects: { readonly [key: string]: string }) => {
    await exported(await filled(new MemoryStore(), OBJECTS));
    const store = await filled(new MemoryStore(), objects);
    await expect(imported(store)).rejects.toThrow("holds other objects");
    expect(await content(store)).toEqual(objects);
  },
);

test.each([
  ["lost a file", () => rmSync(join(out(), "objects", "%"), { recursive: true }), "it is not whole"],
  ["lost its manifest", () => rmSync(join(out(), "baton-export.json")), "is no export"],
  ["has a file of a stranger", () => writeFileSync(join(out(), "objects", "notes.txt"), ""), "is no object"],
  ["has a link", () => symlinkSync("/etc/hostname", join(out(), "objects", "x.json")), "neither a file"],
  [
    "has bytes that are no text",
    () => writeFileSync(join(out(), "objects", "b.json"), Buffer.of(0xff)),
    "no UTF-8",
  ],
])("of a folder that %s nothing goes in (Z2)", async (_what, damage, why) => {
  await exported(await filled(new MemoryStore(), OBJECTS));
  damage();
  const store = new MemoryStore();
  await expect(imported(store)).rejects.toThrow(why);
  expect(await content(store)).toEqual({});
});

test("the commands copy an embedded store and say so", async () => {
  const opened = await openEmbeddedStore(join(folder, "one"));
  if (!opened.ok) return expect.fail(opened.error.message);
  await filled(opened.value, OBJECTS);
  await opened.value.close();
  const line = (text: string) => runLine(text, packageShelf(), folder);
  expect(await line("store export out --store one")).toMatchObject({ code: 0, err: "" });
  expect(await line("store import out --store two")).toMatchObject({
    code: 0,
    out: `5 objects of ${join(folder, "out")} are in ${join(folder, "two")}\n`,
  });
  expect(await line("store import out --store two")).toMatchObject({
    code: 0,
    out: expect.stringContaining("5 were there"),
  });
  expect(await line("store export out --store two")).toMatchObject({
    code: 1,
    err: expect.stringContaining("is there already"),
  });
  expect(await line("store export more --store none")).toMatchObject({
    code: 2,
    err: expect.stringContaining("no store in"),
  });
  expect(existsSync(join(folder, "none"))).toBe(false);
  expect(await line("store import nowhere --store two")).toMatchObject({ code: 2 });
});
