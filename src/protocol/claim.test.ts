/**
 * Claims and attempts. Risk: two workers on one turn, a turn that starts too early, attempts without end.
 */
import { describe, expect, it } from "vitest";
import { backoffMs } from "./attempt.ts";
import { claim } from "./claim.ts";
import {
  at,
  claimCommand,
  claimed,
  completed,
  completion,
  created,
  lease,
  sent,
  T0,
  turnOf,
  V1,
  written,
} from "./examples.ts";
import { fail } from "./fail.ts";
import { scheduleOf } from "./schedule.ts";

const NOTHING = { kind: "nothing", reply: null };

describe("claim", () => {
  it("P7, P12: gives the head a holder, a token and a lease", () => {
    const { next, reply } = written(claim(sent(created(), "m"), claimCommand("t1"), at(T0 + 1, 4)));
    expect(reply).toEqual(turnOf(next));
    expect(reply).toMatchObject({ status: "running", attempt: 1, sequence: 4, last_attempt: null });
    expect(reply?.holder).toEqual({ worker: "worker-of-t1", token: "t1", deadline_ms: T0 + 60_001 });
  });

  it("P11: never takes a turn behind the head", () => {
    const two = claimed(sent(sent(created(), "a"), "b"), "t1");
    expect(claim(two, claimCommand("t2"), at())).toEqual(NOTHING);
    const failed = written(fail(two, { ...lease("t1"), error: "x", non_retryable: true }, at())).next;
    expect(claim(failed, claimCommand("t2"), at(T0 + 1e9))).toEqual(NOTHING);
    const done = completed(two, completion("t1"));
    expect(written(claim(done, claimCommand("t2"), at())).reply?.number).toBe(2);
  });

  it("has nothing in an empty inbox, nor for another type or version", () => {
    expect(claim(created(), claimCommand("t"), at())).toEqual(NOTHING);
    const instance = sent(created(), "m");
    const others = [
      { workflow_type: "counter", version: "v2" },
      { workflow_type: "other", version: "v1" },
    ];
    expect(claim(instance, { ...claimCommand("t"), workflows: others }, at())).toEqual(NOTHING);
    expect(claim(instance, { ...claimCommand("t"), workflows: [...others, V1] }, at()).kind).toBe("write");
  });

  it("pins the version: an instance of v2 gives nothing to a worker of v1", () => {
    const v2 = sent(created({ version: "v2" }), "m");
    expect(turnOf(v2).version).toBe("v2");
    expect(claim(v2, claimCommand("t"), at())).toEqual(NOTHING);
  });

  it("P11: waits for the ready time to the millisecond", () => {
    const failed = written(
      fail(claimed(sent(created(), "m"), "t1"), { ...lease("t1"), error: "x" }, at()),
    ).next;
    const readyMs = T0 + 1_000;
    expect(turnOf(failed).ready_at_ms).toBe(readyMs);
    expect(claim(failed, claimCommand("t2"), at(readyMs - 1))).toEqual(NOTHING);
    expect(claim(failed, claimCommand("t2"), at(readyMs)).kind).toBe("write");
  });

  it("P12: takes a turn over at the end of its lease, with a token of its own", () => {
    const instance = claimed(sent(created({ lease_ms: 1_000 }), "m"), "t1");
    expect(claim(instance, claimCommand("t2"), at(T0 + 999))).toEqual(NOTHING);
    const { reply } = written(claim(instance, claimCommand("t2"), at(T0 + 1_000)));
    expect(reply).toMatchObject({ attempt: 2, status: "running", holder: { token: "t2" } });
    expect(reply?.last_attempt).toEqual({ worker: "worker-of-t1", token: "t1", end: "expired" });
    expect(reply?.error).toContain("its lease ran out");
  });

  it("answers the same attempt to a repeat with its token", () => {
    const instance = claimed(sent(created(), "m"), "t1");
    expect(claim(instance, claimCommand("t1"), at(T0 + 5))).toEqual({
      kind: "answer",
      reply: turnOf(instance),
    });
  });

  it("P13: spends an attempt by each ended lease, then the turn fails and blocks the inbox", () => {
    let instance = sent(sent(created({ lease_ms: 1_000, max_attempts: 2 }), "a"), "b");
    instance = claimed(instance, "t1", T0);
    instance = claimed(instance, "t2", T0 + 1_000);
    const { next, reply } = written(claim(instance, claimCommand("t3"), at(T0 + 2_000)));
    expect(reply).toBeNull();
    expect(turnOf(next)).toMatchObject({
      status: "failed",
      attempt: 2,
      holder: null,
      finished_at_ms: T0 + 2_000,
    });
    expect(turnOf(next).last_attempt).toMatchObject({ token: "t2", end: "expired" });
    expect(scheduleOf(next)).toEqual({ status: "failed", ready_at_ms: null });
    expect(claim(next, claimCommand("t4"), at(T0 + 1e9))).toEqual(NOTHING);
  });
});

describe("attempts", () => {
  it("back off from one second, doubling to 60 seconds", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 100].map(backoffMs)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000,
    ]);
  });

  it("wait for their back-off one after another, counted from each failure", () => {
    let instance = sent(created({ max_attempts: 9 }), "m");
    let nowMs = T0;
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt++) {
      instance = claimed(instance, `t${attempt}`, nowMs);
      instance = written(fail(instance, { ...lease(`t${attempt}`), error: "x" }, at(nowMs + 10))).next;
      waits.push(turnOf(instance).ready_at_ms - nowMs - 10);
      nowMs = turnOf(instance).ready_at_ms;
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });
});
