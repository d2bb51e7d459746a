/**
 * Risk: a search that accepts what no order explains, refuses what one does, or passes what it gave up on.
 */
import { expect, test } from "vitest";
import { linearize, type Operation } from "./search.ts";

type Register = Operation<number> & { readonly name: string };

function write(value: number, invokedMs: number, answeredMs = Number.POSITIVE_INFINITY): Register {
  const open = answeredMs === Number.POSITIVE_INFINITY;
  const step = (state: number) => (open && state === value ? null : value);
  return { name: `write ${value}`, invokedMs, answeredMs, step };
}
function read(value: number, invokedMs: number, answeredMs: number): Register {
  const step = (state: number) => (state === value ? state : null);
  return { name: `read ${value}`, invokedMs, answeredMs, step };
}
function judge(operations: readonly Register[], mostSteps = 1_000): string {
  return linearize(operations, 0, mostSteps).kind;
}

test("a read sees the write before it, and not the one before that", () => {
  expect(judge([write(1, 0, 1), write(2, 2, 3), read(2, 4, 5)])).toBe("linearizable");
  expect(judge([write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)])).toBe("not-linearizable");
});

test("operations that overlap may come in any order", () => {
  expect(judge([write(1, 0, 9), write(2, 0, 9), read(1, 2, 3), read(2, 4, 5)])).toBe("linearizable");
  expect(judge([write(1, 0, 9), read(1, 2, 3), read(0, 4, 5)])).toBe("not-linearizable");
});

test("an answer and a call of the same moment may come in either order", () => {
  expect(judge([write(1, 0, 5), read(0, 5, 6)])).toBe("linearizable");
  expect(judge([write(1, 0, 5), read(0, 6, 7)])).toBe("not-linearizable");
});

test("an open write may count late or never, but not before it was sent and not twice", () => {
  expect(judge([write(1, 0), read(0, 10, 11), read(1, 20, 21)])).toBe("linearizable");
  expect(judge([write(1, 0), read(0, 10, 11), read(0, 20, 21)])).toBe("linearizable");
  expect(judge([read(1, 0, 1), write(1, 2)])).toBe("not-linearizable");
  expect(judge([write(1, 0), read(1, 10, 11), write(2, 12, 13), read(1, 14, 15)])).toBe("not-linearizable");
});

test("what could not be placed is named", () => {
  const verdict = linearize([write(1, 0, 1), read(1, 2, 3), read(7, 4, 5)], 0, 1_000);
  expect(verdict).toMatchObject({ kind: "not-linearizable", stuck: [{ name: "read 7" }], state: 1 });
});

test("a search that ends at its bound decides nothing", () => {
  const operations = Array.from({ length: 12 }, (_, i) => write(i, 0, 100));
  expect(judge([...operations, read(99, 101, 102)], 200)).toBe("undecided");
});

test("dead ends are remembered: many open writes are decided within a small bound", () => {
  const open = Array.from({ length: 12 }, (_, i) => write(i + 1, 0));
  expect(judge([...open, read(99, 1, 2)], 200_000)).toBe("not-linearizable");
});
