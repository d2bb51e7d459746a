/**
 * Risk: a second child for one step, a child without its work, a reply that is lost, comes twice or to the wrong turn.
 */
import { describe, expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { StartChildRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { claim } from "./claim.ts";
import { complete } from "./complete.ts";
import { control } from "./control.ts";
import type { Decision } from "./decision.ts";
import { deletion } from "./deletion.ts";
import {
  at,
  claimCommand,
  claimed,
  completed,
  completion,
  created,
  lease,
  refused,
  sent,
  T0,
  turnOf,
  V1,
  written,
} from "./examples.ts";
import { fail } from "./fail.ts";
import { receiveReply, replyOf } from "./reply.ts";
import { signal } from "./signal.ts";
import { childIdOf, createChild, startChild } from "./start-child.ts";

const SCOPE = "tenant/graph/1";

function start(token = "a", fields: Partial<StartChildRequest> = {}): StartChildRequest {
  return {
    ...lease(token),
    position: 0,
    key: "ship",
    ...V1,
    message: { parcel: 1 },
    timeout_ms: 10_000,
    ...fields,
  };
}

const running = claimed(sent(created(), "m-1"), "a");
const ID = childIdOf(running, turnOf(running), "ship", SCOPE);
const TO = { workflow_id: "i-1", incarnation: "life-1", turn: 1, name: "reply-ship" };

function child(fields: Partial<StartChildRequest> = {}): Instance {
  return written(createChild(null, ID, start("a", fields), TO, "child-life", at())).next;
}

/** The child with its first turn held by `c`. */
function working(): Instance {
  return claimed(child(), "c");
}

function done(fields: object = {}): Instance {
  return completed(working(), { ...completion("c"), workflow_id: ID, ...fields });
}

function told(parent: Instance, ofChild: Instance, number = 1, nowMs = T0): Decision<Instance, Turn> {
  const reply = replyOf(ofChild, turnOf(ofChild, number));
  if (reply === null) throw new Error("nothing to tell");
  return receiveReply(parent, reply, at(nowMs));
}

const waiting = written(startChild(running, start(), SCOPE, at())).next;

describe("the child", () => {
  it("P69: has an id of the step, the same in every attempt, another one for each step, turn and life", () => {
    expect(ID).toMatch(/^child-[0-9a-f]{40}$/);
    const later = claimed(running, "b", T0 + 100_000);
    expect(childIdOf(later, turnOf(later), "ship", SCOPE)).toBe(ID);
    const others = [
      childIdOf(running, turnOf(running), "bill", SCOPE),
      childIdOf(running, { ...turnOf(running), number: 2 }, "ship", SCOPE),
      childIdOf({ ...running, incarnation: "life-2" }, turnOf(running), "ship", SCOPE),
      childIdOf(running, turnOf(running), "ship", "tenant/graph/2"),
    ];
    expect(new Set([ID, ...others]).size).toBe(5);
  });

  it("P69, P71: is created with its first message in one write, and skips what fails for good", () => {
    expect(child({ lease_ms: 2_000, max_attempts: 1 })).toMatchObject({
      id: ID,
      ...V1,
      state: null,
      on_exhausted: "skip",
      lease_ms: 2_000,
      max_attempts: 1,
      next_turn: 2,
      turns: [{ number: 1, message_id: "start", message: { parcel: 1 }, status: "queued", reply_to: TO }],
    });
  });

  it("P69: is found by a repeated start, also after it has done its work; another start is a conflict", () => {
    expect(createChild(done(), ID, start("b"), TO, "other-life", at()).kind).toBe("answer");
    for (const other of [{ message: 2 }, { state: 1 }, { version: "v2" }, { max_attempts: 9 }]) {
      const decision = createChild(child(), ID, start("b", other), TO, "other-life", at());
      expect(refused(decision)).toMatchObject({ kind: "conflict", code: "child_conflict" });
    }
    const ended = deletion(child(), at());
    if (ended.kind !== "write") throw new Error(ended.kind);
    const again = createChild(ended.next, ID, start(), TO, "other-life", at());
    expect(again).toMatchObject({ kind: "refuse", failure: { code: "child_deleted" } });
    const elsewhere = createChild(child(), ID, start(), { ...TO, turn: 2 }, "other-life", at());
    expect(refused(elsewhere).code).toBe("child_conflict");
  });
});

describe("the parent", () => {
  it("P70: waits for the reply as for a signal, and says for whom", () => {
    expect(turnOf(waiting)).toMatchObject({
      status: "waiting",
      waiting_for: "signal",
      holder: null,
      ready_at_ms: T0 + 10_000,
      steps: [
        {
          key: "ship",
          kind: "signal",
          output: null,
          signal_name: "reply-ship",
          child_id: ID,
          delay_ms: 10_000,
        },
      ],
    });
    expect(startChild(waiting, start(), SCOPE, at(T0 + 5)).kind).toBe("answer");
    const other = start("a", { timeout_ms: 9 });
    expect(refused(startChild(waiting, other, SCOPE, at())).kind).toBe("fenced");
  });

  it("P7, P14: starts nothing without the lease, or out of order", () => {
    expect(refused(startChild(running, start("z"), SCOPE, at())).kind).toBe("fenced");
    expect(refused(startChild(running, start("a", { position: 1 }), SCOPE, at())).code).toBe(
      "step_out_of_order",
    );
    expect(refused(startChild(running, start("a", { turn: 7 }), SCOPE, at())).code).toBe("turn_not_found");
  });

  it("P72: gets the child's status, result and error as its step's output, once", () => {
    const { next } = written(told(waiting, done({ result: { label: "L" } })));
    const value = { workflow_id: ID, turn: 1, status: "completed", result: { label: "L" }, error: null };
    const turn = turnOf(next);
    expect(turn).toMatchObject({ status: "queued", ready_at_ms: T0 });
    expect(turn.steps[0]?.output).toEqual({ received: true, value });
    expect(turn.signals).toMatchObject([{ id: `reply-${ID}-1`, name: "reply-ship", consumed_by: "ship" }]);
    expect(told(next, done({ result: { label: "L" } })).kind).toBe("answer");
  });

  it("P70: finds a reply that came before it waited", () => {
    const early = written(told(running, done())).next;
    const again = claimed(early, "b", T0 + 100_000);
    const { next } = written(startChild(again, start("b"), SCOPE, at(T0 + 100_000)));
    expect(turnOf(next)).toMatchObject({
      status: "running",
      steps: [{ child_id: ID, output: { received: true } }],
    });
  });

  it("P27: gets nothing when the time is out, and keeps a reply that comes later with its signals", () => {
    const timedOut = written(claim(waiting, claimCommand("b"), at(T0 + 10_000))).next;
    expect(turnOf(timedOut).steps[0]?.output).toEqual({ received: false, value: null });
    const late = written(told(timedOut, done(), 1, T0 + 11_000)).next;
    expect(turnOf(late).signals[0]?.consumed_by).toBeNull();
    expect(turnOf(late).steps).toEqual(turnOf(timedOut).steps);
  });

  it("P73: that has finished, or lives another life, takes nothing", () => {
    const cancel = { workflow_id: "i-1", action: "cancel_turn" as const, turn: 1 };
    const gone = written(control(waiting, cancel, at())).next;
    expect(refused(told(gone, done())).code).toBe("turn_finished");
    expect(refused(told({ ...waiting, incarnation: "life-2" }, done())).kind).toBe("not-found");
    const moved = { ...waiting, turns: [], history_through: 1, completed_turns: 1 };
    expect(refused(told(moved, done())).kind).toBe("fenced");
  });

  it("counts no reply against the limit on signals from outside", () => {
    let full = waiting;
    for (let n = 0; n < LIMITS.signalsPerTurn; n++) {
      const one = { workflow_id: "i-1", turn: 1, id: `s-${n}`, name: "other", value: null };
      full = written(signal(full, one, at())).next;
    }
    const more = { workflow_id: "i-1", turn: 1, id: "s-x", name: "other", value: null };
    expect(refused(signal(full, more, at())).code).toBe("too_many_signals");
    expect(told(full, done()).kind).toBe("write");
  });
});

describe("a reply", () => {
  it("P71, P72: tells also of work that was skipped or cancelled", () => {
    const failed = written(
      fail(working(), { ...lease("c"), error: "no paper", non_retryable: true }, at()),
    ).next;
    expect(turnOf(failed).skipped).toBe(true);
    const skipped = written(told(waiting, failed)).next;
    expect(turnOf(skipped).steps[0]?.output).toMatchObject({
      value: { status: "failed", error: "no paper" },
    });
    const cancel = { workflow_id: ID, action: "cancel_turn" as const, turn: 1 };
    const cancelled = written(told(waiting, written(control(child(), cancel, at())).next)).next;
    expect(turnOf(cancelled).steps[0]?.output).toMatchObject({
      value: { status: "cancelled", result: null },
    });
  });

  it("P74: is given by the last continuation, and by no other message of the child", () => {
    const first = done({ continuation: { message: 2 } });
    expect(replyOf(first, turnOf(first))).toBeNull();
    const last = written(
      complete(claimed(sent(first, "m-9"), "d"), { ...completion("d"), turn: 2, result: "end" }, at()),
    ).next;
    expect(replyOf(last, turnOf(last, 3))).toBeNull();
    const { next } = written(told(waiting, last, 2));
    expect(turnOf(next).steps[0]?.output).toMatchObject({ value: { turn: 2, result: "end" } });
  });

  it("P75: comes without its result when that is too large for a signal, and its repeat is the same one", () => {
    const large = done({ result: "x".repeat(LIMITS.signalBytes) });
    const { next } = written(told(waiting, large));
    const value = { status: "completed", result: null, result_omitted: true };
    expect(turnOf(next).steps[0]?.output).toMatchObject({ received: true, value });
    expect(told(next, large).kind).toBe("answer");
  });

  it("P75: comes without its result when the parent's turn has no room for it", () => {
    const text = "x".repeat(30_000);
    let full = waiting;
    for (let n = 0; n < 7; n++) {
      const one = { workflow_id: "i-1", turn: 1, id: `s-${n}`, name: "other", value: text };
      full = written(signal(full, one, at())).next;
    }
    const { next } = written(told(full, done({ result: text })));
    expect(turnOf(next).steps[0]?.output).toMatchObject({ value: { result_omitted: true } });
    expect(told(next, done({ result: text })).kind).toBe("answer");
  });
});
