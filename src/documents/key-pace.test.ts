/**
 * Risk: a store that takes one write of a key in a second is stormed, or a key that was refused once is slow for good.
 */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import { SILENT } from "../ports/trace.ts";
import { answer, write } from "../protocol/decision.ts";
import { CALLER } from "./backoff.ts";
import { conditionalWrite } from "./conditional-write.ts";
import { KeyPace } from "./key-pace.ts";
import { MARKS_KEY, marksCodec } from "./marks.ts";

const TAKEN = { kind: "ok", etag: "e" } as const;
const THROTTLED = { kind: "throttled", retryAfterMs: null } as const;

describe("writes of one key", () => {
  it("B1: keep the configured distance, counted from the answer, also when several wait at once", () => {
    const pace = new KeyPace(1);
    expect([pace.waitMs("k", 0), pace.waitMs("k", 0), pace.waitMs("other", 0)]).toEqual([0, 1_000, 0]);
    pace.answered("k", TAKEN, 1_080);
    expect(pace.waitMs("k", 1_100)).toBe(980);
  });

  it("B1: come close together as long as a second has no more of them than it may", () => {
    const pace = new KeyPace(3);
    const begun: number[] = [];
    for (let nowMs = 0; begun.length < 9; ) {
      nowMs += pace.waitMs("k", nowMs);
      begun.push(nowMs);
      nowMs += 60;
      pace.answered("k", TAKEN, nowMs);
    }
    expect(begun).toEqual([0, 60, 120, 1_060, 1_120, 1_180, 2_120, 2_180, 2_240]);
  });

  it("B1: leave room for the version that a read has found, once", () => {
    const pace = new KeyPace(2);
    pace.answered("k", TAKEN, 100);
    pace.found("k", "e", 200);
    expect(pace.waitMs("k", 300)).toBe(0);
    pace.answered("k", { kind: "ok", etag: "f" }, 350);
    pace.found("k", "g", 400);
    expect(pace.waitMs("k", 450)).toBe(900);
  });

  it("B1: is not held up by places that were given up", () => {
    const pace = new KeyPace(2);
    for (let n = 0; n < 2; n++) {
      expect(pace.waitMs("k", 0)).toBe(0);
      pace.gaveUp("k");
    }
    expect([pace.waitMs("k", 10), pace.waitMs("k", 10), pace.waitMs("k", 10)]).toEqual([0, 0, 1_000]);
  });

  it("B1: give up their place when nothing is to be written after the wait", async () => {
    const pace = new KeyPace(1);
    let made = 0;
    const ids = { next: () => `w${++made}` };
    const clock = new ManualClock(0);
    const ports = { store: new MemoryStore(), clock, ids, random: { below: () => 0 }, trace: SILENT, pace };
    const carry = (decisions: readonly ("write" | "answer")[]) => {
      let asked = 0;
      return conditionalWrite(ports, MARKS_KEY, marksCodec, CALLER, () =>
        decisions[asked++] === "write" ? write(["a"], "written") : answer("there"),
      );
    };
    await carry(["write"]);
    await carry(["write", "answer"]);
    expect([made, clock.sleeps]).toEqual([1, [1_000]]);
    expect(pace.waitMs(MARKS_KEY, clock.monotonicMs())).toBe(0);
  });

  it("B1: may be fewer than one in a second", () => {
    const pace = new KeyPace(0.25);
    pace.answered("k", TAKEN, 100);
    expect([pace.waitMs("k", 1_100), pace.distanceMs("k")]).toEqual([3_000, 4_000]);
  });

  it("B2: keep none while no limit is known, and learn one from each refusal", () => {
    const pace = new KeyPace(null);
    const distances = [0, 1, 2, 3, 4, 5].map((n) => {
      const distance = pace.distanceMs("k");
      pace.answered("k", THROTTLED, 2_000 * n);
      return distance;
    });
    expect(distances).toEqual([0, 125, 250, 500, 1_000, 1_000]);
    expect(pace.distanceMs("other")).toBe(0);
  });

  it("B2: forget it again while writes are taken", () => {
    const pace = new KeyPace(null);
    pace.answered("k", THROTTLED, 0);
    pace.answered("k", THROTTLED, 2_000);
    for (let n = 0; n < 16; n++) pace.answered("k", TAKEN, 10_000);
    expect(pace.distanceMs("k")).toBe(125);
    for (let n = 0; n < 16; n++) pace.answered("k", TAKEN, 10_000);
    expect([pace.distanceMs("k"), pace.waitMs("k", 10_001)]).toEqual([0, 0]);
  });

  it("B2: never go beyond the configured limit", () => {
    const pace = new KeyPace(4);
    pace.answered("k", THROTTLED, 0);
    expect(pace.distanceMs("k")).toBe(500);
    for (let n = 1; n <= 64; n++) pace.answered("k", TAKEN, 1_000 * n);
    expect(pace.distanceMs("k")).toBe(250);
  });

  it("B3: find the limit of a store, and meet it ever less often", () => {
    const pace = new KeyPace(null);
    const taken: number[] = [];
    const refused: number[] = [];
    for (let nowMs = 0; taken.length < 4_000; ) {
      nowMs += pace.waitMs("k", nowMs);
      const isTooMuch = taken.filter((ms) => ms > nowMs - 1_000).length >= 15;
      if (isTooMuch) refused.push(taken.length);
      else taken.push(nowMs);
      nowMs += 20;
      pace.answered("k", isTooMuch ? THROTTLED : TAKEN, nowMs);
    }
    expect(refused[0]).toBe(15);
    expect(refused.length).toBeLessThan(8);
  });
});
