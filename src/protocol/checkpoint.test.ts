/**
 * Checkpoints. Risk: a step saved twice, out of order, changed later, or past the limits.
 */
import { expect, it } from "vitest";
import { jsonBytes } from "../std/json.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import { turnText } from "../vocabulary/turn-text.ts";
import { checkpoint } from "./checkpoint.ts";
import {
  at,
  claimed,
  completed,
  completion,
  created,
  refused,
  sent,
  step,
  T0,
  turnOf,
  written,
} from "./examples.ts";

const running = claimed(sent(created({ lease_ms: 1_000 }), "m"), "t1");

function withSteps(count: number): Instance {
  let instance = running;
  for (let n = 0; n < count; n++) instance = written(checkpoint(instance, step("t1", n), at())).next;
  return instance;
}

/** What only sleeps and waits have. */
const PLAIN = { delay_ms: null, wake_at_ms: null, signal_name: null, child_id: null };

it("P14: appends the step with its time and the write's sequence", () => {
  const { next, reply } = written(checkpoint(withSteps(1), step("t1", 1, { output: [1] }), at(T0 + 2, 6)));
  expect(reply.steps).toEqual([
    { key: "step-0", kind: "step", output: 0, at_ms: T0, ...PLAIN },
    { key: "step-1", kind: "step", output: [1], at_ms: T0 + 2, ...PLAIN },
  ]);
  expect(reply.sequence).toBe(6);
  expect(next.state).toEqual(running.state);
});

it("P15: answers an exact repeat without a write, the order of its keys apart", () => {
  const saved = written(checkpoint(running, step("t1", 0, { output: { a: 1, b: 2 } }), at())).next;
  const repeat = step("t1", 0, { output: { b: 2, a: 1 } });
  expect(checkpoint(saved, repeat, at(T0 + 5))).toEqual({ kind: "answer", reply: turnOf(saved) });
});

it("P15: answers the attempt that held the turn last, after its lease, its takeover and the completion", () => {
  const saved = withSteps(1);
  expect(checkpoint(saved, step("t1", 0), at(T0 + 5_000)).kind).toBe("answer");
  const taken = claimed(saved, "t2", T0 + 1_000);
  expect(checkpoint(taken, step("t1", 0), at(T0 + 1_000)).kind).toBe("answer");
  expect(checkpoint(completed(saved, completion("t1")), step("t1", 0), at()).kind).toBe("answer");
});

it("P7: fences an exact repeat by a token that never held the turn", () => {
  expect(refused(checkpoint(withSteps(1), step("t9", 0), at()))).toMatchObject({ kind: "fenced" });
});

it.each([{ key: "other" }, { output: "other" }])("P14: conflicts with a saved step: %o", (other) => {
  const failure = refused(checkpoint(withSteps(1), step("t1", 0, other), at()));
  expect(failure).toMatchObject({ kind: "conflict", code: "step_conflict", param: "position" });
});

it("P14: refuses a hole and a key that is used", () => {
  expect(refused(checkpoint(running, step("t1", 1), at()))).toMatchObject({
    kind: "conflict",
    code: "step_out_of_order",
  });
  const failure = refused(checkpoint(withSteps(1), step("t1", 1, { key: "step-0" }), at()));
  expect(failure).toMatchObject({ kind: "conflict", code: "step_key_conflict", param: "key" });
});

it("saves the 64th step and refuses the 65th, and still answers repeats", () => {
  const below = withSteps(LIMITS.stepsPerTurn - 1);
  const full = written(checkpoint(below, step("t1", LIMITS.stepsPerTurn - 1), at())).next;
  expect(turnOf(full).steps.length).toBe(LIMITS.stepsPerTurn);
  const failure = refused(checkpoint(full, step("t1", LIMITS.stepsPerTurn), at()));
  expect(failure).toMatchObject({ kind: "over-limit", code: "too_many_steps" });
  expect(checkpoint(full, step("t1", LIMITS.stepsPerTurn - 1), at()).kind).toBe("answer");
});

it("stores a turn of 256 KiB and refuses one byte more", () => {
  let instance = running;
  for (let n = 0; n < 4; n++)
    instance = written(checkpoint(instance, step("t1", n, { output: "x".repeat(60 * 1024) }), at())).next;
  const sized = (chars: number) => step("t1", 4, { output: "x".repeat(chars) });
  const empty = written(checkpoint(instance, sized(0), at())).reply;
  const room = LIMITS.storedTurnBytes - Buffer.byteLength(turnText(empty));
  for (const chars of [room - 1, room]) {
    const { reply } = written(checkpoint(instance, sized(chars), at()));
    expect(Buffer.byteLength(turnText(reply))).toBe(LIMITS.storedTurnBytes - room + chars);
  }
  const failure = refused(checkpoint(instance, sized(room + 1), at()));
  expect(failure).toMatchObject({ kind: "over-limit", code: "turn_too_large" });
  expect(jsonBytes("é")).toBe(4);
});
