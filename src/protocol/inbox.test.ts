/**
 * The assertion that every written document passes. Risk: it would let a broken document through.
 */
import { describe, expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import { claimed, completed, completion, created, sent, turnOf } from "./examples.ts";
import { assertInstance, inboxHead, pendingMessages, turnNumbered, unmovedTurns } from "./inbox.ts";

/** Turn 1 completed, turn 2 running, turn 3 queued. */
const sound = claimed(
  completed(claimed(sent(sent(sent(created(), "a"), "b"), "c"), "t1"), completion("t1")),
  "t2",
);
const [one, two, three] = [turnOf(sound, 1), turnOf(sound, 2), turnOf(sound, 3)];

describe("the inbox", () => {
  it("tells finished turns from the head and those behind it", () => {
    expect(unmovedTurns(sound)).toEqual([one]);
    expect(inboxHead(sound)).toBe(two);
    expect(pendingMessages(sound)).toBe(2);
    expect([0, 1, 3, 4].map((number) => turnNumbered(sound, number))).toEqual([null, one, three, null]);
  });

  const broken: [string, Partial<Instance>][] = [
    ["P1: a turn is missing", { turns: [one, two] }],
    ["P1: a turn stands twice", { turns: [one, two, two] }],
    ["P1: turns are out of order", { turns: [one, three, two] }],
    ["P1: the next number is wrong", { next_turn: 5 }],
    ["P1: a moved turn is still there", { history_through: 1 }],
    [
      "P2: a finished turn stands behind the head",
      { turns: [one, two, { ...one, number: 3, message_id: "c" }] },
    ],
    ["P3: two turns are active", { turns: [one, two, { ...two, number: 3, message_id: "c" }] }],
    ["P3: a turn behind the head waits", { turns: [one, two, { ...three, status: "waiting" }] }],
    ["P3: a running turn has no holder", { turns: [one, { ...two, holder: null }, three] }],
    ["P3: a queued turn has a holder", { turns: [one, { ...two, status: "queued" }, three] }],
    ["P5: a message has two turns", { turns: [one, two, { ...three, message_id: "a" }] }],
    ["P6: more turns are completed than finished", { completed_turns: 2 }],
  ];
  it.each(broken)("stops when %s", (claim, fields) => {
    expect(() => assertInstance(sound)).not.toThrow();
    expect(() => assertInstance({ ...sound, ...fields })).toThrow(claim.slice(0, 3));
  });

  it("P4: stops above the limit of pending messages", () => {
    const turns = Array.from({ length: LIMITS.pendingMessages + 1 }, (_, n) => ({
      ...three,
      number: n + 1,
      message_id: `m-${n}`,
    }));
    const full = { ...created(), turns, next_turn: turns.length + 1 };
    expect(() => assertInstance(full)).toThrow("P4");
    expect(() =>
      assertInstance({ ...full, turns: turns.slice(1), history_through: 1, completed_turns: 1 }),
    ).not.toThrow();
  });
});
