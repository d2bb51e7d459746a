/**
 * The fence before heartbeat, checkpoint, complete and fail. Risk: a worker that lost its lease still writes.
 */
import { describe, expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import { checkpoint } from "./checkpoint.ts";
import { complete } from "./complete.ts";
import type { Decision, Moment } from "./decision.ts";
import {
  at,
  claimed,
  completed,
  completion,
  created,
  dropMoved,
  lease,
  refused,
  sent,
  step,
  T0,
  turnOf,
  written,
} from "./examples.ts";
import { fail } from "./fail.ts";
import { heartbeat } from "./heartbeat.ts";

type Call = (instance: Instance, token: string, turn: number, moment: Moment) => Decision<Instance, unknown>;
const CALLS: { readonly [name: string]: Call } = {
  heartbeat: (i, token, turn, moment) => heartbeat(i, lease(token, turn), moment),
  checkpoint: (i, token, turn, moment) => checkpoint(i, { ...step(token, 0), turn }, moment),
  complete: (i, token, turn, moment) => complete(i, { ...completion(token), turn }, moment),
  fail: (i, token, turn, moment) => fail(i, { ...lease(token, turn), error: "x" }, moment),
};
const running = claimed(sent(sent(created({ lease_ms: 1_000 }), "a"), "b"), "t1");

describe.each(Object.keys(CALLS))("%s", (name) => {
  const call: Call = (...given) => (CALLS[name] as Call)(...given);

  it("P7: is accepted with the holder's token until the lease ends", () => {
    expect(call(running, "t1", 1, at(T0 + 999)).kind).toBe("write");
  });

  it("P8: is refused from the very end of the lease on", () => {
    const failure = refused(call(running, "t1", 1, at(T0 + 1_000)));
    expect(failure).toMatchObject({ kind: "fenced", code: "lease_expired" });
  });

  it("P7: is refused with any other token, and after the turn was taken over", () => {
    expect(refused(call(running, "t2", 1, at()))).toMatchObject({ kind: "fenced", code: "lease_lost" });
    const taken = claimed(running, "t2", T0 + 1_000);
    expect(refused(call(taken, "t1", 1, at(T0)))).toMatchObject({ kind: "fenced", code: "lease_lost" });
    expect(call(taken, "t2", 1, at(T0 + 1_500)).kind).toBe("write");
  });

  it("is refused on a turn that is only queued", () => {
    expect(refused(call(running, "t1", 2, at()))).toMatchObject({ kind: "fenced", code: "lease_lost" });
  });

  it("tells a turn that has moved to history from one that does not exist", () => {
    const moved = written(dropMoved(completed(running, completion("t1")), 1)).next;
    expect(refused(call(moved, "t1", 1, at()))).toMatchObject({ kind: "fenced", code: "turn_finished" });
    expect(refused(call(moved, "t1", 3, at()))).toMatchObject({ kind: "not-found", code: "turn_not_found" });
  });
});

describe("heartbeat", () => {
  it("extends the lease by the instance's lease from now, and changes nothing else", () => {
    const { next, reply } = written(heartbeat(running, lease("t1"), at(T0 + 700, 8)));
    expect(reply.holder).toEqual({ worker: "worker-of-t1", token: "t1", deadline_ms: T0 + 1_700 });
    const { holder, updated_at_ms, sequence } = reply;
    expect(reply).toEqual({ ...turnOf(running), holder, updated_at_ms, sequence });
    expect(sequence).toBe(8);
    expect(next).toEqual({ ...running, turns: next.turns, updated_at_ms: T0 + 700 });
  });
});
