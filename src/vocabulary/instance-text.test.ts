/**
 * Stored instances. Risk: a field that comes back as something else, or an instance that has two texts.
 */
import { expect, it } from "vitest";
import type { Instance } from "./instance.ts";
import { instanceOf, instanceText } from "./instance-text.ts";

const PLAIN: Instance = {
  id: "i-1",
  workflow_type: "order",
  version: "v1",
  incarnation: "life-1",
  life: 1,
  lease_ms: 60_000,
  max_attempts: 3,
  on_exhausted: "block",
  initial_digest: "d",
  created_at_ms: 1,
  updated_at_ms: 2,
  paused: false,
  state: null,
  completed_turns: 0,
  next_turn: 1,
  history_through: 0,
  history_pruned_through: 0,
  history_erased_through: 0,
  history_marks: [],
  history_layout: { segment_turns: 32, page_turns: 256 },
  history_ids: "",
  blobs: {},
  turns: [],
  deferred: [],
};

const OTHER: Instance = {
  ...PLAIN,
  life: 2,
  on_exhausted: "skip",
  paused: true,
  state: { n: [null] },
  completed_turns: 7,
  next_turn: 9,
  history_through: 6,
  history_pruned_through: 5,
  history_erased_through: 4,
  history_marks: [[6, 1_000]],
  history_layout: { segment_turns: 32, page_turns: 8 },
  history_ids: "abcd",
  blobs: { "blob:a": 8 },
  deferred: [{ id: "m", message: null, origin: { kind: "requeue" }, received_at_ms: 1, due_at_ms: 2 }],
};

it("what nearly every instance holds is not in its text, nor are its turns", () => {
  expect(instanceText(PLAIN)).toBe(
    '{"id":"i-1","workflow_type":"order","version":"v1","incarnation":"life-1","lease_ms":60000,' +
      '"max_attempts":3,"initial_digest":"d","created_at_ms":1,"updated_at_ms":2,"state":null,' +
      '"completed_turns":0,"next_turn":1}',
  );
});

it("a stored instance is read back whole with any one field other than usual, and has the same text again", () => {
  const fields = Object.keys(PLAIN).filter((field) => field !== "turns") as (keyof Instance)[];
  const edits = fields.map((field) => ({ ...PLAIN, [field]: OTHER[field] }));
  for (const instance of [
    ...edits,
    OTHER,
    { ...PLAIN, history_layout: { segment_turns: 1, page_turns: 256 } },
  ]) {
    const read = instanceOf(JSON.parse(instanceText(instance)), []);
    expect(read).toEqual(instance);
    expect(instanceText(read)).toBe(instanceText(instance));
    expect(Object.keys(read)).toEqual(Object.keys(PLAIN));
  }
});
