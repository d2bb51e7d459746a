/**
 * The time of an attempt (P13, P22 to P24). Risk: a hung step that nobody ends, an attempt counted twice or never, an
 * operation of an attempt that is over which limits the next one.
 */
import { describe, expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import { attemptLimit } from "./attempt.ts";
import { checkpoint } from "./checkpoint.ts";
import { claim } from "./claim.ts";
import {
  awaiting,
  controlled,
  deferred,
  failed,
  failureOf,
  LEASE,
  lastTry,
  operating,
  operationOf,
  queued,
  reported,
  reportOf,
  running,
  sleeping,
} from "./example-turns.ts";
import { at, claimCommand, claimed, lease, refused, step, T0, turnOf, written } from "./examples.ts";
import { fail } from "./fail.ts";
import { heartbeat } from "./heartbeat.ts";
import { operation } from "./operation.ts";
import { progress } from "./progress.ts";
import { scheduleOf } from "./schedule.ts";

const limitOf = (instance: Instance) => attemptLimit(turnOf(instance));
const withSilence = written(operation(running, operationOf("t1", { heartbeat_timeout_ms: 100 }), at())).next;
const looked = (instance: Instance, nowMs: number) =>
  written(claim(instance, claimCommand("t2"), at(nowMs))).next;

describe("P22: an attempt ends", () => {
  it("with its lease, when it runs no operation", () => {
    expect(limitOf(running)).toEqual({ at_ms: T0 + LEASE, limit: "lease" });
    expect(limitOf(queued())).toBeNull();
    expect(limitOf(sleeping)).toBeNull();
  });

  it("with its operation, or with the operation's silence, when that comes first", () => {
    expect(limitOf(operating)).toEqual({ at_ms: T0 + 300, limit: "operation" });
    expect(limitOf(withSilence)).toEqual({ at_ms: T0 + 100, limit: "progress" });
    const report = written(progress(withSilence, reportOf("t1", 1), at(T0 + 50))).next;
    expect(limitOf(report)).toEqual({ at_ms: T0 + 150, limit: "progress" });
    const long = written(operation(running, operationOf("t1", { timeout_ms: LEASE }), at())).next;
    expect(limitOf(long)).toEqual({ at_ms: T0 + LEASE, limit: "lease" });
  });

  it("at the operation's end however often its lease is renewed, and progress does not move that end", () => {
    const renewed = written(heartbeat(reported, lease("t1"), at(T0 + 299))).next;
    expect(limitOf(renewed)).toEqual({ at_ms: T0 + 300, limit: "operation" });
    for (const call of [
      heartbeat(renewed, lease("t1"), at(T0 + 300)),
      progress(renewed, reportOf("t1", 2), at(T0 + 300)),
      checkpoint(renewed, step("t1", 0), at(T0 + 300)),
      fail(renewed, failureOf("t1"), at(T0 + 300)),
    ])
      expect(refused(call)).toMatchObject({ kind: "fenced", code: "operation_expired" });
    expect(checkpoint(renewed, step("t1", 0), at(T0 + 299)).kind).toBe("write");
  });

  it("not with the operation of an attempt before it", () => {
    const again = claimed(written(fail(operating, failureOf("t1"), at())).next, "t2", T0 + 1_000);
    expect(turnOf(again).operation?.token).toBe("t1");
    expect(limitOf(again)).toEqual({ at_ms: T0 + 2_000, limit: "lease" });
    expect(heartbeat(again, lease("t2"), at(T0 + 1_999)).kind).toBe("write");
  });
});

describe("P13: an attempt out of time", () => {
  it("spends an ended lease without a back-off: the next one begins in the same write", () => {
    expect(turnOf(looked(running, T0 + LEASE))).toMatchObject({ status: "running", attempt: 2 });
  });

  it("spends an operation out of time as a failure: the next one waits for the back-off", () => {
    const ended = looked(operating, T0 + 400);
    expect(turnOf(ended)).toMatchObject({ status: "queued", attempt: 1, ready_at_ms: T0 + 1_400 });
    expect(turnOf(ended).last_attempt).toMatchObject({ token: "t1", end: "expired" });
    expect(turnOf(ended).error).toContain("longer than its limit");
    expect(turnOf(looked(withSilence, T0 + 100)).error).toContain("no progress in time");
    expect(claim(ended, claimCommand("t3"), at(T0 + 1_399)).kind).toBe("nothing");
    expect(turnOf(claimed(ended, "t3", T0 + 1_400))).toMatchObject({ attempt: 2 });
  });

  it("is not ended while the instance is paused, and its worker is fenced all the same", () => {
    const paused = controlled(operating, "pause");
    expect(claim(paused, claimCommand("t2"), at(T0 + 5_000)).kind).toBe("nothing");
    expect(refused(heartbeat(paused, lease("t1"), at(T0 + 300)))).toMatchObject({
      code: "operation_expired",
    });
    expect(scheduleOf(paused)).toEqual({ status: "paused", ready_at_ms: null });
    const resumed = controlled(paused, "resume", null, T0 + 5_000);
    expect(scheduleOf(resumed)).toEqual({ status: "running", ready_at_ms: T0 + 300 });
    expect(turnOf(looked(resumed, T0 + 5_000)).last_attempt?.end).toBe("expired");
  });
});

describe("P23: an attempt that let go of its turn goes on", () => {
  it.each([
    ["a sleep", sleeping, T0 + 500],
    ["a wait for a signal", awaiting, T0 + 500],
    ["a wait that counts no attempt", deferred, T0 + 5_000],
  ])("after %s, under a new token and with the same number", (_, instance, dueMs) => {
    expect(claim(instance, claimCommand("t2"), at(dueMs - 1)).kind).toBe("nothing");
    const resumed = claimed(instance, "t2", dueMs);
    expect(turnOf(resumed)).toMatchObject({ status: "running", attempt: 1, waiting_for: null });
    expect(turnOf(resumed).holder?.token).toBe("t2");
    expect(turnOf(claimed(resumed, "t3", dueMs + LEASE))).toMatchObject({ attempt: 2 });
  });

  it("also as the last one that the instance allows", () => {
    const last = written(fail(lastTry, failureOf("t1", { retry_at_ms: T0 + 2_000 }), at())).next;
    expect(turnOf(claimed(last, "t2", T0 + 2_000))).toMatchObject({ status: "running", attempt: 1 });
  });
});

describe("P24: out of attempts", () => {
  const skipping = claimed(queued({ max_attempts: 1, on_exhausted: "skip" }), "t1");

  it("a turn fails and blocks the inbox, whether its worker fails or its time ends", () => {
    const byWorker = written(fail(lastTry, failureOf("t1"), at())).next;
    for (const instance of [byWorker, looked(lastTry, T0 + LEASE)]) {
      expect(turnOf(instance)).toMatchObject({ status: "failed", skipped: false, holder: null });
      expect(instance.completed_turns).toBe(0);
      expect(claim(instance, claimCommand("t3"), at(T0 + 90_000)).kind).toBe("nothing");
      expect(scheduleOf(instance)).toEqual({ status: "failed", ready_at_ms: null });
    }
  });

  it("a turn is skipped when its instance says so, and the next one runs", () => {
    const byWorker = written(fail(skipping, failureOf("t1"), at())).next;
    const final = written(fail(skipping, failureOf("t1", { non_retryable: true }), at())).next;
    for (const instance of [byWorker, final, looked(skipping, T0 + LEASE)]) {
      expect(turnOf(instance)).toMatchObject({ status: "failed", skipped: true });
      expect(instance.completed_turns).toBe(1);
      expect(turnOf(claimed(instance, "t3", T0 + 90_000), 2)).toMatchObject({
        status: "running",
        attempt: 1,
      });
    }
  });

  it("a skipped turn answers the repeat of the failure that ended it, and fences everything else", () => {
    const ended = written(fail(skipping, failureOf("t1"), at())).next;
    expect(fail(ended, failureOf("t1"), at())).toEqual({ kind: "answer", reply: turnOf(ended) });
    expect(refused(heartbeat(ended, lease("t1"), at()))).toMatchObject({ kind: "fenced" });
    expect(refused(fail(failed, failureOf("t1", { error: "y" }), at()))).toMatchObject({ kind: "fenced" });
  });
});
