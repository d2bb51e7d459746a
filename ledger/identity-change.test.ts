/**
 * Risk: a write that does two things at once, or changes nothing, is counted under the wrong one.
 */
import { expect, it } from "vitest";
import { causeOfChange } from "./identity-change.ts";

const holder = { worker: "w", token: "t-1", deadline_ms: 5 };
const queued = { number: 2, status: "queued" };
const running = { number: 2, status: "running", holder, steps: [] };

function body(turns: readonly object[], history_through = 1): string {
  return JSON.stringify({ document: { stamp: {}, value: { history_through, turns } } });
}

it.each([
  ["a turn that is new", [], [queued], "admit"],
  ["a holder where there was none", [queued], [running], "claim"],
  ["another holder", [running], [{ ...running, holder: { ...holder, token: "t-2" } }], "claim"],
  ["a step more", [running], [{ ...running, steps: [{}] }], "checkpoint"],
  ["an operation", [running], [{ ...running, operation: { key: "k" } }], "operation"],
  ["a later deadline", [running], [{ ...running, holder: { ...holder, deadline_ms: 9 } }], "heartbeat"],
  ["an end", [running], [{ ...running, status: "completed", holder: null }], "complete"],
  ["an attempt that failed", [running], [queued], "complete"],
  [
    "an end with a continuation",
    [running],
    [
      { ...running, status: "completed" },
      { ...queued, number: 3 },
    ],
    "complete",
  ],
  ["nothing", [running], [running], null],
])("%s is told by what changed", (_, before, after, cause) => {
  expect(causeOfChange(body(before), body(after))).toBe(cause);
});

it("a turn that left is history's, and a body that is no identity tells nothing", () => {
  expect(
    causeOfChange(
      body([running, { number: 3, status: "queued" }]),
      body([{ number: 3, status: "queued" }], 2),
    ),
  ).toBe("history");
  expect(causeOfChange(body([]), body([], 2))).toBe("history");
  expect(causeOfChange("{}", body([]))).toBeNull();
});
