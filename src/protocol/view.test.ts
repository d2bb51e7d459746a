/**
 * Views and schedules. Risk: a token leaks, an ended lease looks alive, the index is told the wrong time.
 */
import { describe, expect, it } from "vitest";
import { checkpoint } from "./checkpoint.ts";
import {
  at,
  claimed,
  completed,
  completion,
  created,
  dropMoved,
  lease,
  sent,
  step,
  T0,
  turnOf,
  written,
} from "./examples.ts";
import { fail } from "./fail.ts";
import { heartbeat } from "./heartbeat.ts";
import { isRescheduled, scheduleOf } from "./schedule.ts";
import { instanceView, taskOf, turnView, turnViewAt } from "./view.ts";

const TOKEN = "secret-token";
const stamp = { sequence: 7, write_id: "w", lineage: [] };
const queued = sent(created({ lease_ms: 1_000, max_attempts: 1 }), "m");
const running = claimed(queued, TOKEN);
const done = completed(running, completion(TOKEN));
const failed = written(fail(running, { ...lease(TOKEN), error: "x" }, at())).next;

describe("views", () => {
  it("never hold a token", () => {
    const saved = written(checkpoint(running, step(TOKEN, 0), at())).next;
    for (const instance of [running, saved, done, failed, claimed(sent(done, "n"), TOKEN)]) {
      const views = [
        instanceView(instance, stamp, T0),
        ...instance.turns.map((turn) => turnView("i-1", turn)),
      ];
      expect(JSON.stringify(views).replaceAll(`worker-of-${TOKEN}`, "")).not.toContain(TOKEN);
    }
  });

  it("show an instance with its counters and its head", () => {
    expect(instanceView(created(), stamp, T0)).toMatchObject({
      status: "idle",
      current_turn: null,
      sequence: 7,
    });
    expect(instanceView(queued, stamp, T0)).toMatchObject({ status: "queued", pending_messages: 1 });
    expect(instanceView(running, stamp, T0)).toMatchObject({
      status: "running",
      current_turn: { number: 1 },
    });
    expect(instanceView(failed, stamp, T0)).toMatchObject({ status: "failed", pending_messages: 1 });
    const view = instanceView(done, stamp, T0);
    expect(view).toMatchObject({ status: "idle", completed_turns: 1, pending_messages: 0, state: { n: 1 } });
  });

  it("show the worker that holds or held the turn, and the lease only while it is held", () => {
    expect(turnView("i-1", turnOf(running))).toMatchObject({
      worker: `worker-of-${TOKEN}`,
      deadline_ms: T0 + 1_000,
    });
    expect(turnView("i-1", turnOf(done))).toMatchObject({ worker: `worker-of-${TOKEN}`, deadline_ms: null });
    expect(turnView("i-1", turnOf(queued)).worker).toBeNull();
  });

  it("show an ended lease as the next claim treats it: queued, or failed when out of attempts", () => {
    const twice = claimed(sent(created({ lease_ms: 1_000, max_attempts: 2 }), "m"), TOKEN);
    for (const [instance, status] of [
      [twice, "queued"],
      [running, "failed"],
    ] as const) {
      expect(turnViewAt(instance, turnOf(instance), T0 + 999).status).toBe("running");
      expect(turnViewAt(instance, turnOf(instance), T0 + 1_000)).toMatchObject({ status, deadline_ms: null });
      expect(instanceView(instance, stamp, T0 + 1_000).status).toBe(status);
    }
  });

  it("give a task the committed state and an effect prefix that is the same for each attempt", () => {
    const twice = claimed(sent(created({ lease_ms: 1_000 }), "m"), "a");
    const first = taskOf(twice, turnOf(twice), "a", "t/g/1");
    const again = claimed(twice, "b", T0 + 1_000);
    const second = taskOf(again, turnOf(again), "b", "t/g/1");
    expect(first.effect_prefix).toBe("t/g/1/i-1/life-1/1/m");
    expect(second.effect_prefix).toBe(first.effect_prefix);
    expect(first).toMatchObject({ state: { n: 0 }, lease_ms: 1_000, token: "a", workflow_type: "counter" });
  });
});

describe("schedules", () => {
  it("follow the head", () => {
    expect(scheduleOf(created())).toEqual({ status: "idle", ready_at_ms: null });
    expect(scheduleOf(queued)).toEqual({ status: "queued", ready_at_ms: T0 });
    expect(scheduleOf(running)).toEqual({ status: "running", ready_at_ms: T0 + 1_000 });
    expect(scheduleOf(failed)).toEqual({ status: "failed", ready_at_ms: null });
    expect(scheduleOf(done)).toEqual({ status: "idle", ready_at_ms: null });
  });

  it("count a renewed lease as no change and a new holder as one", () => {
    const renewed = written(heartbeat(running, lease(TOKEN), at(T0 + 500))).next;
    expect(isRescheduled(running, renewed)).toBe(false);
    const two = claimed(sent(created({ lease_ms: 1_000 }), "m"), "a");
    expect(isRescheduled(two, claimed(two, "b", T0 + 1_000))).toBe(true);
    expect(isRescheduled(queued, running)).toBe(true);
    expect(isRescheduled(running, done)).toBe(true);
    expect(isRescheduled(queued, sent(queued, "behind"))).toBe(false);
  });
});

describe("the end of a move", () => {
  const two = completed(claimed(sent(done, "n"), "u"), completion("u", { turn: 2 }));

  it("P21: drops the turns that are in history, once", () => {
    const { next } = written(dropMoved(two, 1));
    expect(next).toMatchObject({ history_through: 1, next_turn: 3, completed_turns: 2 });
    expect(next.turns.map((turn) => turn.number)).toEqual([2]);
    expect(dropMoved(next, 1)).toEqual({ kind: "answer", reply: null });
    expect(written(dropMoved(next, 2)).next.turns).toEqual([]);
  });

  it("P23: drops nothing up to a turn that has not finished here, or is not here yet", () => {
    for (const through of [3, 4])
      expect(dropMoved(sent(two, "o"), through)).toEqual({ kind: "answer", reply: null });
  });
});
