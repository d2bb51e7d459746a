/**
 * Hashes and assertions. Risk: names that change between machines, a defect that is taken for an answer.
 */
import { describe, expect, it } from "vitest";
import { AssertionError, assert, present, unreachable } from "./assert.ts";
import { fnv1a, RollingHash, sha256 } from "./hash.ts";

describe("hashes", () => {
  it("sha256 is that of the UTF-8 text", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
  });

  it("fnv1a has its published values", () => {
    expect([fnv1a(""), fnv1a("a"), fnv1a("foobar")]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
  });

  it("the rolling hash tells order, value and length apart, beyond 32 bits too", () => {
    const digest = (...values: number[]) => {
      const rolling = new RollingHash();
      for (const value of values) rolling.add(value);
      return rolling.digest();
    };
    const all = [
      digest(),
      digest(0),
      digest(0, 0),
      digest(1, 2),
      digest(2, 1),
      digest(1),
      digest(1 + 2 ** 32),
      digest(2 ** 53 - 1),
      digest(-1),
    ];
    expect(new Set(all).size).toBe(all.length);
    for (const one of all) expect(one).toMatch(/^[0-9a-f]{16}$/);
    expect(digest(1, 2)).toBe(digest(1, 2));
    expect(digest(1.9)).toBe(digest(1));
  });

  it("the rolling hash has the same value on every machine", () => {
    const rolling = new RollingHash();
    for (let n = 0; n < 1_000; n++) rolling.add(n * n * 12_345_678_901);
    expect(rolling.digest()).toMatchInlineSnapshot(`"4801ca8b36719311"`);
  });
});

describe("assertions", () => {
  it("stop with their message and are never an ordinary error", () => {
    expect(() => assert(false, "P1 holds")).toThrow(new AssertionError("P1 holds"));
    expect(() => assert(true, "P1 holds")).not.toThrow();
  });

  it("present keeps falsy values and stops at null and undefined", () => {
    expect([present(0, "n"), present("", "s"), present(false, "b")]).toEqual([0, "", false]);
    expect(() => present(null, "the head")).toThrow("the head must be present");
    expect(() => present(undefined, "the head")).toThrow(AssertionError);
  });

  it("an impossible case is named", () => {
    expect(() => unreachable({ kind: "new" } as never)).toThrow('unreachable case: {"kind":"new"}');
  });
});
