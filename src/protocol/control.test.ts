/**
 * What each control does to a turn in each status (P41 to P46), as one table. Risk: a control that acts on a successor,
 * a repeat that acts twice, state that changes with a cancellation, a turn that nobody can put right.
 */
import { describe, expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import type { ControlAction } from "../vocabulary/requests.ts";
import { claim } from "./claim.ts";
import { complete } from "./complete.ts";
import { control, controlFinished } from "./control.ts";
import {
  ask,
  awaiting,
  cancelled,
  controlled,
  deferred,
  failed,
  failureOf,
  finished,
  LEASE,
  lastTry,
  queued,
  retrying,
  running,
  skipped,
  sleeping,
} from "./example-turns.ts";
import {
  at,
  claimCommand,
  claimed,
  completed,
  completion,
  dropMoved,
  lease,
  refused,
  T0,
  turnOf,
  written,
} from "./examples.ts";
import { fail } from "./fail.ts";
import { heartbeat } from "./heartbeat.ts";
import { inboxHead, pendingMessages } from "./inbox.ts";

/** Long after the example's lease and waits are over. */
const LATER = T0 + LEASE;
const STATES: { readonly [status: string]: Instance } = {
  queued: queued(),
  running,
  sleeping,
  awaiting,
  deferred,
  retrying,
  failed,
  "out of time": lastTry,
  skipped,
  cancelled,
  completed: finished,
};

/** What becomes of turn 1: its new status, `same` (answered, nothing written) or `no` (a conflict). */
const TABLE: {
  readonly [action in "retry" | "skip" | "cancel_turn" | "wake"]: { readonly [status: string]: string };
} = {
  retry: {
    queued: "no",
    running: "no",
    sleeping: "no",
    awaiting: "no",
    deferred: "no",
    retrying: "no",
    failed: "queued",
    "out of time": "queued",
    skipped: "no",
    cancelled: "no",
    completed: "no",
  },
  skip: {
    queued: "no",
    running: "no",
    sleeping: "no",
    awaiting: "no",
    deferred: "no",
    retrying: "no",
    failed: "skipped",
    "out of time": "skipped",
    skipped: "same",
    cancelled: "no",
    completed: "no",
  },
  cancel_turn: {
    queued: "cancelled",
    running: "cancelled",
    sleeping: "cancelled",
    awaiting: "cancelled",
    deferred: "cancelled",
    retrying: "cancelled",
    failed: "cancelled",
    "out of time": "cancelled",
    skipped: "no",
    cancelled: "same",
    completed: "no",
  },
  wake: {
    queued: "same",
    running: "same",
    sleeping: "same",
    awaiting: "same",
    deferred: "queued",
    retrying: "same",
    failed: "same",
    "out of time": "same",
    skipped: "same",
    cancelled: "same",
    completed: "same",
  },
};

const ROWS = Object.entries(TABLE).flatMap(([action, row]) =>
  Object.entries(row).map(([status, outcome]) => [action as ControlAction, status, outcome] as const),
);
const statusOf = (instance: Instance) => (turnOf(instance).skipped ? "skipped" : turnOf(instance).status);
const stateOf = (status: string) => STATES[status] ?? queued();

describe.each([
  ["", (instance: Instance) => instance],
  ["paused, ", (instance: Instance) => controlled(instance, "pause")],
])("%sP42 to P46", (_, as) => {
  it.each(ROWS)("%s of a turn that is %s: %s", (action, status, outcome) => {
    const instance = as(stateOf(status));
    const request = ask(action, action === "wake" ? null : 1);
    const decision = control(instance, request, at(LATER, 7));
    if (outcome === "no") {
      expect(refused(decision)).toMatchObject({ kind: "conflict", code: "turn_not_in_state", param: "turn" });
      return;
    }
    if (outcome === "same") {
      expect(decision).toEqual({ kind: "answer", reply: instance });
      return;
    }
    const { next, reply } = written(decision);
    expect(reply).toBe(next);
    expect(statusOf(next)).toBe(outcome);
    expect(turnOf(next)).toMatchObject({ steps: turnOf(instance).steps, holder: null, sequence: 7 });
    expect(turnOf(next, 2)).toEqual(turnOf(instance, 2));
    expect([next.state, next.paused]).toEqual([instance.state, instance.paused]);
  });
});

describe("a repeat", () => {
  it.each(["skip", "cancel_turn"] as const)(
    "P42: of %s finds its turn as the first left it, also from history",
    (action) => {
      const once = controlled(failed, action, 1);
      expect(control(once, ask(action, 1), at())).toEqual({ kind: "answer", reply: once });
      const turn = turnOf(once);
      const moved = written(dropMoved(once, 1)).next;
      expect(controlFinished(moved, turn, ask(action, 1))).toEqual({ kind: "answer", reply: moved });
      for (const other of ["retry", action === "skip" ? "cancel_turn" : "skip"] as const)
        expect(controlFinished(moved, turn, ask(other, 1))).toMatchObject({ kind: "refuse" });
    },
  );

  it("P42: of a retry is a conflict while the turn runs again, and never reaches the next turn", () => {
    const once = controlled(failed, "retry", 1);
    expect(refused(control(once, ask("retry", 1), at()))).toMatchObject({ kind: "conflict" });
    const ended = completed(claimed(once, "t2"), completion("t2"));
    const next = written(
      fail(claimed(ended, "t3"), { ...failureOf("t3", { non_retryable: true }), turn: 2 }, at()),
    ).next;
    for (const action of ["retry", "skip", "cancel_turn"] as const)
      expect(refused(control(next, ask(action, 1), at()))).toMatchObject({ kind: "conflict" });
  });

  it("P42: of a wake that names its turn does not end the wait of another one", () => {
    expect(turnOf(controlled(deferred, "wake", 1)).status).toBe("queued");
    const two = claimed(completed(claimed(controlled(deferred, "wake"), "t2"), completion("t2")), "t3");
    const waits = { ...failureOf("t3", { retry_at_ms: T0 + 9_000 }), turn: 2 };
    const waiting = written(fail(two, waits, at())).next;
    expect(control(waiting, ask("wake", 1), at())).toEqual({ kind: "answer", reply: waiting });
    expect(turnOf(controlled(waiting, "wake", 2), 2).status).toBe("queued");
  });

  it("P41: of pause and resume changes nothing", () => {
    const paused = controlled(running, "pause");
    expect(control(paused, ask("pause"), at())).toEqual({ kind: "answer", reply: paused });
    expect(control(running, ask("resume"), at())).toEqual({ kind: "answer", reply: running });
  });
});

describe("P41: a paused instance", () => {
  it("lets a leased turn finish and starts no other one", () => {
    const paused = controlled(running, "pause");
    expect(heartbeat(paused, lease("t1"), at()).kind).toBe("write");
    const done = written(complete(paused, completion("t1"), at())).next;
    expect(claim(done, claimCommand("t2"), at(LATER)).kind).toBe("nothing");
    expect(turnOf(claimed(controlled(done, "resume"), "t2"), 2).status).toBe("running");
  });

  it("P46: ends a wait that counts no attempt when it is resumed, or woken, and no other wait", () => {
    for (const [instance, status] of [
      [deferred, "queued"],
      [sleeping, "waiting"],
      [awaiting, "waiting"],
    ] as const) {
      expect(turnOf(controlled(controlled(instance, "pause"), "resume")).status).toBe(status);
    }
    const woken = controlled(controlled(deferred, "pause"), "wake");
    expect([woken.paused, turnOf(woken).status]).toEqual([true, "queued"]);
    expect(turnOf(controlled(deferred, "resume"))).toMatchObject({ status: "queued", ready_at_ms: T0 });
  });
});

describe("P43: retry", () => {
  it("gives a full number of attempts, counted on, with a back-off from the first step", () => {
    let instance = controlled(written(fail(lastTry, failureOf("t1"), at())).next, "retry", 1);
    expect(turnOf(instance)).toMatchObject({
      attempt: 1,
      forgiven_attempts: 1,
      finished_at_ms: null,
      ready_at_ms: T0,
    });
    instance = claimed(instance, "t2");
    expect(turnOf(instance).attempt).toBe(2);
    expect(written(fail(instance, failureOf("t2"), at())).reply.status).toBe("failed");
    const three = claimed(controlled(failed, "retry", 1), "t2");
    expect(written(fail(three, failureOf("t2"), at())).reply).toMatchObject({
      status: "queued",
      ready_at_ms: T0 + 1_000,
    });
  });

  it("is for a turn that ran out of time only when that was its last attempt", () => {
    expect(refused(control(running, ask("retry", 1), at(LATER)))).toMatchObject({
      code: "turn_not_in_state",
    });
    expect(refused(control(lastTry, ask("retry", 1), at(LATER - 1)))).toMatchObject({
      code: "turn_not_in_state",
    });
    const retried = controlled(lastTry, "retry", 1, LATER);
    expect(turnOf(retried)).toMatchObject({ status: "queued", forgiven_attempts: 1, skipped: false });
    expect(turnOf(retried).last_attempt).toMatchObject({ token: "t1", end: "expired" });
  });
});

describe("P45: cancel", () => {
  it("fences the attempt that holds the turn, and lets the next turn run from the same state", () => {
    for (const call of [heartbeat(cancelled, lease("t1"), at()), complete(cancelled, completion("t1"), at())])
      expect(refused(call)).toMatchObject({ kind: "fenced", code: "turn_cancelled" });
    const next = claimed(cancelled, "t2");
    expect([inboxHead(next)?.number, next.state]).toEqual([2, running.state]);
  });

  it("acts on its exact turn, wherever it stands", () => {
    const behind = controlled(running, "cancel_turn", 2);
    expect(turnOf(behind, 2)).toMatchObject({ status: "cancelled", last_attempt: null });
    expect([pendingMessages(behind), behind.completed_turns]).toEqual([1, 1]);
    expect(turnOf(behind)).toEqual(turnOf(running));
    expect(written(complete(behind, completion("t1"), at())).next.completed_turns).toBe(2);
  });

  it.each(["retry", "skip", "cancel_turn"] as const)("%s finds no turn that never was", (action) => {
    expect(refused(control(running, ask(action, 3), at()))).toMatchObject({ kind: "not-found" });
  });
});
