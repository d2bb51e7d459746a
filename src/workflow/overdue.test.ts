/**
 * Risk: a worker that was frozen sends a call again before the timer that ends its work has fired.
 */
import { expect, test } from "vitest";
import type { Clock } from "../ports/clock.ts";
import { endsByClock } from "./overdue.ts";
import { withRetries } from "./retries.ts";
import { within } from "./waiting.ts";

/** A clock that a freeze of ten seconds stops at its second sleep, and whose time limits never fire. */
function frozenClock(): Clock & { readonly sleeps: number[] } {
  const sleeps: number[] = [];
  let nowMs = 0;
  return {
    sleeps,
    wallMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep(ms) {
      sleeps.push(ms);
      if (ms >= 1_000) return new Promise(() => undefined);
      nowMs += sleeps.length === 2 ? 10_000 : ms;
      return Promise.resolve();
    },
  };
}

const random = { below: () => 7 };
const open = async () => ({ value: "open", again: { afterMs: null } });

test("a repeat that wakes after the end of its work is not made, whatever became of the timer", async () => {
  const clock = frozenClock();
  const work = new AbortController();
  endsByClock(work.signal, () => {
    if (clock.monotonicMs() >= 2_000) work.abort();
  });
  let attempts = 0;
  const attempt = () => {
    attempts++;
    return open();
  };
  expect(await withRetries({ clock, random }, attempt, work.signal)).toBe("open");
  expect([attempts, work.signal.aborted]).toEqual([1, true]);
});

test.each([
  ["its own time is over", 2_000, 60_000],
  ["that of what it is part of is over", 60_000, 2_000],
])("work with a time limit is not repeated when %s", async (_what, ownMs, outerMs) => {
  const clock = frozenClock();
  const outer = new AbortController();
  endsByClock(outer.signal, () => {
    if (clock.monotonicMs() >= outerMs) outer.abort();
  });
  let attempts = 0;
  const attempt = () => {
    attempts++;
    return open();
  };
  const waited = await within(clock, ownMs, outer.signal, (signal) =>
    withRetries({ clock, random }, attempt, signal),
  );
  expect([waited.kind, attempts]).toEqual(["over", 1]);
});
