/**
 * Risk: a clock that is wrong in another way than it is said to be, or a sleep that ends early by its own clock.
 */
import { describe, expect, it } from "vitest";
import { EPOCH_MS, exactClock, setClock, VirtualClock, wallAt } from "./clock.ts";

/** A clock at virtual time 0 whose sleeps move time and end at once. */
function clockAt(settings: Parameters<typeof setClock>[1], startMs = 0) {
  let nowMs = startMs;
  const machine = exactClock();
  setClock(machine, settings);
  const wake = (delayMs: number, resolve: () => void) => {
    nowMs += delayMs;
    resolve();
  };
  return {
    clock: new VirtualClock(() => nowMs, machine, wake),
    pass: (ms: number) => (nowMs += ms),
    machine,
  };
}

describe("a machine's clock", () => {
  it("shows virtual time, plus drift and offset, cut to its tick (C1)", () => {
    const shown = (settings: Parameters<typeof setClock>[1], atMs: number) => {
      const machine = exactClock();
      setClock(machine, settings);
      return wallAt(machine, atMs) - EPOCH_MS;
    };
    expect(shown({}, 12_345)).toBe(12_345);
    expect(shown({ offsetMs: -60_000 }, 12_345)).toBe(-47_655);
    expect(shown({ driftPpm: 10_000 }, 12_345)).toBe(12_468);
    expect(shown({ driftPpm: -10_000 }, 12_345)).toBe(12_222);
    expect(shown({ tickMs: 1_000 }, 12_999)).toBe(12_000);
    expect(shown({ offsetMs: 5, driftPpm: 1_000, tickMs: 100 }, 100_000)).toBe(100_100);
  });

  it("steps by a new offset, also back, and leaves the monotonic clock alone (C2, C3)", () => {
    const { clock, pass, machine } = clockAt({ tickMs: 1_000 });
    pass(1_500);
    setClock(machine, { offsetMs: -10_000 });
    expect([clock.wallMs() - EPOCH_MS, clock.monotonicMs()]).toEqual([-9_000, 1_500]);
  });

  it("says in words what was set, and nothing when nothing changes", () => {
    const machine = exactClock();
    const settings = { offsetMs: 7, driftPpm: -20, tickMs: 1_000 };
    expect(setClock(machine, settings)).toEqual([
      ["drift", "-20 ppm"],
      ["tick", "1000 ms"],
      ["skew", "7 ms"],
    ]);
    expect(setClock(machine, settings)).toEqual([]);
    expect(setClock(machine, {})).toEqual([]);
  });

  it.each([0, 1, 999, 20_000, -20_000, 100_000, -100_000])(
    "sleeps at least its length by the clock of the sleeper, and little longer, with a drift of %d ppm (C4)",
    async (driftPpm) => {
      for (let startMs = 0; startMs < 40; startMs++)
        for (const ms of [1, 7, 100, 12_345]) {
          const { clock, pass } = clockAt({ driftPpm });
          pass(startMs);
          const before = clock.monotonicMs();
          await clock.sleep(ms);
          const slept = clock.monotonicMs() - before;
          expect(slept).toBeGreaterThanOrEqual(ms);
          expect(slept).toBeLessThanOrEqual(ms + 4);
        }
    },
  );
});
