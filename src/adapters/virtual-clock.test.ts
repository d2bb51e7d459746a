/**
 * The clock of the worker's tests. Risk: a test that passes because time passed in another order than it thinks.
 */
import { describe, expect, it } from "vitest";
import { VirtualClock } from "./virtual-clock.ts";

describe("the virtual clock", () => {
  it("wakes sleepers in the order of their times, and lets each one finish before the next", async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    const sleeper = async (name: string, ms: number) => {
      await clock.sleep(ms);
      seen.push(`${name} ${clock.monotonicMs()}`);
      await clock.sleep(1);
      seen.push(`${name} ${clock.monotonicMs()}`);
    };
    await clock.until(Promise.all([sleeper("late", 30), sleeper("early", 10)]));
    expect(seen).toEqual(["early 10", "early 11", "late 30", "late 31"]);
    expect(clock.wallMs()).toBe(1_000_031);
  });

  it("ends a sleep whose signal aborts, and forgets it", async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const slept = clock.sleep(1_000, stop.signal);
    expect(clock.sleeping).toBe(1);
    stop.abort();
    await slept;
    expect([clock.sleeping, clock.monotonicMs()]).toEqual([0, 0]);
  });

  it("passes exactly the time that it is asked to pass", async () => {
    const clock = new VirtualClock();
    let woken = false;
    const slept = clock.sleep(11).then(() => {
      woken = true;
    });
    await clock.pass(10);
    expect([woken, clock.monotonicMs()]).toEqual([false, 10]);
    await clock.pass(10);
    await slept;
    expect([woken, clock.monotonicMs()]).toEqual([true, 20]);
  });

  it("says so when the work waits for something that never comes", async () => {
    const clock = new VirtualClock();
    await expect(clock.until(new Promise(() => undefined))).rejects.toThrow("somebody sleeps");
  });
});
