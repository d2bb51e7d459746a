/**
 * Risk: the turn that comes with a completion is held to have changed when it was told, not when it was claimed; or may
 * then show anything.
 */
import { expect, test } from "vitest";
import { Callers, IDLE, LEASE, ok, turnView } from "./examples.ts";
import { judgeInstances } from "./linearizable.ts";

const NEXT = { worker: "w", workflows: [{ workflow_type: "order", version: "v1" }] };
const COMPLETE = { ...LEASE, state: 1, result: "r", continuation: null, next: NEXT };
const DONE = { status: "completed", attempt: 1, result: "r", state_after: 1, sequence: 5, worker: "w" };
const second = (sequence: number) => {
  const held = { status: "running", attempt: 1, worker: "w", workflow_id: "order-1" };
  return turnView({ number: 2, message_id: "m-2", message: "second", ...held, sequence });
};
const task = { workflow_type: "order", token: "token-2", state: 1, turn: second(5) };

/** The completion is written as change 5 and not answered, a third message is change 6, and then the repeat is answered. */
function toldByRepeat(shown: number): string | undefined {
  const instance = { ...IDLE, status: "running", completed_turns: 1, pending_messages: 2, sequence: 6 };
  const callers = new Callers()
    .create()
    .sent(1)
    .sent(2)
    .claim({ sequence: 4 })
    .call("getInstance", { id: "order-1" }, ok(held()))
    .call("complete", COMPLETE, null)
    .sent(2)
    .send(3, ok(turnView({ number: 3, message_id: "m-3", message: "second", sequence: 6 })))
    .call("complete", { ...COMPLETE }, ok({ ...turnView(DONE), next: task }))
    .call("getInstance", { id: "order-1" }, ok({ ...instance, current_turn: second(shown) }));
  return judgeInstances(callers.history())[0]?.kind;
}

function held() {
  const current_turn = turnView({ status: "running", attempt: 1, worker: "w", sequence: 4 });
  const counts = { completed_turns: 0, pending_messages: 2, sequence: 4 };
  return { ...IDLE, state: 0, status: "running", ...counts, current_turn };
}

test("a turn that a repeated completion tells of has changed in the write of the first one", () => {
  expect(toldByRepeat(5)).toBe("linearizable");
});

test("and not before it", () => {
  expect(toldByRepeat(4)).toBe("not-linearizable");
});
