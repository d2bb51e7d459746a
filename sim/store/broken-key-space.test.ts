/**
 * Each broken store departs from the contract as its name says, counts that, and is sound otherwise.
 * Risk: a broken store that is not broken, so that what the probe and the checkers see of it proves nothing.
 */
import { describe, expect, it } from "vitest";
import { IF_ABSENT, ifMatch, type ListOutcome, NO_CONDITION } from "../../src/ports/object-store.ts";
import { present } from "../../src/std/assert.ts";
import { profileNamed } from "./profiles/index.ts";
import { openBench, type StoreBench } from "./store-bench.ts";

function bench(name: string, draws: { readonly [label: string]: number } = {}): Promise<StoreBench> {
  return openBench(draws, present(profileNamed(name), name));
}

const put = (
  on: StoreBench,
  process: string,
  body: string,
  condition: Parameters<typeof ifMatch>[0] | null,
) =>
  on.ask(
    () => on.client(process).put("k", body, condition === null ? IF_ABSENT : ifMatch(condition)),
    on.now() + 5,
  );

async function etagOf(on: StoreBench): Promise<string> {
  return present(on.store.object("k"), "the object").etag;
}

describe("broken conditions", () => {
  it("are ignored: every write is taken", async () => {
    const on = await bench("conditions-ignored");
    for (const body of ["one", "two"]) expect(await put(on, "a", body, null)).toMatchObject({ kind: "ok" });
    expect(on.bodies("k")).toEqual(["one", "two"]);
    expect(on.faults.counted).toEqual(["F08-condition"]);
  });

  it("are checked some milliseconds before the write: two writers at once both succeed, later ones do not", async () => {
    const on = await bench("conditions-not-atomic");
    expect(await put(on, "a", "one", null)).toMatchObject({ kind: "ok" });
    expect(await put(on, "b", "two", null)).toMatchObject({ kind: "ok" });
    await on.pass(50);
    expect(await put(on, "b", "three", null)).toEqual({ kind: "precondition-failed" });
  });

  it("are checked per endpoint: one process sees its own writes at once, another endpoint's later", async () => {
    const on = await bench("conditions-per-endpoint");
    expect(await put(on, "a", "one", null)).toMatchObject({ kind: "ok" });
    expect(await put(on, "a", "again", null)).toEqual({ kind: "precondition-failed" });
    expect(await put(on, "b", "two", null)).toMatchObject({ kind: "ok" });
    await on.pass(50);
    expect(await put(on, "a", "three", null)).toEqual({ kind: "precondition-failed" });
  });

  it("refuse to create what was deleted, and take an if-match on a missing key for a create", async () => {
    const on = await bench("recreate-refused");
    await put(on, "a", "one", null);
    await on.ask(() => on.client("a").delete("k", NO_CONDITION));
    expect(await put(on, "a", "two", null)).toEqual({ kind: "precondition-failed" });
    const other = await bench("missing-key-creates");
    expect(await put(other, "a", "one", "x")).toMatchObject({ kind: "ok" });
    expect(await put(other, "a", "two", "x")).toEqual({ kind: "precondition-failed" });
    expect(other.faults.counted).toEqual(["F07-status"]);
  });
});

describe("etags by second and length", () => {
  it("are the same for two bodies of one length in one second, and differ otherwise", async () => {
    const on = await bench("etag-by-mtime");
    await put(on, "a", "one", null);
    const first = await etagOf(on);
    expect(await put(on, "a", "two", first)).toMatchObject({ kind: "ok", etag: first });
    expect(on.faults.counted).toEqual(["F09-etag-alias"]);
    expect(await put(on, "a", "longer", first)).not.toMatchObject({ etag: first });
  });
});

describe("stale reads", () => {
  const read = (on: StoreBench, process: string) => on.ask(() => on.client(process).get("k"), on.now() + 5);

  it("come by a draw from a replica that is half a second behind", async () => {
    const on = await bench("stale-reads", { "store-replica": 1 });
    await put(on, "a", "one", null);
    expect(await read(on, "a")).toEqual({ kind: "not-found" });
    await on.pass(600);
    expect(await read(on, "a")).toMatchObject({ body: "one" });
    expect(on.faults.counted).toEqual(["F10-stale-read"]);
  });

  it("come from the reader's cache, which knows its own writes and forgets after three seconds", async () => {
    const on = await bench("stale-reads-of-others");
    expect(await read(on, "b")).toEqual({ kind: "not-found" });
    await put(on, "a", "one", null);
    expect(await read(on, "b")).toEqual({ kind: "not-found" });
    expect(await read(on, "a")).toMatchObject({ body: "one" });
    await on.pass(3_000);
    expect(await read(on, "b")).toMatchObject({ body: "one" });
    await put(on, "b", "two", await etagOf(on));
    expect(await read(on, "b")).toMatchObject({ body: "two" });
  });
});

describe("pages whose edges do not meet", () => {
  it.each([
    ["list-skips", ["a", "b", "d"]],
    ["list-repeats", ["a", "b", "b", "c", "d"]],
  ])("%s", async (name, keys) => {
    const on = await bench(name);
    for (const key of ["a", "b", "c", "d"]) await on.ask(() => on.client("a").put(key, "x", IF_ABSENT));
    const shown: string[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < 5 && (pages === 0 || cursor !== null); pages++) {
      const at: string | null = cursor;
      const page: ListOutcome | "no answer yet" = await on.ask(() =>
        on.client("a").list({ prefix: "", cursor: at, limit: 2 }),
      );
      if (page === "no answer yet" || page.kind !== "ok") return expect.fail("the page was refused");
      shown.push(...page.entries.map(({ key }) => key));
      cursor = page.next;
    }
    expect(shown).toEqual(keys);
    expect(on.faults.counted).toEqual(["F11-list"]);
  });
});
