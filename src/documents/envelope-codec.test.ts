/**
 * Bodies of stored objects. Risk: a damaged or foreign object is taken for a good one.
 */
import { describe, expect, it } from "vitest";
import { created, sent } from "../protocol/examples.ts";
import { sha256 } from "../std/hash.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
import { indexCodec, instanceCodec } from "./codec.ts";
import { open, seal } from "./envelope.ts";
import { idPageCodec, segmentCodec } from "./record-codecs.ts";

const payload = { a: "é}", b: [1, null] };
const body = seal("baton.segment.v1", payload);

function why(text: string): string {
  const opened = open("baton.segment.v1", text);
  return opened.ok ? "it opens" : opened.error;
}

describe("the envelope", () => {
  it("is exactly the agreed text and opens to its payload", () => {
    const text = JSON.stringify(payload);
    expect(body).toBe(`{"format":"baton.segment.v1","sha256":"${sha256(text)}","document":${text}}`);
    expect(open("baton.segment.v1", body)).toEqual({ ok: true, value: payload });
    expect(JSON.parse(body).document).toEqual(payload);
  });

  it("detects a flipped bit at every position", () => {
    for (let position = 0; position < body.length; position++)
      for (const bit of [1, 2, 4, 8, 16, 32, 64]) {
        const flipped = String.fromCharCode(body.charCodeAt(position) ^ bit);
        expect(why(body.slice(0, position) + flipped + body.slice(position + 1))).not.toBe("it opens");
      }
  });

  it("detects every truncation, and a tail that was added", () => {
    for (let length = 0; length < body.length; length++)
      expect(why(body.slice(0, length))).not.toBe("it opens");
    for (const tail of ["}", " ", "\n", body]) expect(why(body + tail)).not.toBe("it opens");
  });

  it("says what is wrong: not JSON, no envelope, another format or version, a wrong checksum", () => {
    expect(why("")).toBe("it is not JSON");
    expect(why("<html>")).toBe("it is not JSON");
    expect(why("{}")).toBe("it does not begin with the format baton.segment.v1");
    expect(why(seal("baton.index.v1", payload))).toContain(
      "its format is baton.index.v1, not baton.segment.v1",
    );
    expect(why(body.replace("segment.v1", "segment.v2"))).toContain("was it written by another version?");
    expect(why(body.slice(0, -20))).toBe("it is not a whole baton.segment.v1 object");
    expect(why(body.replace("null", "0"))).toBe("its checksum does not match its content");
    const notJson = `{"format":"baton.segment.v1","sha256":"${sha256("[")}","document":[}`;
    expect(why(notJson)).toBe("its content is not JSON");
  });
});

const stamp = { sequence: 3, write_id: "w3", lineage: ["w2", "w1"] };
const instance = sent(created(), "m", { ["__proto__"]: 1, "10": "é", "9": [null] });
const entry: IndexEntry = {
  workflow_type: "t",
  version: "v",
  status: "idle",
  ready_at_ms: null,
  sequence: 3,
};

describe("codecs", () => {
  it("read back an instance as it was, and write the same text again", () => {
    const text = instanceCodec.encode(stamp, instance);
    const decoded = instanceCodec.decode(text);
    if (!decoded.ok) throw new Error(decoded.error);
    expect(decoded.value).toEqual({ stamp, value: instance });
    expect(instanceCodec.encode(decoded.value.stamp, decoded.value.value)).toBe(text);
  });

  it("read back an index with ids that mean something to objects", () => {
    const ids = ["__proto__", "constructor", "10", "9", "toString", "a", ".."];
    const index = new Map(ids.map((id) => [id, { ...entry, version: id }]));
    const removed = new Map(ids.map((id) => [id, 7]));
    const decoded = indexCodec.decode(indexCodec.encode(stamp, { entries: index, removed }));
    if (!decoded.ok) throw new Error(decoded.error);
    const { entries } = decoded.value.value;
    expect(new Map([...entries].sort())).toEqual(new Map([...index].sort()));
    expect(new Map([...decoded.value.value.removed].sort())).toEqual(new Map([...removed].sort()));
    expect(entries.get("__proto__")).toEqual({ ...entry, version: "__proto__" });
  });

  it("read back records of history, to the same text whoever writes them", () => {
    const segment = { workflow_id: "i-1", incarnation: "life-1", turns: instance.turns };
    const page = { workflow_id: "i-1", incarnation: "life-1", first: 1, marks: "abcd" };
    for (const [codec, record] of [
      [segmentCodec, segment],
      [idPageCodec, page],
    ] as const) {
      const text = (codec as typeof idPageCodec).encode(record as never);
      const decoded = codec.decode(text);
      if (!decoded.ok) throw new Error(decoded.error);
      expect(decoded.value).toEqual(record);
      expect((codec as typeof idPageCodec).encode(decoded.value as never)).toBe(text);
    }
  });

  it("refuse a payload whose fields are not those of its format", () => {
    const wrong: [{ decode(text: string): { ok: boolean } }, string][] = [
      [instanceCodec, seal("baton.instance.v1", null)],
      [instanceCodec, seal("baton.instance.v1", { value: instance as never })],
      [
        instanceCodec,
        seal("baton.instance.v1", { stamp: { ...stamp, sequence: 1.5 }, value: instance as never }),
      ],
      [instanceCodec, seal("baton.instance.v1", { stamp, value: { ...instance, turns: [null] } as never })],
      [instanceCodec, seal("baton.instance.v1", { stamp, value: [] })],
      [indexCodec, seal("baton.index.v1", { stamp, value: { entries: [] } })],
      [indexCodec, seal("baton.index.v1", { stamp, value: { entries: { a: {} } } })],
      [segmentCodec, seal("baton.segment.v1", { workflow_id: "i", incarnation: "l", turns: [1] })],
      [idPageCodec, seal("baton.ids.v1", { workflow_id: "i", incarnation: "l", first: "1", marks: "" })],
    ];
    for (const [codec, text] of wrong) expect(codec.decode(text)).toMatchObject({ ok: false });
  });
});
