/**
 * Signals and a worker. Risk: a process that cannot be stopped, or one that drops its turns at the first word.
 */
import { describe, expect, it } from "vitest";
import { runUntilStopped } from "./stop-signals.ts";

/** Ends at the `most`-th stop. */
function work(most: number) {
  let stops = 0;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    run: () => ended,
    stop() {
      stops += 1;
      if (stops === most) end();
    },
    get stops() {
      return stops;
    },
  };
}

describe("a process that is told to end", () => {
  it("stops once at SIGTERM, and listens no more when the work has ended", async () => {
    const before = process.listenerCount("SIGTERM");
    const one = work(1);
    const running = runUntilStopped(one);
    expect(process.listenerCount("SIGTERM")).toBe(before + 1);
    process.emit("SIGTERM");
    await running;
    expect(one.stops).toBe(1);
    expect(process.listenerCount("SIGTERM")).toBe(before);
  });

  it("stops at once at the second SIGTERM, or at Ctrl-C", async () => {
    const second = work(2);
    const terminated = runUntilStopped(second);
    process.emit("SIGTERM");
    process.emit("SIGTERM");
    await terminated;
    const interrupted = work(2);
    const running = runUntilStopped(interrupted);
    process.emit("SIGINT");
    await running;
    expect([second.stops, interrupted.stops]).toEqual([2, 2]);
  });
});
