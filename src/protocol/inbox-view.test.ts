/**
 * Inbox views, and views of turns whose time has come. Risk: a finished turn that is shown as waiting, a page that skips
 * or repeats a turn, an instance that looks blocked, or alive, when it is not.
 */
import { describe, expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import type { Origin } from "../vocabulary/turn.ts";
import {
  awaiting,
  controlled,
  deferred,
  failed,
  finished,
  LEASE,
  lastTry,
  operating,
  queued,
  reportOf,
  retrying,
  running,
  skipped,
  sleeping,
} from "./example-turns.ts";
import { at, claimed, completed, completion, created, sent, T0, turnOf, written } from "./examples.ts";
import { inboxPage, inboxSummary } from "./inbox-view.ts";
import { progress } from "./progress.ts";
import { isRescheduled, scheduleOf } from "./schedule.ts";
import { send } from "./send.ts";
import { instanceStatusAt, turnViewAt } from "./view.ts";

const ALL = { after: 0, limit: 50, payloads: false };
const pageOf = (instance: Instance, wanted: object = {}, nowMs = T0) =>
  inboxPage(instance, { ...ALL, ...wanted }, nowMs);

describe("the inbox of an instance", () => {
  it("lists the unfinished turns with sizes, ages and origin, oldest first, payloads only on demand", () => {
    const origin: Origin = { kind: "app", note: "n" };
    const message = { workflow_id: "i-1", id: "m", message: "é", origin };
    const instance = written(send(controlled(running, "cancel_turn", 2), message, at(T0 + 9))).next;
    const page = pageOf(instance);
    expect(page).toMatchObject({
      pending_messages: 2,
      oldest_received_at_ms: T0,
      newest_received_at_ms: T0 + 9,
    });
    expect(page.entries.map((entry) => [entry.turn, entry.status])).toEqual([
      [1, "running"],
      [3, "queued"],
    ]);
    expect(page.entries[1]).toMatchObject({ message_id: "m", message_bytes: 4, origin, attempt: 0 });
    expect(page.entries[1]).not.toHaveProperty("message");
    expect(pageOf(instance, { payloads: true }).entries[1]).toHaveProperty("message", "é");
  });

  it("goes on after its cursor and ends without one", () => {
    const three = sent(queued(), "m-3");
    const first = pageOf(three, { limit: 2 });
    expect([first.entries.map((entry) => entry.turn), first.next_after]).toEqual([[1, 2], 2]);
    const rest = pageOf(three, { limit: 2, after: 2 });
    expect([rest.entries.map((entry) => entry.turn), rest.next_after]).toEqual([[3], null]);
    expect(pageOf(three, { limit: 3 }).next_after).toBeNull();
    expect(pageOf(created())).toMatchObject({ entries: [], oldest_received_at_ms: null, status: "idle" });
  });

  it("shows progress of the running turn alone", () => {
    const report = reportOf("t1", 1, { details: { phase: "p", done: 1 } });
    const instance = written(progress(operating, report, at(T0 + 10))).next;
    expect(pageOf(instance, {}, T0 + 10).entries[0]?.progress).toMatchObject({ phase: "p" });
    expect(pageOf(instance, {}, T0 + 300).entries[0]).toMatchObject({ status: "queued", progress: null });
  });

  it("is summed up for its type by head and age, and left out when it is empty", () => {
    expect(inboxSummary(failed, T0)).toMatchObject({
      pending_messages: 2,
      status: "failed",
      head: { turn: 1 },
    });
    expect(inboxSummary(skipped, T0)).toMatchObject({ pending_messages: 1, head: { turn: 2 } });
    const empty = completed(claimed(sent(created(), "m-1"), "t1"), completion("t1"));
    for (const none of [created(), empty]) expect(inboxSummary(none, T0)).toBeNull();
  });
});

describe("views of a moment", () => {
  it.each([
    ["a sleep", sleeping, 500, "sleep"],
    ["a wait for a signal", awaiting, 500, "signal"],
    ["a wait that counts no attempt", deferred, 5_000, "retry"],
  ])(
    "show %s as queued from its end on, as the next claim treats it",
    (_, instance, afterMs, waiting_for) => {
      const view = (nowMs: number) => turnViewAt(instance, turnOf(instance), nowMs);
      expect(view(T0 + afterMs - 1)).toMatchObject({ status: "waiting", waiting_for });
      expect(view(T0 + afterMs)).toMatchObject({
        status: "queued",
        waiting_for: null,
        steps: turnOf(instance).steps,
      });
      expect(pageOf(instance, {}, T0 + afterMs).entries[0]).toMatchObject({
        status: "queued",
        waiting_for: null,
      });
      expect(instanceStatusAt(instance, T0 + afterMs - 1)).toBe("waiting");
      expect(instanceStatusAt(instance, T0 + afterMs)).toBe("queued");
      expect(instanceStatusAt(controlled(instance, "pause"), T0 + afterMs)).toBe("paused");
    },
  );

  it("show an instance as its head: failed when that is out of attempts, also before a claim skips it", () => {
    const skipping = claimed(queued({ max_attempts: 1, on_exhausted: "skip" }), "t1");
    expect(instanceStatusAt(lastTry, T0 + LEASE)).toBe("failed");
    expect(instanceStatusAt(skipping, T0 + LEASE)).toBe("failed");
    expect(turnViewAt(skipping, turnOf(skipping), T0 + LEASE).status).toBe("failed");
    expect(instanceStatusAt(running, T0 + LEASE)).toBe("queued");
  });
});

describe("schedules", () => {
  it.each([
    ["queued", queued(), "queued", T0],
    ["running", running, "running", T0 + LEASE],
    ["in an operation", operating, "running", T0 + 300],
    ["sleeping", sleeping, "waiting", T0 + 500],
    ["awaiting a signal", awaiting, "waiting", T0 + 500],
    ["deferred", deferred, "waiting", T0 + 5_000],
    ["retrying", retrying, "queued", T0 + 1_000],
    ["failed", failed, "failed", null],
    ["skipped", skipped, "queued", T0],
    ["completed", finished, "queued", T0],
  ])("of an instance whose turn is %s", (_, instance, status, ready_at_ms) => {
    expect(scheduleOf(instance)).toEqual({ status, ready_at_ms });
    expect(scheduleOf(controlled(instance, "pause"))).toEqual({ status: "paused", ready_at_ms: null });
  });

  it("are told when an instance is paused or resumed, also while its turn is held", () => {
    const paused = controlled(running, "pause");
    expect(isRescheduled(running, paused)).toBe(true);
    expect(isRescheduled(paused, controlled(paused, "resume"))).toBe(true);
    expect(isRescheduled(running, operating)).toBe(false);
  });
});
