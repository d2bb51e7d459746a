/**
 * Risk: a completion hands the next turn to somebody who may not have it, or hands it out twice.
 */
import { describe, expect, it } from "vitest";
import type { CompleteRequest, ServedVersion } from "../vocabulary/requests.ts";
import { checkpoint } from "./checkpoint.ts";
import { complete } from "./complete.ts";
import { claimingNext } from "./complete-and-claim.ts";
import { control } from "./control.ts";
import { at, claimed, completion, created, lease, sent, step, T0, turnOf, V1, written } from "./examples.ts";
import { heartbeat } from "./heartbeat.ts";

type Doc = ReturnType<typeof created>;
const asking = (workflows: readonly ServedVersion[] = [V1]): CompleteRequest =>
  completion("t", { next: { worker: "w", workflows } });

function decide(instance: Doc, request: CompleteRequest, token = "t-2", nowMs = T0) {
  return claimingNext(instance, complete(instance, request, at(nowMs)), request, () => token, at(nowMs));
}

const two = () => claimed(sent(sent(created(), "m-1"), "m-2"), "t");
const done = (instance: Doc, request = asking()) => written(decide(instance, request));

describe("the claim", () => {
  it("is in the write of the completion", () => {
    const { next, reply } = done(two());
    expect(turnOf(next, 1).status).toBe("completed");
    expect(turnOf(next, 2)).toBe(reply.next);
    expect(reply.next).toMatchObject({
      status: "running",
      attempt: 1,
      holder: { worker: "w", token: "t-2", deadline_ms: T0 + next.lease_ms, granted_by: 1 },
    });
  });

  it("may take the continuation", () => {
    const request = { ...asking(), continuation: { message: { add: 2 } } };
    const { next, reply } = done(claimed(sent(created(), "m-1"), "t"), request);
    expect(reply.next).toMatchObject({ number: 2, message_id: "continue-1", status: "running" });
    expect(turnOf(next, 1).continued_to).toBe(2);
  });

  it("is not made when nobody asks for it", () => {
    const { next, reply } = done(two(), completion("t"));
    expect([reply.next, turnOf(next, 2).status]).toEqual([null, "queued"]);
  });

  it.each<[string, () => Doc, CompleteRequest]>([
    ["there is no other turn", () => claimed(sent(created(), "m-1"), "t"), asking()],
    ["the version is another one", two, asking([{ ...V1, version: "v2" }])],
    ["the type is another one", two, asking([{ ...V1, workflow_type: "other" }])],
    [
      "the instance is paused",
      () => written(control(two(), { workflow_id: "i-1", action: "pause" }, at())).next,
      asking(),
    ],
  ])("comes to nothing and the turn is completed all the same when %s", (_, made, request) => {
    const { next, reply } = done(made(), request);
    expect(reply.next).toBeNull();
    expect(turnOf(next, 1).status).toBe("completed");
    expect(next.turns[1]?.holder ?? null).toBeNull();
  });

  it("names the migration that comes first when the code is newer", () => {
    const request = asking([{ ...V1, version: "v2", migrates_from: ["v1"] }]);
    expect(done(two(), request).reply.next?.holder?.migrates_to).toBe("v2");
  });
});

describe("a repeat", () => {
  const granted = () => done(two()).next;

  it("answers the task that the completion granted, under the same token", () => {
    const repeated = decide(granted(), asking(), "t-3");
    expect(repeated).toMatchObject({ kind: "answer", reply: { turn: { number: 1 } } });
    expect(repeated.kind === "answer" && repeated.reply.next?.holder?.token).toBe("t-2");
  });

  it("answers it also after the lease was renewed", () => {
    const renewed = written(heartbeat(granted(), lease("t-2", 2), at(T0 + 9))).next;
    expect(decide(renewed, asking(), "t-3")).toMatchObject({ reply: { next: { number: 2 } } });
  });

  it.each<[string, () => Doc, CompleteRequest, number]>([
    ["another attempt holds the head", () => claimed(granted(), "t-9", T0 + 60_000), asking(), T0 + 60_000],
    ["the time of the attempt is over", granted, asking(), T0 + 60_000],
    [
      "the attempt has let go",
      () =>
        written(
          checkpoint(
            granted(),
            { ...step("t-2", 0), turn: 2, kind: "sleep", output: null, delay_ms: 9 },
            at(),
          ),
        ).next,
      asking(),
      T0,
    ],
    ["another worker asks", granted, completion("t", { next: { worker: "w-2", workflows: [V1] } }), T0],
    ["nobody asks", granted, completion("t"), T0],
    [
      "the completion claimed nothing, and the turn is free",
      () => done(two(), completion("t")).next,
      asking(),
      T0,
    ],
    [
      "the completion claimed nothing, and another claim took the head",
      () => claimed(done(two(), completion("t")).next, "t-2"),
      asking(),
      T0,
    ],
  ])("answers no task when %s", (_, made, request, nowMs) => {
    const kind = request.next === undefined ? "answer" : "nothing";
    expect(decide(made(), request, "t-3", nowMs)).toMatchObject({ kind, reply: { next: null } });
  });
});
