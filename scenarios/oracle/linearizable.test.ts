/**
 * Risk: an oracle that explains everything, or that refuses what a sound engine may answer.
 */
import { describe, expect, test } from "vitest";
import { Callers, DONE, IDLE, LEASE, ok, refused, turnView } from "./examples.ts";
import { judgeInstances } from "./linearizable.ts";

function judge(callers: Callers, mostSteps?: number): string | undefined {
  return judgeInstances(callers.history(), mostSteps)[0]?.kind;
}
const stuck = (callers: Callers) =>
  judgeInstances(callers.history())[0]?.stuck.map(({ call }) => call.record.operation);

const step = (position: number, key: string) => ({ ...LEASE, position, key, kind: "step", output: "done" });
const lost = { key: "step-0", kind: "step", output: "other" };

/** What callers may see of a sound engine. */
const SOUND: readonly (readonly [what: string, callers: Callers])[] = [
  ["a turn from its message to its completion, and reads of it", readsAfter(new Callers().whole())],
  ["a send without an answer that counted", new Callers().create().send(1, null).claim()],
  ["a send without an answer that did not count", new Callers().create().send(1, null).sent(1)],
  [
    "a send without an answer that counts after a later one was answered",
    new Callers()
      .create()
      .send(1, null)
      .send(2, ok(turnView({ message_id: "m-2", message: "second" })))
      .send(1, ok(turnView({ number: 2 }))),
  ],
  ["a repeat of a send, and a refusal of another payload", repeats(new Callers().create().sent(1))],
  ["an attempt that nobody was told of", silent(new Callers().create().sent(1))],
  [
    "a completion without an answer that shows in the next read",
    new Callers().create().sent(1).claim().checkpoint().complete(null).call("getInstance", {}, null),
  ],
  [
    "a lease that ended by one clock and not by another",
    new Callers()
      .create()
      .sent(1)
      .claim()
      .call("heartbeat", LEASE, refused("fenced"))
      .call("heartbeat", LEASE, ok(turnView({ status: "running", attempt: 1, sequence: 4 }))),
  ],
  [
    "an exact repeat of a completion",
    new Callers()
      .whole()
      .complete()
      .checkpoint(ok(turnView({ ...DONE }))),
  ],
];

function readsAfter(callers: Callers): Callers {
  return callers
    .call("getInstance", { id: "order-1" }, ok(IDLE))
    .call("getTurn", { workflow_id: "order-1", turn: 1 }, ok(DONE))
    .call("getTurn", { workflow_id: "order-1", turn: 2 }, refused("not-found"))
    .call("history", { workflow_id: "order-1" }, ok({ turns: [DONE], next_after: null }));
}
function repeats(callers: Callers): Callers {
  return callers.sent(1).send(1, refused("conflict"), "other");
}
function silent(callers: Callers): Callers {
  return callers.call("claim", { worker: "v" }, null).claim({ attempt: 2, sequence: 4 });
}

/** What no caller of a sound engine ever sees, and the call that fits nowhere. */
const BROKEN: readonly (readonly [what: string, stuck: string, callers: Callers])[] = [
  [
    "a send that was refused and counted",
    "claim",
    new Callers().create().send(1, refused("over-limit")).claim(),
  ],
  [
    "two messages with one number",
    "sendMessage",
    new Callers()
      .create()
      .sent(1)
      .send(2, ok(turnView({ message_id: "m-2", message: "second" }))),
  ],
  [
    "a message that is admitted twice",
    "sendMessage",
    new Callers().whole().send(1, ok(turnView({ number: 2 }))),
  ],
  ["a repeat that is refused", "sendMessage", new Callers().create().sent(1).send(1, refused("conflict"))],
  [
    "another payload that is accepted",
    "sendMessage",
    new Callers().create().sent(1).send(1, ok(turnView()), "other"),
  ],
  [
    "a message that is taken before its turn",
    "claim",
    new Callers().create().sent(1).sent(2).claim({ number: 2, message_id: "m-2", message: "second" }),
  ],
  ["an attempt that no claim explains", "claim", new Callers().create().sent(1).claim({ attempt: 2 })],
  ["an attempt above the limit", "claim", fourth(new Callers().create().sent(1))],
  [
    "a turn that starts from an old state",
    "claim",
    new Callers()
      .whole()
      .sent(2)
      .claim({ number: 2, message_id: "m-2", message: "second" }, { token: "t-2" }),
  ],
  [
    "a saved step that the next attempt is not given",
    "claim",
    new Callers().create().sent(1).claim().checkpoint().claim({ attempt: 2 }),
  ],
  [
    "a step that is saved with other content",
    "checkpoint",
    new Callers()
      .create()
      .sent(1)
      .claim()
      .checkpoint(ok(turnView({ steps: [lost] }))),
  ],
  [
    "a step that leaves a hole",
    "checkpoint",
    new Callers()
      .create()
      .sent(1)
      .claim()
      .call("checkpoint", step(1, "step-1"), ok(turnView({ attempt: 1 }))),
  ],
  ["a call of an attempt that lost its turn", "heartbeat", overtaken(new Callers().create().sent(1).claim())],
  [
    "a completion that is lost",
    "getInstance",
    new Callers().whole().call("getInstance", { id: "order-1" }, ok({ ...IDLE, state: 0 })),
  ],
  [
    "a change counter that stands still",
    "getTurn",
    new Callers().whole().call("getTurn", { workflow_id: "order-1", turn: 1 }, ok({ ...DONE, sequence: 4 })),
  ],
  [
    "a finished turn that history does not have",
    "history",
    new Callers().whole().call("history", { workflow_id: "order-1" }, ok({ turns: [], next_after: null })),
  ],
  [
    "an instance that is there and is not found",
    "getInstance",
    new Callers().create().call("getInstance", { id: "order-1" }, refused("not-found")),
  ],
  [
    "a continuation that is answered and not admitted",
    "getTurn",
    continued(new Callers().create().sent(1).claim().checkpoint()),
  ],
];

function fourth(callers: Callers): Callers {
  for (let n = 0; n < 3; n++) callers.call("claim", { worker: "v", n }, null);
  return callers.claim({ attempt: 4, sequence: 6 });
}
function overtaken(callers: Callers): Callers {
  return callers
    .claim({ attempt: 2, sequence: 4 }, { token: "token-2" })
    .call("heartbeat", LEASE, ok(turnView({ status: "running", attempt: 1 })));
}
function continued(callers: Callers): Callers {
  const view = { ...DONE, continued_to: 2 };
  return callers
    .complete(ok(view), { message: "next" })
    .call("getTurn", { workflow_id: "order-1", turn: 2 }, refused("not-found"));
}

describe("the oracle", () => {
  test.each(SOUND)("explains %s", (_, callers) => {
    expect(judge(callers)).toBe("linearizable");
  });

  test.each(BROKEN)("refuses %s", (_, operation, callers) => {
    expect(judge(callers)).toBe("not-linearizable");
    expect(stuck(callers)).toEqual([operation]);
  });

  test("a call that was delivered twice may have its effect after its refusal", () => {
    const callers = new Callers().create();
    callers.call("sendMessage", { workflow_id: "order-1", id: "m-1", message: "first" }, refused("conflict"));
    expect(judge(callers.claim())).toBe("not-linearizable");
    const twice = new Callers().create();
    const faults = ["D01-duplicate-request"] as const;
    twice.call(
      "sendMessage",
      { workflow_id: "order-1", id: "m-1", message: "first" },
      refused("unavailable"),
      { faults },
    );
    expect(judge(twice.claim())).toBe("linearizable");
  });

  test("a search that ends at its bound decides nothing", () => {
    expect(judge(new Callers().whole(), 3)).toBe("undecided");
  });
});
