/**
 * Creation and admission. Risk: a client that repeats a request makes a second instance or a second turn.
 */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../vocabulary/limits.ts";
import { create } from "./create.ts";
import {
  at,
  claimed,
  completed,
  completion,
  created,
  refused,
  sent,
  T0,
  turnOf,
  V1,
  written,
} from "./examples.ts";
import { pendingMessages } from "./inbox.ts";
import { repeatedSend, send } from "./send.ts";

const request = { id: "i-1", ...V1, state: { n: 0, m: [1] } };

describe("create", () => {
  it("makes an idle instance with the defaults", () => {
    const { next, reply } = written(create(null, { id: "i-1", ...V1 }, "life", at(7)));
    expect(reply).toBe(next);
    expect(next).toMatchObject({ state: null, lease_ms: 60_000, max_attempts: 3, incarnation: "life" });
    expect(next).toMatchObject({ next_turn: 1, completed_turns: 0, history_through: 0, turns: [] });
    expect(next).toMatchObject({ created_at_ms: 7, updated_at_ms: 7 });
  });

  it("answers an identical repeat with the first instance, whatever the order of keys and however defaults are spelled", () => {
    const first = written(create(null, request, "life", at())).next;
    const repeat = { ...V1, state: { m: [1], n: 0 }, id: "i-1", lease_ms: 60_000, max_attempts: 3 };
    expect(create(first, repeat, "other", at(T0 + 5))).toEqual({ kind: "answer", reply: first });
    const stateless = written(create(null, { id: "i-1", ...V1 }, "life", at())).next;
    expect(create(stateless, { id: "i-1", ...V1, state: null }, "x", at()).kind).toBe("answer");
  });

  it.each([
    { workflow_type: "other" },
    { version: "v2" },
    { state: { n: 1, m: [1] } },
    { lease_ms: 1_000 },
    { max_attempts: 4 },
  ])("conflicts with other content under the same id: %o", (other) => {
    const first = written(create(null, request, "life", at())).next;
    const failure = refused(create(first, { ...request, ...other }, "life-2", at()));
    expect(failure).toMatchObject({ kind: "conflict", code: "instance_conflict", param: "id" });
  });
});

describe("send", () => {
  it("P1: appends the next number, queued and ready at once", () => {
    const { next, reply } = written(
      send(sent(created(), "m-1"), { workflow_id: "i-1", id: "m-2", message: 5 }, at(T0 + 3, 9)),
    );
    expect(next.next_turn).toBe(3);
    expect(reply).toBe(next.turns[1]);
    expect(reply).toMatchObject({ number: 2, message_id: "m-2", message: 5, status: "queued", attempt: 0 });
    expect(reply).toMatchObject({ ready_at_ms: T0 + 3, sequence: 9, version: "v1", steps: [], holder: null });
  });

  it("P9, P10: an identical repeat answers the first turn, also when it runs or is completed", () => {
    const repeat = { workflow_id: "i-1", id: "m-1", message: { add: 1 } };
    let instance = sent(created(), "m-1");
    expect(send(instance, repeat, at())).toEqual({ kind: "answer", reply: turnOf(instance) });
    instance = claimed(instance, "t");
    expect(send(instance, repeat, at())).toEqual({ kind: "answer", reply: turnOf(instance) });
    instance = completed(instance, completion("t"));
    expect(send(instance, repeat, at())).toEqual({ kind: "answer", reply: turnOf(instance) });
  });

  it("P10: another payload under the id conflicts, here and from history", () => {
    const instance = sent(created(), "m-1");
    const other = { workflow_id: "i-1", id: "m-1", message: { add: 2 } };
    for (const decision of [send(instance, other, at()), repeatedSend(turnOf(instance), other)])
      expect(refused(decision)).toMatchObject({ kind: "conflict", code: "message_conflict", param: "id" });
  });

  it("P4: admits the last message below the limit and refuses the one above it", () => {
    let instance = created();
    for (let n = 1; n < LIMITS.pendingMessages; n++) instance = sent(instance, `m-${n}`);
    expect(pendingMessages(instance)).toBe(LIMITS.pendingMessages - 1);
    instance = sent(instance, "last");
    expect(pendingMessages(instance)).toBe(LIMITS.pendingMessages);
    const above = { workflow_id: "i-1", id: "above", message: 1 };
    expect(refused(send(instance, above, at()))).toMatchObject({ kind: "over-limit", code: "inbox_full" });
    expect(send(instance, { ...above, id: "last", message: { add: 1 } }, at()).kind).toBe("answer");
    instance = completed(claimed(instance, "t"), completion("t"));
    expect(send(instance, above, at()).kind).toBe("write");
  });
});
