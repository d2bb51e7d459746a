/**
 * Sleeps, waits for signals, and waits that count no attempt (P25 to P34, P40). Risk: a wait that is ended twice or
 * never, a signal that is lost, doubled or given to another turn, a deadline that moves.
 */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../vocabulary/limits.ts";
import { turnText } from "../vocabulary/turn-text.ts";
import { checkpoint } from "./checkpoint.ts";
import { claim } from "./claim.ts";
import { complete } from "./complete.ts";
import {
  awaiting,
  cancelled,
  controlled,
  deferred,
  failed,
  failureOf,
  finished,
  operating,
  queued,
  running,
  signalled,
  signalOf,
  skipped,
  sleeping,
  sleepOf,
  waitOf,
} from "./example-turns.ts";
import { at, claimCommand, claimed, completion, refused, step, T0, turnOf, written } from "./examples.ts";
import { fail } from "./fail.ts";
import { repeatedSignal, signal } from "./signal.ts";
import { waitSignal } from "./wait-signal.ts";

const NOTHING = { received: false, value: null };
const big = "x".repeat(LIMITS.signalBytes - 2);

describe("a sleep", () => {
  it("P25, P26: releases the worker in the write that saves it, and ends the operation", () => {
    const slept = written(checkpoint(operating, sleepOf("t1"), at())).reply;
    expect(slept).toMatchObject({ status: "waiting", waiting_for: "sleep", holder: null, operation: null });
    expect(slept).toMatchObject({ ready_at_ms: T0 + 500, attempt: 1 });
    expect(slept.steps[0]).toMatchObject({
      kind: "sleep",
      output: null,
      delay_ms: 500,
      wake_at_ms: T0 + 500,
    });
  });

  it("P15, P25: a repeat with the old token is answered and moves nothing, also after the next claim", () => {
    const repeat = checkpoint(sleeping, sleepOf("t1"), at(T0 + 400));
    expect(repeat).toEqual({ kind: "answer", reply: turnOf(sleeping) });
    const woken = claimed(sleeping, "t2", T0 + 500);
    const late = checkpoint(woken, sleepOf("t1"), at(T0 + 600));
    expect(late).toMatchObject({ kind: "answer", reply: { status: "waiting", holder: null } });
    expect(refused(checkpoint(woken, sleepOf("t1", 0, 501), at(T0 + 600)))).toMatchObject({ kind: "fenced" });
    expect(refused(checkpoint(woken, sleepOf("t2", 0, 501), at(T0 + 600)))).toMatchObject({
      kind: "conflict",
    });
    expect(checkpoint(woken, sleepOf("t2"), at(T0 + 600))).toEqual({ kind: "answer", reply: turnOf(woken) });
  });

  it("of no length is due at once", () => {
    const slept = written(checkpoint(running, sleepOf("t1", 0, 0), at())).next;
    expect(turnOf(claimed(slept, "t2", T0))).toMatchObject({ status: "running", attempt: 1 });
  });

  it("is interrupted neither by a signal nor by a person's wake", () => {
    expect(turnOf(signalled(sleeping, "s"))).toMatchObject({ status: "waiting", ready_at_ms: T0 + 500 });
    expect(turnOf(controlled(sleeping, "pause"))).toMatchObject({ status: "waiting" });
  });
});

describe("a wait for a signal", () => {
  it("P28: takes the oldest match in the write that saves it, and goes on", () => {
    const three = [signalOf("other", { name: "stop" }), signalOf("a", { value: null }), signalOf("b")];
    const buffered = three.reduce((i, one) => written(signal(i, one, at())).next, running);
    const { reply, next } = written(waitSignal(buffered, waitOf("t1"), at()));
    expect(reply).toMatchObject({ status: "running", operation: null });
    expect(reply.steps[0]).toMatchObject({ output: { received: true, value: null }, signal_name: "go" });
    expect(reply.signals.map((one) => one.consumed_by)).toEqual([null, "wait", null]);
    const second = written(waitSignal(next, waitOf("t1", { position: 1, key: "wait-2" }), at())).reply;
    expect(second.steps[1]).toMatchObject({ output: { received: true, value: "b" } });
  });

  it("P29: releases the worker when there is no match, until its deadline", () => {
    expect(turnOf(awaiting)).toMatchObject({
      status: "waiting",
      waiting_for: "signal",
      ready_at_ms: T0 + 500,
    });
    expect(turnOf(awaiting).steps[0]).toMatchObject({ output: null, delay_ms: 500, wake_at_ms: T0 + 500 });
  });

  it("P33: is ended by a match strictly before its deadline, once", () => {
    const ended = signalled(awaiting, "s", T0 + 499);
    expect(turnOf(ended)).toMatchObject({ status: "queued", waiting_for: null, ready_at_ms: T0 + 499 });
    expect(turnOf(ended).steps[0]?.output).toEqual({ received: true, value: "s" });
    const more = signalled(ended, "s-2", T0 + 499);
    expect(turnOf(more).steps).toEqual(turnOf(ended).steps);
    expect(turnOf(more).signals.map((one) => one.consumed_by)).toEqual(["wait", null]);
    expect(turnOf(claimed(more, "t2", T0 + 499))).toMatchObject({ attempt: 1, steps: turnOf(ended).steps });
  });

  it("P27, P33: receives nothing from a match at its deadline; that stays for the next wait", () => {
    const late = signalled(awaiting, "s", T0 + 500);
    expect(turnOf(late)).toMatchObject({ status: "waiting", waiting_for: "signal" });
    const over = claimed(late, "t2", T0 + 500);
    expect(turnOf(over).steps[0]?.output).toEqual(NOTHING);
    const next = written(waitSignal(over, waitOf("t2", { position: 1, key: "wait-2" }), at(T0 + 500))).reply;
    expect(next.steps[1]?.output).toEqual({ received: true, value: "s" });
  });

  it("P29: is ended either by the claim or by the signal, whichever writes first, whatever the clocks say", () => {
    const over = claimed(awaiting, "t2", T0 + 500);
    expect(turnOf(signalled(over, "s", T0 + 1)).steps[0]?.output).toEqual(NOTHING);
    const ended = signalled(awaiting, "s", T0 + 499);
    expect(turnOf(claimed(ended, "t2", T0 + 9_000)).steps[0]?.output).toEqual({ received: true, value: "s" });
  });

  it("P33: takes a signal that is in time, also when a faster clock received an older one too late", () => {
    const ended = signalled(signalled(awaiting, "late", T0 + 600), "in-time", T0 + 100);
    expect(turnOf(ended).signals.map((one) => one.consumed_by)).toEqual([null, "wait"]);
  });

  it("P34: is not ended by another name", () => {
    const other = written(signal(awaiting, signalOf("s", { name: "stop" }), at())).next;
    expect(turnOf(other)).toMatchObject({ status: "waiting", waiting_for: "signal" });
  });

  it("P30: answers a repeat with the old token that it waits, also after it has ended and another goes on", () => {
    expect(waitSignal(awaiting, waitOf("t1"), at())).toEqual({ kind: "answer", reply: turnOf(awaiting) });
    const ended = signalled(awaiting, "s");
    for (const instance of [ended, claimed(ended, "t2"), claimed(awaiting, "t2", T0 + 500)])
      expect(waitSignal(instance, waitOf("t1"), at(T0 + 500))).toMatchObject({
        kind: "answer",
        reply: { status: "waiting", waiting_for: "signal", holder: null, steps: turnOf(instance).steps },
      });
    const resumed = claimed(ended, "t2");
    expect(waitSignal(resumed, waitOf("t2"), at())).toEqual({ kind: "answer", reply: turnOf(resumed) });
    expect(refused(waitSignal(resumed, waitOf("t2", { timeout_ms: 1 }), at())).kind).toBe("conflict");
    expect(refused(waitSignal(resumed, waitOf("t9"), at())).kind).toBe("fenced");
  });
});

describe("a signal", () => {
  it.each([
    ["queued", queued()],
    ["paused", controlled(queued(), "pause")],
    ["running", running],
    ["sleeping", sleeping],
    ["deferred", deferred],
    ["failed", failed],
  ])("P34: to a turn that is %s is buffered and changes nothing else", (_, instance) => {
    const { next, reply } = written(signal(instance, signalOf("s"), at(T0 + 7, 9)));
    const was = turnOf(instance);
    expect(reply.signals).toEqual([{ id: "s", name: "go", value: "s", at_ms: T0 + 7, consumed_by: null }]);
    expect(reply).toEqual({ ...was, signals: reply.signals, updated_at_ms: T0 + 7, sequence: 9 });
    expect({ ...next, turns: instance.turns, updated_at_ms: T0 }).toEqual(instance);
  });

  it.each([
    ["completed", finished],
    ["cancelled", cancelled],
    ["skipped", skipped],
  ])("P32: to a turn that is %s is refused", (_, instance) => {
    expect(refused(signal(instance, signalOf("s"), at()))).toMatchObject({
      kind: "conflict",
      code: "turn_finished",
    });
  });

  it("P32: to a turn that does not exist yet is refused, and never kept for it", () => {
    expect(refused(signal(running, signalOf("s", { turn: 3 }), at()))).toMatchObject({ kind: "not-found" });
  });

  it("P31: is received once: a repeat is answered, also after the end and from history; others conflict", () => {
    const buffered = signalled(running, "s");
    const over = written(complete(buffered, completion("t1"), at())).next;
    for (const instance of [buffered, over]) {
      expect(signal(instance, signalOf("s"), at(T0 + 5))).toEqual({
        kind: "answer",
        reply: turnOf(instance),
      });
      for (const other of [{ name: "stop" }, { value: "other" }])
        expect(refused(signal(instance, signalOf("s", other), at()))).toMatchObject({
          code: "signal_conflict",
        });
    }
    expect(repeatedSignal(turnOf(over), signalOf("s"))).toMatchObject({ kind: "answer" });
    expect(repeatedSignal(turnOf(over), signalOf("s", { value: 2 }))).toMatchObject({ kind: "refuse" });
  });

  it("stays with its turn when nobody took it: the continuation has none", () => {
    const buffered = signalled(running, "s");
    const over = written(complete(buffered, completion("t1", { continuation: { message: 1 } }), at())).next;
    expect(turnOf(over).signals).toHaveLength(1);
    expect(turnOf(over, 3)).toMatchObject({
      signals: [],
      origin: { kind: "continuation", turn: 1, message_id: "m-1" },
    });
  });

  it("is refused past the count of its turn, repeats apart", () => {
    let full = running;
    for (let n = 0; n < LIMITS.signalsPerTurn; n++) full = signalled(full, `s-${n}`);
    expect(refused(signal(full, signalOf("one-more"), at()))).toMatchObject({ code: "too_many_signals" });
    expect(signal(full, signalOf("s-0"), at()).kind).toBe("answer");
  });

  it("may fill the turn, which then takes no step and no end but a failure, a skip or a cancellation", () => {
    let full = running;
    for (let n = 0; n < 7; n++) full = signalled(full, `s-${n}`, T0, big);
    const wide = { kind: "over-limit", code: "turn_too_large" };
    const rest = LIMITS.storedTurnBytes - turnText(turnOf(full)).length - 120;
    full = signalled(full, "rest", T0, "x".repeat(rest));
    expect(refused(signal(full, signalOf("more", { value: big }), at()))).toMatchObject(wide);
    expect(refused(checkpoint(full, step("t1", 0, { output: "x".repeat(500) }), at()))).toMatchObject(wide);
    expect(refused(waitSignal(full, waitOf("t1"), at()))).toMatchObject(wide);
    expect(refused(complete(full, completion("t1"), at()))).toMatchObject(wide);
    const error = "x".repeat(LIMITS.errorChars);
    const ended = written(fail(full, failureOf("t1", { error }), at())).next;
    expect(turnOf(claimed(ended, "t2", T0 + 1_000)).status).toBe("running");
    expect(written(fail(full, failureOf("t1", { error, non_retryable: true }), at())).reply.status).toBe(
      "failed",
    );
    expect(turnOf(controlled(full, "cancel_turn", 1)).status).toBe("cancelled");
  });

  it("that a wait could not store is refused and ends no wait: the wait times out", () => {
    let full = running;
    for (let n = 0; n < 7; n++)
      full = written(signal(full, signalOf(`s-${n}`, { name: "other", value: big }), at())).next;
    const waiting = written(waitSignal(full, waitOf("t1"), at())).next;
    const half = "x".repeat(LIMITS.signalBytes / 2);
    expect(refused(signal(waiting, signalOf("go", { value: half }), at()))).toMatchObject({
      kind: "over-limit",
    });
    expect(turnOf(claimed(waiting, "t2", T0 + 500)).steps[0]?.output).toEqual(NOTHING);
  });
});

describe("P40: a failure with a time to retry at", () => {
  it("waits, keeps the steps, the operation and the attempt", () => {
    const saved = written(checkpoint(running, step("t1", 0), at())).next;
    const request = failureOf("t1", { retry_at_ms: T0 + 1_000, reason: "capacity" });
    const { reply, next } = written(fail(saved, request, at()));
    expect(reply).toMatchObject({
      status: "waiting",
      waiting_for: "capacity",
      ready_at_ms: T0 + 1_000,
      attempt: 1,
    });
    expect(reply.steps).toHaveLength(1);
    expect(fail(next, request, at(T0 + 5_000))).toEqual({ kind: "answer", reply: turnOf(next) });
    expect(turnOf(deferred).waiting_for).toBe("retry");
  });

  it("is refused less than a second ahead", () => {
    const soon = refused(fail(running, failureOf("t1", { retry_at_ms: T0 + 999 }), at()));
    expect(soon).toMatchObject({ kind: "invalid", code: "retry_too_soon", param: "retry_at_ms" });
  });

  it("is a repeat only of itself: a failure without a time by the same attempt is fenced", () => {
    expect(refused(fail(deferred, failureOf("t1"), at()))).toMatchObject({ kind: "fenced" });
    const resumed = claimed(deferred, "t2", T0 + 5_000);
    expect(fail(resumed, failureOf("t1", { retry_at_ms: T0 + 5_000 }), at(T0 + 5_000)).kind).toBe("answer");
  });

  it("leaves the turn to nobody else before its time", () => {
    expect(claim(deferred, claimCommand("t2"), at(T0 + 4_999)).kind).toBe("nothing");
  });
});
