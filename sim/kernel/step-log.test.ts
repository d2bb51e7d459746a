/**
 * Risk: two runs that differ look equal, or nobody can see where they part.
 */
import { describe, expect, it } from "vitest";
import { Fingerprint } from "./fingerprint.ts";
import { firstDivergence, StepLog } from "./step-log.ts";

function run(steps: (fingerprint: Fingerprint) => void): { log: StepLog; digest: string } {
  const log = new StepLog();
  const fingerprint = new Fingerprint(log);
  steps(fingerprint);
  return { log, digest: fingerprint.digest() };
}

const base = run((f) => {
  f.event("sleep", "node-1", 17, 40);
  f.draw("latency", 10, 3);
  f.event("sleep", null, 0, 42);
});

describe("a fingerprint", () => {
  it("is equal for equal steps, with and without a log", () => {
    const plain = new Fingerprint();
    plain.event("sleep", "node-1", 17, 40);
    plain.draw("latency", 10, 3);
    plain.event("sleep", null, 0, 42);
    expect(plain.digest()).toBe(base.digest);
    expect(plain.steps).toBe(3);
  });

  it("differs with any label, number, owner or time, and with the kind of a step", () => {
    const digests = [
      base.digest,
      run((f) => f.draw("latency", 10, 3)).digest,
      run((f) => f.draw("fault", 10, 3)).digest,
      run((f) => f.draw("latency", 11, 3)).digest,
      run((f) => f.draw("latency", 10, 4)).digest,
      run((f) => f.event("latency", null, 10, 3)).digest,
      run((f) => f.event("latency", null, 0, 3)).digest,
      run((f) => f.fact("latency", 3)).digest,
      run((f) => f.event("latency", null, 0, 4)).digest,
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });
});

describe("the first divergence", () => {
  it("of equal runs is null", () => {
    const again = run((f) => {
      f.event("sleep", "node-1", 17, 40);
      f.draw("latency", 10, 3);
      f.event("sleep", null, 0, 42);
    });
    expect(firstDivergence(base.log, again.log)).toBeNull();
  });

  it("shows both sides in words", () => {
    const other = run((f) => {
      f.event("sleep", "node-1", 17, 40);
      f.draw("latency", 10, 4);
      f.event("sleep", null, 0, 42);
    });
    expect(firstDivergence(base.log, other.log)).toEqual({
      step: 1,
      left: 'draw "latency" = 3 of 10, at 40 ms',
      right: 'draw "latency" = 4 of 10, at 40 ms',
    });
  });

  it("names the side that ended first", () => {
    const shorter = run((f) => f.event("sleep", "node-1", 17, 40));
    const found = firstDivergence(base.log, shorter.log);
    expect(found?.step).toBe(1);
    expect(found?.right).toBe("no step: the run ended after 1 steps");
    const event = firstDivergence(run((f) => f.event("sleep", null, 0, 7)).log, shorter.log);
    expect(event?.left).toBe('event "sleep" of the harness, at 7 ms');
    expect(event?.right).toBe('event "sleep" of node-1, at 40 ms');
  });
});
