/**
 * The ends of a turn. Risk: state without its turn, a continuation lost or doubled, a completion applied twice.
 */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../vocabulary/limits.ts";
import { checkpoint } from "./checkpoint.ts";
import { complete, repeatedComplete } from "./complete.ts";
import {
  at,
  claimed,
  completed,
  completion,
  created,
  lease,
  refused,
  sent,
  step,
  T0,
  turnOf,
  written,
} from "./examples.ts";
import { fail } from "./fail.ts";
import { pendingMessages } from "./inbox.ts";

const running = claimed(sent(sent(created({ lease_ms: 1_000 }), "a"), "b"), "t1");
const more = { continuation: { message: { left: 2 } } };

describe("complete", () => {
  it("P16: commits state, result and inbox advance in one document", () => {
    const { next, reply } = written(complete(running, completion("t1"), at(T0 + 9, 5)));
    expect(next).toMatchObject({ state: { n: 1 }, completed_turns: 1, next_turn: 3 });
    expect(reply).toMatchObject({ status: "completed", result: "done", state_after: { n: 1 }, holder: null });
    expect(reply).toMatchObject({ finished_at_ms: T0 + 9, sequence: 5, continued_to: null, error: null });
    expect(reply.last_attempt).toEqual({ worker: "worker-of-t1", token: "t1", end: "completed" });
    expect(pendingMessages(next)).toBe(1);
  });

  it("P17: appends the continuation behind everything queued", () => {
    const { next, reply } = written(complete(running, completion("t1", more), at()));
    expect(reply.continued_to).toBe(3);
    expect(turnOf(next, 3)).toMatchObject({
      message_id: "continue-1",
      message: { left: 2 },
      status: "queued",
    });
    expect(next.next_turn).toBe(4);
  });

  it("P4, P17: a full inbox still takes the continuation, because the turn leaves it", () => {
    let full = claimed(sent(created(), "m-0"), "t1");
    for (let n = 1; n < LIMITS.pendingMessages; n++) full = sent(full, `m-${n}`);
    expect(pendingMessages(completed(full, completion("t1", more)))).toBe(LIMITS.pendingMessages);
  });

  it("P18: answers an exact repeat with the same turn, also after the lease and from history", () => {
    const done = completed(running, completion("t1", more));
    for (const request of [completion("t1", more), completion("t1", { ...more, state: { n: 1 } })]) {
      expect(complete(done, request, at(T0 + 1e6))).toEqual({ kind: "answer", reply: turnOf(done) });
      expect(repeatedComplete(turnOf(done), request)).toEqual({ kind: "answer", reply: turnOf(done) });
    }
  });

  it("P18: takes an absent result and continuation for null", () => {
    const request = { ...lease("t1"), state: 1 };
    const done = completed(running, request);
    expect(complete(done, { ...request, result: null, continuation: null }, at()).kind).toBe("answer");
  });

  it.each([{ state: 2 }, { result: "other" }, more])("P18: conflicts with other content: %o", (other) => {
    const done = completed(running, completion("t1"));
    const failure = refused(complete(done, completion("t1", other), at()));
    expect(failure).toMatchObject({ kind: "conflict", code: "completion_conflict" });
  });

  it("P18: fences another attempt, the same content or not", () => {
    const done = completed(claimed(running, "t2", T0 + 1_000), completion("t2"), T0 + 1_000);
    expect(refused(complete(done, completion("t1"), at()))).toMatchObject({
      kind: "fenced",
      code: "turn_finished",
    });
  });

  it("refuses a turn that would pass 256 KiB", () => {
    let instance = running;
    for (let n = 0; n < 4; n++)
      instance = written(checkpoint(instance, step("t1", n, { output: "x".repeat(60 * 1024) }), at())).next;
    const failure = refused(complete(instance, completion("t1", { state: "x".repeat(20 * 1024) }), at()));
    expect(failure).toMatchObject({ kind: "over-limit", code: "turn_too_large" });
  });
});

describe("fail", () => {
  const failing = { ...lease("t1"), error: "boom" };

  it("P19: queues the turn again after a back-off and keeps state and steps", () => {
    const saved = written(checkpoint(running, step("t1", 0), at())).next;
    const { next, reply } = written(fail(saved, failing, at(T0 + 10, 7)));
    expect(next.state).toEqual(saved.state);
    expect(reply).toMatchObject({ status: "queued", ready_at_ms: T0 + 1_010, error: "boom", holder: null });
    expect(reply).toMatchObject({
      steps: turnOf(saved).steps,
      attempt: 1,
      finished_at_ms: null,
      sequence: 7,
    });
  });

  it("P20: answers an exact repeat, also while the next attempt runs, and fences it afterwards", () => {
    const failed = written(fail(running, failing, at())).next;
    expect(fail(failed, failing, at())).toEqual({ kind: "answer", reply: turnOf(failed) });
    const again = claimed(failed, "t2", T0 + 1_000);
    expect(fail(again, failing, at(T0 + 1_000))).toEqual({ kind: "answer", reply: turnOf(again) });
    const second = written(fail(again, { ...failing, token: "t2" }, at(T0 + 1_000))).next;
    expect(refused(fail(second, failing, at(T0 + 1_000)))).toMatchObject({ kind: "fenced" });
  });

  it("fails the turn for good at its last attempt", () => {
    let instance = running;
    for (const [token, nowMs] of [
      ["t1", T0],
      ["t2", T0 + 1_000],
      ["t3", T0 + 3_000],
    ] as const) {
      if (token !== "t1") instance = claimed(instance, token, nowMs);
      instance = written(fail(instance, { ...failing, token }, at(nowMs))).next;
    }
    expect(turnOf(instance)).toMatchObject({ status: "failed", attempt: 3, finished_at_ms: T0 + 3_000 });
    expect(pendingMessages(instance)).toBe(2);
  });

  it("fails the turn at once when it is not to be tried again", () => {
    const { reply } = written(fail(running, { ...failing, non_retryable: true }, at()));
    expect(reply).toMatchObject({ status: "failed", attempt: 1, error: "boom" });
  });

  it("is recorded whatever room the turn has left", () => {
    let instance = running;
    for (let n = 0; n < 4; n++)
      instance = written(checkpoint(instance, step("t1", n, { output: "x".repeat(63 * 1024) }), at())).next;
    const error = "x".repeat(LIMITS.errorChars);
    expect(written(fail(instance, { ...failing, error }, at())).reply.error).toBe(error);
  });
});
