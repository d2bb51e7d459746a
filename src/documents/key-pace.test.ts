/**
 * Risk: a store that takes one write of a key in a second is stormed, or a key that was refused once is slow for good.
 */
import { describe, expect, it } from "vitest";
import { KeyPace } from "./key-pace.ts";

const TAKEN = { kind: "ok", etag: "e" } as const;
const THROTTLED = { kind: "throttled", retryAfterMs: null } as const;

describe("writes of one key", () => {
  it("B1: keep the configured distance, counted from the answer, also when several wait at once", () => {
    const pace = new KeyPace(1);
    expect([pace.waitMs("k", 0), pace.waitMs("k", 0), pace.waitMs("other", 0)]).toEqual([0, 1_000, 0]);
    pace.answered("k", TAKEN, 1_080);
    expect(pace.waitMs("k", 1_100)).toBe(980);
  });

  it("B2: keep none while no limit is known, and learn one from each refusal", () => {
    const pace = new KeyPace(null);
    const distances = [0, 1, 2, 3, 4, 5].map(() => {
      const distance = pace.distanceMs("k");
      pace.answered("k", THROTTLED, 0);
      return distance;
    });
    expect(distances).toEqual([0, 125, 250, 500, 1_000, 1_000]);
    expect(pace.distanceMs("other")).toBe(0);
  });

  it("B2: forget it again while writes are taken", () => {
    const pace = new KeyPace(null);
    pace.answered("k", THROTTLED, 0);
    pace.answered("k", THROTTLED, 0);
    for (let n = 0; n < 16; n++) pace.answered("k", TAKEN, 0);
    expect(pace.distanceMs("k")).toBe(125);
    for (let n = 0; n < 16; n++) pace.answered("k", TAKEN, 0);
    expect([pace.distanceMs("k"), pace.waitMs("k", 1)]).toEqual([0, 0]);
  });

  it("B2: never go below the configured distance", () => {
    const pace = new KeyPace(4);
    pace.answered("k", THROTTLED, 0);
    expect(pace.distanceMs("k")).toBe(250);
  });
});
