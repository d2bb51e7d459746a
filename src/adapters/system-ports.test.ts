/**
 * Risk: the machine's clock ends a sleep early, cannot be stopped, or an identifier does not fit its port.
 */
import { expect, test } from "vitest";
import { SYSTEM_IDS, SYSTEM_RANDOM, SystemClock } from "./system-ports.ts";

test("ten thousand ids are different, and each fits the port", () => {
  const ids = Array.from({ length: 10_000 }, () => SYSTEM_IDS.next());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

test("random numbers lie in their range and cover it", () => {
  const drawn = new Set(Array.from({ length: 1_000 }, () => SYSTEM_RANDOM.below(5, "test")));
  expect([...drawn].sort()).toEqual([0, 1, 2, 3, 4]);
});

test("a sleep lasts at least as long as asked (T2)", async () => {
  const clock = new SystemClock();
  for (const ms of [1, 2, 3, 5]) {
    const startMs = clock.monotonicMs();
    await clock.sleep(ms);
    expect(clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(ms);
  }
});

test("a stop ends the sleeps that go on and those that follow (T3)", async () => {
  const clock = new SystemClock({ background: true });
  const sleeping = [clock.sleep(3_600_000), clock.sleep(2 ** 40)];
  clock.stop();
  await Promise.all([...sleeping, clock.sleep(3_600_000)]);
  expect(clock.monotonicMs()).toBeLessThan(3_600_000);
});

test("a clock that is made wrong is wrong by what was asked, and tells whole milliseconds", () => {
  const late = new SystemClock({ offsetMs: -90_000.5 });
  expect(Math.abs(late.wallMs() - Date.now() + 90_000)).toBeLessThan(5_000);
  expect(Number.isInteger(late.wallMs())).toBe(true);
});

test("a clock that goes faster ends its sleeps sooner and never early by its own measure", async () => {
  const fast = new SystemClock({ rate: 1_000 });
  const [wallMs, startMs] = [fast.wallMs(), fast.monotonicMs()];
  await fast.sleep(20_000);
  expect(fast.monotonicMs() - startMs).toBeGreaterThanOrEqual(20_000);
  expect(fast.wallMs() - wallMs).toBeGreaterThanOrEqual(18_000);
  expect(() => new SystemClock({ rate: 0 })).toThrow("above 0");
});
