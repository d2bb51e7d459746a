/**
 * Keys and the status table. Risk: two things under one key, a foreign key taken for an instance, an answer read
 * as more than it says.
 */
import { describe, expect, it } from "vitest";
import { IF_ABSENT, ifMatch, type PutOutcome } from "../ports/object-store.ts";
import { Keys } from "./keys.ts";
import { meaningOf, SLOW_DOWN_MS } from "./status-table.ts";

const keys = new Keys({ tenant: "acme", graph: "main", epoch: 3 });
const OWNER = { id: "i-1", life: 1 };
const ROOT = "tenants/acme/graphs/main/branches/main/workflows/v2/epoch=3/";

describe("keys", () => {
  it("are those of the agreed layout", () => {
    expect(keys.instance("i-1")).toBe(`${ROOT}state/instances/i-1.json`);
    expect(keys.index).toBe(`${ROOT}state/index.json`);
    expect(keys.segment(OWNER, 33)).toBe(`${ROOT}history/i-i-1/segments/000000000033.json`);
    expect(keys.idPage(OWNER, 257)).toBe(`${ROOT}history/i-i-1/ids/000000000257.json`);
    expect(keys.segment({ id: "i-1", life: 2 }, 1)).toBe(`${ROOT}history/i-i-1@2/segments/000000000001.json`);
    expect(keys.effectScope).toBe("acme/main/3");
  });

  it("of segments stand in the order of their numbers", () => {
    const numbers = [1, 2, 9, 10, 99, 100, 1_000_000];
    const sorted = numbers.map((number) => keys.segment(OWNER, number)).sort();
    expect(sorted).toEqual(numbers.map((number) => keys.segment(OWNER, number)));
  });

  it.each(["a", "a-b", "a.b", "i-1", ".", "..", "__proto__", ".json", "index"])(
    "give the id %s back",
    (id) => {
      expect(keys.instanceId(keys.instance(id))).toBe(id);
      expect(keys.instance(id)).not.toBe(keys.index);
    },
  );

  it("of something else are no instance's", () => {
    const others = [
      "",
      "a",
      "a.json.bak",
      ".json",
      "a/b.json",
      "é.json",
      "a b.json",
      `${"x".repeat(129)}.json`,
    ];
    for (const name of others) expect(keys.instanceId(`${keys.instances}${name}`)).toBeNull();
    expect(keys.instanceId(keys.index)).toBeNull();
    expect(keys.instanceId(new Keys({ tenant: "acme", graph: "main", epoch: 4 }).instance("a"))).toBeNull();
  });
});

describe("the status table", () => {
  const applied = { kind: "applied", etag: "e" };
  const refused = { kind: "refused" };
  const unknown = { kind: "unknown", waitMs: 0 };
  const rows: [PutOutcome, object, object][] = [
    [{ kind: "ok", etag: "e" }, applied, applied],
    [{ kind: "precondition-failed" }, refused, refused],
    [{ kind: "not-found" }, unknown, refused],
    [{ kind: "conflict" }, unknown, unknown],
    [
      { kind: "throttled", retryAfterMs: null },
      { ...unknown, waitMs: SLOW_DOWN_MS },
      { ...unknown, waitMs: SLOW_DOWN_MS },
    ],
    [
      { kind: "throttled", retryAfterMs: 70 },
      { ...unknown, waitMs: 70 },
      { ...unknown, waitMs: 70 },
    ],
    [{ kind: "unknown-outcome", detail: "reset" }, unknown, unknown],
  ];
  it.each(rows)("reads %o as stated, for a create and for an update", (outcome, create, update) => {
    expect(meaningOf(outcome, IF_ABSENT)).toEqual(create);
    expect(meaningOf(outcome, ifMatch("x"))).toEqual(update);
  });
});
