/**
 * Operations and their progress (P35 to P39), and the progress convention. Risk: a limit that moves, work that is
 * authorised after its time, a report that lands after its step, a checkpoint that the next attempt does not get.
 */
import { describe, expect, it } from "vitest";
import type { Json } from "../std/json.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import { progressFault } from "../vocabulary/progress.ts";
import { checkpoint } from "./checkpoint.ts";
import {
  cancelled,
  failed,
  failureOf,
  LEASE,
  operating,
  operationOf,
  reported,
  reportOf,
  retrying,
  running,
  sleepOf,
} from "./example-turns.ts";
import { at, claimed, completed, completion, refused, step, T0, turnOf, written } from "./examples.ts";
import { fail } from "./fail.ts";
import { operation } from "./operation.ts";
import { progress } from "./progress.ts";
import { progressView } from "./progress-view.ts";
import { turnView } from "./view.ts";

describe("an operation", () => {
  it("P35: fixes its limits at its start", () => {
    expect(turnOf(operating).operation).toMatchObject({ key: "op", kind: "tool", attempt: 1, token: "t1" });
    expect(turnOf(operating).operation).toMatchObject({
      started_at_ms: T0,
      deadline_ms: T0 + 300,
      sequence: 0,
    });
    const plain = operationOf("t1", { position: 0, heartbeat_timeout_ms: 200 });
    const { timeout_ms: _, ...noLimit } = plain;
    const started = written(operation(running, noLimit, at())).reply.operation;
    expect(started).toMatchObject({ timeout_ms: 300_000, heartbeat_timeout_ms: 200, last_heartbeat_ms: T0 });
  });

  it("P36: answers an exact repeat and extends nothing; other limits, or another key, conflict", () => {
    expect(operation(operating, operationOf("t1"), at(T0 + 200))).toEqual({
      kind: "answer",
      reply: turnOf(operating),
    });
    for (const other of [
      { timeout_ms: 301 },
      { heartbeat_timeout_ms: 100 },
      { key: "op-2" },
      { kind: "model" as const },
    ])
      expect(refused(operation(operating, operationOf("t1", other), at()))).toMatchObject({
        kind: "conflict",
        code: "operation_conflict",
      });
  });

  it("P36: is refused to an attempt out of time, also as a repeat: a late answer authorises nothing", () => {
    expect(refused(operation(operating, operationOf("t1"), at(T0 + 300)))).toMatchObject({ kind: "fenced" });
    expect(refused(operation(running, operationOf("t1"), at(T0 + LEASE)))).toMatchObject({
      code: "lease_expired",
    });
    for (const instance of [retrying, failed, cancelled, completed(running, completion("t1"))])
      expect(refused(operation(instance, operationOf("t1"), at()))).toMatchObject({ kind: "fenced" });
  });

  it("stands where the next step stands", () => {
    const saved = written(checkpoint(operating, step("t1", 0, { key: "op" }), at())).next;
    expect(turnOf(saved).operation).toBeNull();
    expect(refused(operation(saved, operationOf("t1"), at()))).toMatchObject({ code: "step_conflict" });
    expect(refused(operation(saved, operationOf("t1", { position: 1 }), at()))).toMatchObject({
      code: "step_key_conflict",
    });
    expect(refused(operation(saved, operationOf("t1", { position: 2, key: "x" }), at()))).toMatchObject({
      code: "step_out_of_order",
    });
  });

  it("P37: gets the last checkpoint of the attempt before, by its key, and starts its numbers again", () => {
    const again = claimed(written(fail(reported, failureOf("t1"), at(T0 + 20))).next, "t2", T0 + 1_020);
    expect(turnOf(again).operation).toEqual(turnOf(reported).operation);
    const resumed = written(operation(again, operationOf("t2"), at(T0 + 1_020))).reply.operation;
    expect(resumed).toMatchObject({ checkpoint: 1, details: null, sequence: 0, attempt: 2, token: "t2" });
    const other = written(operation(again, operationOf("t2", { key: "op-2" }), at(T0 + 1_020))).reply
      .operation;
    expect(other).toMatchObject({ checkpoint: null });
  });

  it("stays visible on a failed or retrying turn, without its token", () => {
    for (const fields of [{}, { non_retryable: true }]) {
      const { reply } = written(fail(reported, failureOf("t1", fields), at(T0 + 20)));
      expect(reply.operation).toEqual(turnOf(reported).operation);
      expect(turnView("i-1", reply).operation).not.toHaveProperty("token");
    }
    expect(turnOf(completed(reported, completion("t1"))).operation).toBeNull();
  });
});

describe("progress", () => {
  it("P38: replaces details and checkpoint and shows life; an exact repeat extends nothing", () => {
    expect(turnOf(reported).operation).toMatchObject({ sequence: 1, details: { at: 1 }, checkpoint: 1 });
    expect(turnOf(reported).operation).toMatchObject({ last_heartbeat_ms: T0 + 10, deadline_ms: T0 + 300 });
    expect(progress(reported, reportOf("t1", 1), at(T0 + 99))).toEqual({
      kind: "answer",
      reply: turnOf(reported),
    });
    const next = written(progress(reported, reportOf("t1", 7, { checkpoint: null }), at(T0 + 20))).reply;
    expect(next.operation).toMatchObject({ sequence: 7, checkpoint: null });
  });

  it("P38: conflicts below the last number, and at it with other content", () => {
    const third = written(progress(reported, reportOf("t1", 3), at(T0 + 20))).next;
    for (const report of [
      reportOf("t1", 2),
      reportOf("t1", 3, { details: 0 }),
      reportOf("t1", 3, { checkpoint: 0 }),
    ])
      expect(refused(progress(third, report, at(T0 + 30)))).toMatchObject({ code: "progress_out_of_order" });
  });

  it("P39: is taken only by the operation in progress of the attempt that holds the turn", () => {
    const saved = written(checkpoint(reported, step("t1", 0, { key: "op" }), at(T0 + 20))).next;
    const none = { kind: "conflict", code: "no_operation" };
    expect(refused(progress(saved, reportOf("t1", 2), at(T0 + 20)))).toMatchObject(none);
    expect(refused(progress(running, reportOf("t1", 1), at()))).toMatchObject(none);
    expect(refused(progress(reported, reportOf("t1", 2, { key: "x" }), at(T0 + 20)))).toMatchObject(none);
    const again = claimed(written(fail(reported, failureOf("t1"), at(T0 + 20))).next, "t2", T0 + 1_020);
    expect(refused(progress(again, reportOf("t2", 2), at(T0 + 1_020)))).toMatchObject(none);
    expect(refused(progress(again, reportOf("t1", 2), at(T0 + 1_020)))).toMatchObject({ kind: "fenced" });
  });

  it("P39: is refused after a sleep has released the attempt", () => {
    const slept = written(checkpoint(reported, sleepOf("t1"), at(T0 + 20))).next;
    expect(refused(progress(slept, reportOf("t1", 2), at(T0 + 20)))).toMatchObject({ kind: "fenced" });
  });

  it("is refused when the turn would pass its size, and the operation stays as it was", () => {
    let full = running;
    const wide = [65_000, 65_000, 65_000, 30_000].map((bytes) => "x".repeat(bytes));
    for (const [n, output] of wide.entries())
      full = written(checkpoint(full, step("t1", n, { output }), at())).next;
    full = written(operation(full, operationOf("t1", { position: 4 }), at())).next;
    const report = reportOf("t1", 1, {
      checkpoint: "x".repeat(LIMITS.resumeBytes - 2),
      details: "x".repeat(8_000),
    });
    expect(refused(progress(full, report, at()))).toMatchObject({
      kind: "over-limit",
      code: "turn_too_large",
    });
    expect(progress(full, reportOf("t1", 1), at()).kind).toBe("write");
  });
});

describe("the progress convention", () => {
  const right = { phase: "reading pages", done: 40, total: 97, unit: "pages" };

  it.each<[string, Json]>([
    ["the whole of it", right],
    ["without total and unit", { phase: "p", done: 0 }],
    ["with other keys beside it", { ...right, extra: { phase: 1 } }],
    ["a phase of 80 characters, however wide", { phase: "𝛑".repeat(80), done: 0 }],
    ["a unit of 32 characters", { phase: "p", done: 0, unit: "a-_ 9".padEnd(32, "x") }],
    ["free details", { done: "anything" }],
    ["details that are no object", ["phase"]],
    ["none", null],
  ])("takes %s", (_, details) => {
    expect(progressFault(details)).toBeNull();
  });

  it.each<[string, Json]>([
    ["an empty phase", { ...right, phase: "" }],
    ["a phase of 81 characters", { ...right, phase: "x".repeat(81) }],
    ["a phase that is no text", { ...right, phase: null }],
    ["no done", { phase: "p" }],
    ["a done below 0", { ...right, done: -1 }],
    ["half a done", { ...right, done: 0.5 }],
    ["a total that is no number", { ...right, total: "97" }],
    ["an empty unit", { ...right, unit: "" }],
    ["a unit of 33 characters", { ...right, unit: "x".repeat(33) }],
    ["a unit with another character", { ...right, unit: "pages!" }],
  ])("refuses %s", (_, details) => {
    expect(progressFault(details)).not.toBeNull();
  });

  it("is shown normalised, in RFC 3339, and not stored", () => {
    const instance = written(
      progress(operating, reportOf("t1", 1, { details: { ...right, more: 1 } }), at(T0 + 10)),
    ).next;
    expect(progressView(turnOf(instance))).toEqual({
      ...right,
      started_at: "1970-01-01T00:16:40.000Z",
      heartbeat_at: "1970-01-01T00:16:40.010Z",
    });
    expect(turnOf(instance)).not.toHaveProperty("progress");
    const short = written(
      progress(operating, reportOf("t1", 1, { details: { phase: "p", done: 1 } }), at()),
    ).next;
    expect(progressView(turnOf(short))).toMatchObject({ total: null, unit: null });
    for (const none of [running, operating, reported]) expect(progressView(turnOf(none))).toBeNull();
  });
});
