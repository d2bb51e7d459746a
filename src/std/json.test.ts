/**
 * JSON values, their canonical text and their size. Risk: a value that is stored as another one than was given, or
 * a repeat that is not recognised.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, sameJson } from "./canonical-json.ts";
import { copyJson, isJson, isJsonObject, type Json, jsonBytes, parseJson } from "./json.ts";

const json = fc.jsonValue() as fc.Arbitrary<Json>;

function nested(depth: number): Json {
  let value: Json = [];
  for (let n = 1; n < depth; n++) value = [value];
  return value;
}

/** The same value with the keys of every object in the opposite order. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

describe("isJson", () => {
  it("accepts what JSON text can hold", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(isJson(value)).toBe(true);
      }),
    );
    for (const text of ['{"__proto__":{"a":1}}', '{"toJSON":1}', '"\\ud800"', "-0"])
      expect(isJson(JSON.parse(text))).toBe(true);
    expect(isJson(Object.create(null))).toBe(true);
  });

  it("refuses what JSON text cannot hold", () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const never = [undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, Symbol("s"), () => 1, cyclic];
    for (const value of never) {
      expect(isJson(value)).toBe(false);
      expect(isJson({ inner: [value] })).toBe(false);
    }
  });

  it("refuses what would be stored as another value than was given", () => {
    const changed = [
      new Date(0),
      new Map([[1, 2]]),
      new Set([1]),
      new Array(2),
      { toJSON: () => 1 },
      new Error("x"),
    ];
    for (const value of changed) expect(isJson({ inner: value })).toBe(false);
  });

  it("refuses nesting that overflows stacks", () => {
    expect(isJson(nested(201))).toBe(true);
    expect(isJson(nested(202))).toBe(false);
    expect(isJson(nested(50_000))).toBe(false);
  });
});

describe("canonical JSON", () => {
  it("is one text for a value, whatever the order of its keys, and reads back as the value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("orders keys by their code units and keeps every value as JSON writes it", () => {
    const value = { "\u{1f600}": 1, "\uff42": 2, b: [3, { z: null, a: "\u20ac\n" }], "10": 4, "9": 1e21 };
    expect(canonicalJson(value)).toBe(
      '{"10":4,"9":1e+21,"b":[3,{"a":"\u20ac\\n","z":null}],"\u{1f600}":1,"\uff42":2}',
    );
  });

  it("keeps a lone surrogate, which JSON text can hold, apart from others", () => {
    expect(canonicalJson(["\ud800"])).toBe('["\\ud800"]');
    expect(sameJson(["\ud800"], ["\ud800"])).toBe(true);
    expect(sameJson(["\ud800"], ["\udbff"])).toBe(false);
  });

  it("tells different values apart", () => {
    const pairs: [Json, Json][] = [
      [1, "1"],
      [null, 0],
      [[], {}],
      [{ a: 1 }, { a: 2 }],
      [
        [1, 2],
        [2, 1],
      ],
      [null, {}],
    ];
    for (const [a, b] of pairs) {
      expect(sameJson(a, b)).toBe(false);
      expect(sameJson(b, a)).toBe(false);
    }
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(sameJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
        expect(sameJson(a, reversed(a))).toBe(true);
      }),
    );
  });
});

it("counts the UTF-8 bytes of the text", () => {
  expect(jsonBytes(null)).toBe(4);
  expect(jsonBytes("é")).toBe(4);
  expect(jsonBytes("\u{1f600}")).toBe(6);
  expect(jsonBytes("\ud800")).toBe(8);
  fc.assert(
    fc.property(json, (value) => {
      expect(jsonBytes(value)).toBe(Buffer.from(JSON.stringify(value)).length);
    }),
  );
});

it("answers undefined for text that is not JSON", () => {
  for (const text of ["", "{", "undefined", "{'a':1}"]) expect(parseJson(text)).toBeUndefined();
  expect(parseJson(" [1] ")).toEqual([1]);
});

it("copies a value whole and shares nothing with the copy", () => {
  const shared = (a: Json, b: Json): boolean =>
    typeof a === "object" &&
    a !== null &&
    (a === b ||
      Object.entries(a).some(([key, inner]) => shared(inner, (b as { [key: string]: Json })[key] ?? null)));
  fc.assert(
    fc.property(json, (value) => {
      expect(copyJson(value)).toEqual(value);
      expect(shared(value, copyJson(value))).toBe(false);
    }),
  );
  const odd = JSON.parse('{"__proto__":[1],"b":1,"a":2}');
  expect(JSON.stringify(copyJson(odd))).toBe('{"__proto__":[1],"b":1,"a":2}');
});
