/**
 * Risk: instances that a turn could not do are sent back twice, too early, for ever, or not at all.
 */
import { describe, expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { Origin } from "../vocabulary/turn.ts";
import { claim } from "./claim.ts";
import { control } from "./control.ts";
import {
  at,
  claimCommand,
  claimed,
  completed,
  completion,
  created,
  refused,
  sent,
  T0,
  written,
} from "./examples.ts";
import { inboxPage, inboxSummary } from "./inbox-view.ts";
import { requeue } from "./requeue.ts";
import { scheduleOf } from "./schedule.ts";
import { send } from "./send.ts";
import { instanceView } from "./view.ts";

const FAILED = [{ instance: "urn:a", error: "the model refused the text" }];
const STAMP = { sequence: 1, write_id: "w", lineage: [] };

function request(token = "a", fields: object = {}) {
  return { workflow_id: "i-1", turn: 1, token, key: "requeue", instances: FAILED, ...fields };
}

function running(origin: Origin | null = null): Instance {
  const first = written(
    send(
      created(),
      { workflow_id: "i-1", id: "m-1", message: 1, ...(origin === null ? {} : { origin }) },
      at(),
    ),
  ).next;
  return claimed(first, "a");
}

function requeued(instance: Instance, nowMs = T0, fields: object = {}): Instance {
  return written(requeue(instance, request("a", fields), at(nowMs))).next;
}

describe("sending back", () => {
  it("P60, P61: stores one message under a fixed id, due after a minute, and answers it", () => {
    const { next, reply } = written(requeue(running(), request(), at(T0)));
    const view = {
      workflow_id: "i-1",
      turn: 1,
      message_id: "requeue-1-requeue",
      attempt: 1,
      due_at_ms: T0 + 60_000,
    };
    expect(reply).toEqual(view);
    expect(next.deferred).toEqual([
      {
        id: "requeue-1-requeue",
        message: { requeue: FAILED },
        origin: { kind: "requeue", attempt: 1, turn: 1, message_id: "m-1" },
        received_at_ms: T0,
        due_at_ms: T0 + 60_000,
      },
    ]);
    expect(requeue(next, request(), at(T0 + 500))).toEqual({ kind: "answer", reply: view });
  });

  it.each([
    [1, 4 * 60_000],
    [2, 16 * 60_000],
  ])("P61: waits longer when it was sent back %i times", (attempt, delayMs) => {
    const { reply } = written(requeue(running({ kind: "requeue", attempt }), request(), at(T0)));
    expect(reply).toMatchObject({ attempt: attempt + 1, due_at_ms: T0 + delayMs });
  });

  it("P61: gives up after three times, which is an answer and writes nothing", () => {
    const decision = requeue(running({ kind: "requeue", attempt: 3 }), request(), at(T0));
    expect(decision).toMatchObject({ kind: "answer", reply: { attempt: 4, due_at_ms: null } });
  });

  it("P61: a sender's count below zero is none", () => {
    const decision = requeue(running({ kind: "requeue", attempt: -5 }), request(), at(T0));
    expect(decision).toMatchObject({ kind: "write", reply: { attempt: 1 } });
  });

  it("P60: other content under the key is a conflict, another key another message", () => {
    const once = requeued(running());
    const other = request("a", { message: { rows: [1] } });
    expect(refused(requeue(once, other, at()))).toMatchObject({ kind: "conflict", code: "requeue_conflict" });
    const twice = requeued(once, T0, { key: "more", message: { rows: [1] } });
    expect(twice.deferred.map(({ id }) => id)).toEqual(["requeue-1-requeue", "requeue-1-more"]);
    expect(twice.deferred[1]?.message).toEqual({ rows: [1] });
  });

  it("P60: the next attempt that sends back the same finds the message there", () => {
    const once = requeued(running());
    const again = claimed(once, "b", T0 + 100_000);
    expect(again.deferred).toEqual([]);
    const decision = requeue(again, request("b"), at(T0 + 100_000));
    expect(decision).toMatchObject({ kind: "answer", reply: { attempt: 1, due_at_ms: T0 + 60_000 } });
  });

  it("P60, P62: a late repeat of the attempt that is over is answered; anything new of it is fenced", () => {
    const over = completed(requeued(running()), completion("a"));
    expect(requeue(over, request(), at()).kind).toBe("answer");
    expect(refused(requeue(over, request("a", { key: "new" }), at())).kind).toBe("fenced");
    expect(refused(requeue(over, request("z"), at())).kind).toBe("fenced");
    const gone = request("a", { turn: 9 });
    expect(refused(requeue(over, gone, at())).code).toBe("turn_not_found");
  });

  it("P4, P64: a full inbox takes none, and a deferred message takes up a place", () => {
    let full = running();
    for (let n = 2; n < LIMITS.pendingMessages; n++) full = sent(full, `m-${n}`);
    full = requeued(full);
    expect(refused(requeue(full, request("a", { key: "more" }), at())).code).toBe("inbox_full");
    const one = send(full, { workflow_id: "i-1", id: "m-x", message: 1 }, at());
    expect(refused(one).code).toBe("inbox_full");
  });
});

describe("a deferred message", () => {
  const idle = completed(requeued(running()), completion("a"));
  const dueMs = T0 + 60_000;

  it("P63: makes the schedule of an empty inbox, and is pending in every view", () => {
    expect(scheduleOf(idle)).toEqual({ status: "waiting", ready_at_ms: dueMs });
    const view = instanceView(idle, STAMP, T0);
    expect(view).toMatchObject({ status: "waiting", pending_messages: 1, current_turn: null });
    const wanted = { after: 0, limit: 10, payloads: true };
    expect(inboxPage(idle, wanted, T0)).toMatchObject({
      pending_messages: 1,
      oldest_received_at_ms: T0,
      entries: [],
      deferred: [{ message_id: "requeue-1-requeue", due_at_ms: dueMs, message: { requeue: FAILED } }],
    });
    expect(inboxPage(idle, { ...wanted, after: 1 }, T0).deferred).toEqual([]);
    expect(inboxSummary(idle, T0)).toMatchObject({ pending_messages: 1, head: null });
  });

  it("P63: becomes a turn in the write of the claim that finds it due, not before", () => {
    expect(claim(idle, claimCommand("b"), at(dueMs - 1)).kind).toBe("nothing");
    const { next, reply } = written(claim(idle, claimCommand("b"), at(dueMs)));
    expect(reply).toMatchObject({
      number: 2,
      message_id: "requeue-1-requeue",
      status: "running",
      attempt: 1,
    });
    expect(reply?.origin).toMatchObject({ kind: "requeue", attempt: 1 });
    expect(next.deferred).toEqual([]);
  });

  it("P63: stands behind what is in the inbox, and what was due first before the others", () => {
    const two = requeued(requeued(running()), T0 - 10, { key: "sooner" });
    const busy = completed(sent(two, "m-2"), completion("a"));
    const next = claimed(busy, "b", T0 + 100_000);
    expect(next.turns.map((turn) => turn.message_id)).toEqual([
      "m-1",
      "m-2",
      "requeue-1-sooner",
      "requeue-1-requeue",
    ]);
    expect(next.turns[1]?.status).toBe("running");
  });

  it("P63: stays where it is while the instance is paused or its head cannot be claimed", () => {
    const paused = written(control(idle, { workflow_id: "i-1", action: "pause" }, at())).next;
    expect(scheduleOf(paused).status).toBe("paused");
    expect(claim(paused, claimCommand("b"), at(dueMs)).kind).toBe("nothing");
    const held = claimed(sent(requeued(running()), "m-2"), "b", T0 + 100_000);
    expect(claim({ ...held, deferred: idle.deferred }, claimCommand("c"), at(T0 + 100_001)).kind).toBe(
      "nothing",
    );
  });
});
