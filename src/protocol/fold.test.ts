/**
 * Risk: a step that was held back is lost with the write that completes its turn, stands at another place, or comes
 * back with a repeat.
 */
import { expect, it } from "vitest";
import { checkpoint } from "./checkpoint.ts";
import { complete } from "./complete.ts";
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

const running = () => claimed(sent(created(), "m-1"), "t");
const withOne = () => written(checkpoint(running(), step("t", 0), at())).next;
const fold = (position: number, key = `step-${position}`, output: number = position) => ({
  position,
  key,
  output,
});

it("saves the steps in the write that completes the turn", () => {
  const { next, reply } = written(
    complete(withOne(), completion("t", { steps: [fold(1), fold(2)] }), at(T0 + 5)),
  );
  expect(reply.status).toBe("completed");
  expect(turnOf(next).steps.map(({ key, kind, output, at_ms }) => [key, kind, output, at_ms])).toEqual([
    ["step-0", "step", 0, T0],
    ["step-1", "step", 1, T0 + 5],
    ["step-2", "step", 2, T0 + 5],
  ]);
});

it("leaves a step that was saved just so as it is", () => {
  const after = completed(withOne(), completion("t", { steps: [fold(0), fold(1)] }), T0 + 5);
  expect(turnOf(after).steps.map(({ at_ms }) => at_ms)).toEqual([T0, T0 + 5]);
});

it.each([
  ["step_out_of_order", [fold(2)]],
  ["step_conflict", [fold(0, "step-0", 7)]],
  ["step_conflict", [fold(0, "other")]],
  ["step_key_conflict", [fold(1, "step-0")]],
  ["step_key_conflict", [fold(1, "again"), fold(2, "again")]],
  ["too_many_steps", Array.from({ length: 64 }, (_, n) => fold(n + 1))],
])("refuses the whole completion with %s", (code, steps) => {
  expect(refused(complete(withOne(), completion("t", { steps }), at())).code).toBe(code);
});

it("refuses what does not fit the stored turn together", () => {
  const steps = [0, 1, 2, 3, 4].map((n) => ({ ...fold(n), output: "x".repeat(60 * 1024) }));
  expect(refused(complete(running(), completion("t", { steps }), at())).code).toBe("turn_too_large");
});

it("counts the steps as content of a repeat", () => {
  const request = completion("t", { steps: [fold(0)] });
  const after = completed(running(), request);
  expect(complete(after, request, at()).kind).toBe("answer");
  for (const steps of [[], [fold(0, "other")], [fold(0, "step-0", 1)]])
    expect(refused(complete(after, completion("t", { steps }), at())).code).toBe("completion_conflict");
});

it("takes an empty list for none", () => {
  const after = completed(running(), completion("t", { steps: [] }));
  expect(complete(after, completion("t"), at()).kind).toBe("answer");
});
