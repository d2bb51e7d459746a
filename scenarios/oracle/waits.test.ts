/**
 * Risk: an oracle that explains any end of a wait, any order of signals and any effect of a person's command, or that
 * refuses what clocks may do to them.
 */
import { describe, expect, test } from "vitest";
import { Callers, DONE, IDLE, LEASE, ok, refused, STEP, turnView } from "./examples.ts";
import { judgeInstances } from "./linearizable.ts";

type Edit = { readonly [field: string]: unknown };

const WAIT = { key: "wait-0", kind: "signal", delay_ms: 500, signal_name: "go", wake_at_ms: 550 };
const SLEEP = { key: "nap", kind: "sleep", output: null, delay_ms: 50, wake_at_ms: 100 };
const NOTHING = { received: false, value: null };
const got = (value: unknown) => ({ received: true, value });
const signal = (id: string, value: unknown, consumed_by: string | null = null) => ({
  id,
  name: "go",
  value,
  at_ms: 70,
  consumed_by,
});
const running = (edit: Edit = {}) => turnView({ status: "running", worker: "w", attempt: 1, ...edit });
const waits = (edit: Edit = {}) =>
  turnView({
    status: "waiting",
    waiting_for: "signal",
    attempt: 1,
    steps: [{ ...WAIT, output: null }],
    ...edit,
  });

const begun = () => new Callers().create().sent(1).claim();
const waiting = (reply: unknown = ok(waits()), callers = begun()) =>
  callers.call("waitSignal", { ...LEASE, position: 0, key: "wait-0", name: "go", timeout_ms: 500 }, reply);
const signalled = (callers: Callers, id: string, value: unknown, reply: unknown) =>
  callers.call("signal", { workflow_id: "order-1", turn: 1, id, name: "go", value }, reply);
const resumed = (callers: Callers, edit: Edit) => callers.claim({ ...edit }, { token: "token-2" });
const controlled = (callers: Callers, action: string, turn: number | null, reply: unknown) =>
  callers.call("control", { workflow_id: "order-1", action, turn }, reply);
const failed = (callers: Callers, edit: Edit = {}) =>
  callers.call("fail", { ...LEASE, error: "e", ...edit }, ok(turnView({ attempt: 1 })));
const read = (callers: Callers, view: unknown) =>
  callers.call("getTurn", { workflow_id: "order-1", turn: 1 }, view);
/** A claim whose answer was lost. */
const unseen = (callers: Callers) =>
  callers.call("claim", { worker: "w", workflows: [{ workflow_type: "t", version: "v1" }] }, null);
const shown = (edit: Edit = {}) => ok({ ...IDLE, ...edit });
const cancelled = (callers: Callers) => controlled(callers, "cancel_turn", 1, shown());
const operated = (callers: Callers, edit: Edit = {}, shownEdit: Edit = {}) =>
  callers.call(
    "operation",
    { ...LEASE, position: 0, key: "step-0", kind: "tool", timeout_ms: 900, ...edit },
    ok(running({ operation: { ...OPERATION, ...shownEdit } })),
  );
const OPERATION = {
  key: "step-0",
  kind: "tool",
  attempt: 1,
  timeout_ms: 900,
  heartbeat_timeout_ms: null,
  sequence: 0,
  details: null,
  checkpoint: null,
  deadline_ms: 950,
};
const reported = (callers: Callers, sequence: number, checkpoint: unknown, reply: unknown) =>
  callers.call("progress", { ...LEASE, key: "step-0", sequence, details: 1, checkpoint }, reply);

const late = () => signalled(waiting(), "e1", 1, ok(waits({ signals: [signal("e1", 1)] })));
const younger = [signal("e1", 1), signal("e2", 2, "wait-0")];
const taken = (value: unknown) => ({
  steps: [{ ...WAIT, output: got(value) }],
  signals: [signal("e1", value, "wait-0")],
});

/** What callers may see of a sound engine. */
const SOUND: readonly (readonly [what: string, callers: Callers])[] = [
  ["a wait that a signal ends", resumed(signalled(waiting(), "e1", 1, ok(waits(taken(1)))), taken(1))],
  ["a wait that ends with nothing", resumed(waiting(), { steps: [{ ...WAIT, output: NOTHING }] })],
  [
    "a signal that came too late for its wait",
    resumed(late(), { steps: [{ ...WAIT, output: NOTHING }], signals: [signal("e1", 1)] }),
  ],
  [
    "a buffered signal that a wait takes at once",
    waiting(ok(running(taken(1))), signalled(begun(), "e1", 1, ok(running({ signals: [signal("e1", 1)] })))),
  ],
  ["a signal without an answer that ended the wait", resumed(signalled(waiting(), "e1", 1, null), taken(1))],
  ["a repeat of a wait after it let go of its turn", waiting(ok(waits()), waiting())],
  [
    "a repeated signal after its turn completed, and a new one that is refused",
    signalled(
      signalled(
        signalled(begun(), "e1", 1, ok(running({ signals: [signal("e1", 1)] })))
          .checkpoint(ok(running({ steps: [STEP], signals: [signal("e1", 1)] })))
          .complete(ok({ ...DONE, signals: [signal("e1", 1)] })),
        "e1",
        1,
        ok({ ...DONE, signals: [signal("e1", 1)] }),
      ),
      "e2",
      1,
      refused("conflict"),
    ),
  ],
  ["a sleep, its repeat and the attempt going on", slept()],
  ["a wait that counts no attempt", resumed(failed(begun(), { retry_at_ms: 99_999 }), {})],
  [
    "an operation, its progress, and the next attempt that is given the checkpoint",
    operated(
      failed(reported(operated(begun()), 1, "here", ok(running()))).claim(
        { attempt: 2 },
        { token: "token-2" },
      ),
      { token: "token-2" },
      { attempt: 2, checkpoint: "here" },
    ),
  ],
  [
    "a pause between two attempts",
    controlled(controlled(begun(), "pause", null, shown()), "resume", null, shown()),
  ],
  [
    "a retry of a turn that failed for good",
    controlled(failed(begun(), { non_retryable: true }), "retry", 1, shown()).claim({ attempt: 2 }, {}),
  ],
  [
    "a skipped turn and its repeat",
    controlled(controlled(failed(begun(), { non_retryable: true }), "skip", 1, shown()), "skip", 1, shown()),
  ],
  [
    "a cancelled turn, read again",
    read(cancelled(begun()), ok(turnView({ status: "cancelled", attempt: 1, sequence: 9 }))),
  ],
  [
    "a cancelled turn whose attempt nobody was told of, seen afterwards",
    read(
      cancelled(unseen(new Callers().create().sent(1))),
      ok(turnView({ status: "cancelled", attempt: 1, sequence: 9 })),
    ),
  ],
  ["a turn cancelled behind the head", behind()],
  ["a turn whose last attempt ended by itself and was skipped", exhausted()],
  ["an inbox", begun().call("inbox", { workflow_id: "order-1", payloads: true }, ok(PAGE()))],
];

function slept(): Callers {
  const sleep = { ...LEASE, position: 0, key: "nap", kind: "sleep", delay_ms: 50 };
  const asleep = turnView({
    status: "waiting",
    waiting_for: "sleep",
    attempt: 1,
    steps: [SLEEP],
    sequence: 9,
  });
  const callers = begun().call("checkpoint", sleep, ok(asleep)).call("checkpoint", sleep, ok(asleep));
  return resumed(read(callers, ok(asleep)), { steps: [SLEEP] });
}
function behind(): Callers {
  const callers = controlled(begun().sent(2).sent(3), "cancel_turn", 2, shown()).checkpoint().complete();
  const head = { number: 3, message_id: "m-3", message: "second" };
  return callers.claim(head, { token: "token-3", state: 1 });
}
function exhausted(): Callers {
  const callers = new Callers().create(undefined, { max_attempts: 1, on_exhausted: "skip" }).sent(1).claim();
  return callers.sent(2).claim({ number: 2, message_id: "m-2", message: "second" }, { token: "token-2" });
}
function PAGE(): Edit {
  const entry = {
    turn: 1,
    message_id: "m-1",
    status: "running",
    attempt: 1,
    message_bytes: 7,
    message: "first",
  };
  const page = { workflow_type: "order", version: "v1", status: "running", pending_messages: 1 };
  return { ...page, entries: [entry], next_after: null };
}

/** What no caller of a sound engine ever sees, and the call that fits nowhere. */
const BROKEN: readonly (readonly [what: string, stuck: string, callers: Callers])[] = [
  [
    "a wait that receives another value than was sent",
    "claim",
    resumed(signalled(waiting(), "e1", 1, ok(waits({ signals: [signal("e1", 1)] }))), {
      steps: [{ ...WAIT, output: got(2) }],
      signals: [signal("e1", 1, "wait-0")],
    }),
  ],
  [
    "a wait that is claimed before it is over",
    "claim",
    resumed(waiting(), { steps: [{ ...WAIT, output: null }] }),
  ],
  [
    "a signal that ends a wait after it was seen too late for it",
    "claim",
    resumed(read(late(), ok(waits({ signals: [signal("e1", 1)], sequence: 9 }))), taken(1)),
  ],
  [
    "a younger signal that is taken before an older one",
    "waitSignal",
    waiting(ok(running({ steps: [{ ...WAIT, output: got(2) }], signals: younger })), twoSignals()),
  ],
  ["a signal that two steps take", "waitSignal", takenTwice()],
  [
    "a repeated signal with another value",
    "signal",
    signalled(
      signalled(begun(), "e1", 1, ok(running({ signals: [signal("e1", 1)] }))),
      "e1",
      2,
      ok(running({ signals: [signal("e1", 1)] })),
    ),
  ],
  [
    "a repeated signal with another receipt",
    "signal",
    signalled(
      signalled(begun(), "e1", 1, ok(running({ signals: [signal("e1", 1)] }))),
      "e1",
      1,
      ok(running({ signals: [{ ...signal("e1", 1), at_ms: 71 }] })),
    ),
  ],
  [
    "a new signal to a turn that completed",
    "signal",
    signalled(new Callers().whole(), "e1", 1, ok({ ...DONE, signals: [signal("e1", 1)] })),
  ],
  [
    "a wait that is counted as an attempt",
    "claim",
    resumed(failed(begun(), { retry_at_ms: 99_999 }), { attempt: 2 }),
  ],
  ["a wake-up time that moves", "getTurn", moved()],
  [
    "an operation whose end moves",
    "getTurn",
    read(operated(begun()), ok(running({ operation: { ...OPERATION, deadline_ms: 960 }, sequence: 9 }))),
  ],
  [
    "progress that goes back",
    "progress",
    reported(reported(operated(begun()), 2, "b", ok(running())), 1, "a", ok(running())),
  ],
  [
    "progress of a step that was saved",
    "progress",
    reported(operated(begun()).checkpoint(), 1, "a", ok(running({ steps: [STEP] }))),
  ],
  [
    "a saved step whose operation goes on",
    "getTurn",
    read(operated(begun()).checkpoint(), ok(running({ steps: [STEP], operation: OPERATION, sequence: 9 }))),
  ],
  [
    "a claim of a paused instance",
    "claim",
    controlled(new Callers().create().sent(1), "pause", null, shown()).claim(),
  ],
  ["a claim for another version", "claim", foreign(new Callers().create().sent(1))],
  ["a retry of a turn that completed", "control", controlled(new Callers().whole(), "retry", 1, shown())],
  [
    "a skipped turn that comes back",
    "claim",
    controlled(failed(begun(), { non_retryable: true }), "skip", 1, shown()).claim({ attempt: 2 }),
  ],
  [
    "a cancelled turn with an attempt that no claim explains",
    "getTurn",
    read(
      cancelled(new Callers().create().sent(1)),
      ok(turnView({ status: "cancelled", attempt: 1, sequence: 9 })),
    ),
  ],
  ["a completion of a cancelled turn", "complete", cancelled(begun().checkpoint()).complete()],
  [
    "a cancel that changes the state",
    "getInstance",
    cancelled(begun()).call("getInstance", { id: "order-1" }, ok({ ...IDLE, state: 1 })),
  ],
  [
    "an inbox that leaves a turn out",
    "inbox",
    begun()
      .sent(2)
      .call("inbox", { workflow_id: "order-1" }, ok({ ...PAGE(), pending_messages: 2 })),
  ],
  [
    "an origin that a repeat replaces",
    "sendMessage",
    new Callers()
      .create()
      .sent(1)
      .send(1, ok(turnView({ origin: { kind: "app" } }))),
  ],
];

function twoSignals(): Callers {
  const first = signalled(begun(), "e1", 1, ok(running({ signals: [signal("e1", 1)] })));
  return signalled(first, "e2", 2, ok(running({ signals: [signal("e1", 1), signal("e2", 2)] })));
}
function takenTwice(): Callers {
  const callers = signalled(begun(), "e1", 1, ok(running({ signals: [signal("e1", 1)] })));
  waiting(ok(running(taken(1))), callers);
  const second = { ...WAIT, key: "wait-1", output: got(1) };
  const steps = [{ ...WAIT, output: got(1) }, second];
  const request = { ...LEASE, position: 1, key: "wait-1", name: "go", timeout_ms: 500 };
  return callers.call("waitSignal", request, ok(running({ steps, signals: [signal("e1", 1, "wait-0")] })));
}
function moved(): Callers {
  const later = running({ steps: [{ ...SLEEP, wake_at_ms: 101 }], sequence: 9 });
  return read(slept(), ok(later));
}
function foreign(callers: Callers): Callers {
  const workflows = [{ workflow_type: "order", version: "v2" }];
  const turn = running({ workflow_id: "order-1" });
  const task = { workflow_type: "order", token: "token-1", state: 0, turn };
  return callers.call("claim", { worker: "w", workflows }, ok(task));
}

describe("the oracle", () => {
  test.each(SOUND)("explains %s", (_, callers) => {
    expect(judgeInstances(callers.history())).toMatchObject([{ kind: "linearizable" }]);
  });

  test.each(BROKEN)("refuses %s", (_, operation, callers) => {
    const [verdict] = judgeInstances(callers.history());
    expect(verdict?.kind).toBe("not-linearizable");
    expect(verdict?.stuck.map(({ call }) => call.record.operation)).toEqual([operation]);
  });
});
