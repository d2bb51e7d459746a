/**
 * Risk: an instance whose state and code are of different versions, or a turn that two versions work on.
 */
import { describe, expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import { checkpoint } from "./checkpoint.ts";
import { claim, servingVersion } from "./claim.ts";
import { complete } from "./complete.ts";
import {
  at,
  claimed,
  completed,
  completion,
  created,
  lease,
  refused,
  sent,
  step,
  T0,
  V1,
  written,
} from "./examples.ts";
import { fail } from "./fail.ts";
import { heartbeat } from "./heartbeat.ts";
import { migrate } from "./migrate.ts";
import { operation } from "./operation.ts";
import { requeue } from "./requeue.ts";
import { isRescheduled } from "./schedule.ts";
import { taskOf } from "./view.ts";
import { waitSignal } from "./wait-signal.ts";

const V2 = { workflow_type: "counter", version: "v2", migrates_from: ["v0", "v1"] };
const STATE = { total: 0 };

function claimOf(token: string, ...workflows: (typeof V2 | typeof V1)[]) {
  return { worker: `worker-of-${token}`, workflows, token };
}

function migrating(instance: Instance, token = "b", nowMs = T0): Instance {
  return written(claim(instance, claimOf(token, V2), at(nowMs))).next;
}

function migration(token = "b", fields: object = {}) {
  return { ...lease(token), from: "v1", to: "v2", state: STATE, ...fields };
}

function migrated(instance: Instance, token = "b", nowMs = T0): Instance {
  return written(migrate(instance, migration(token), at(nowMs))).next;
}

const queued = sent(sent(created(), "m-1"), "m-2");

describe("a claim under another version", () => {
  it("P68: is for code that says it migrates; its task says from where to where, and nothing has changed yet", () => {
    const next = migrating(queued);
    expect(next).toMatchObject({ version: "v1", state: { n: 0 } });
    const turn = next.turns[0];
    expect(turn).toMatchObject({ version: "v1", migrations: [], holder: { migrates_to: "v2" } });
    const task = turn && taskOf(next, turn, "b", "scope");
    expect(task).toMatchObject({ state: { n: 0 }, migration: { from: "v1", to: "v2" } });
  });

  it.each([
    ["of another type", [{ ...V2, workflow_type: "other" }], null],
    ["that does not migrate", [{ workflow_type: "counter", version: "v2" }], null],
    ["that migrates from another version", [{ ...V2, migrates_from: ["v0"] }], null],
    ["that has both versions", [V2, V1], "v1"],
    ["that migrates", [V2], "v2"],
  ])("P68: code %s", (_, workflows, version) => {
    expect(servingVersion(workflows, V1)).toBe(version);
  });

  it("P68: is not given a turn that has saved a step, whoever holds it", () => {
    const running = claimed(queued, "a");
    const stepped = written(checkpoint(running, step("a", 0), at())).next;
    expect(claim(stepped, claimOf("b", V2), at(T0 + 100_000)).kind).toBe("nothing");
    const asleep = written(
      checkpoint(running, { ...lease("a"), position: 0, key: "s", kind: "sleep", delay_ms: 5 }, at()),
    );
    expect(claim(asleep.next, claimOf("b", V2), at(T0 + 100)).kind).toBe("nothing");
    expect(claim(stepped, claimOf("b", V1), at(T0 + 100_000)).kind).toBe("write");
  });

  it("P23, P68: goes on with an attempt that only waited, before its first step", () => {
    const running = claimed(queued, "a");
    const away = written(fail(running, { ...lease("a"), error: "busy", retry_at_ms: T0 + 5_000 }, at())).next;
    expect(migrating(away, "b", T0 + 5_000).turns[0]).toMatchObject({
      attempt: 1,
      holder: { migrates_to: "v2" },
    });
  });
});

describe("before its migration an attempt", () => {
  const next = migrating(queued);

  it.each([
    ["saves no step", () => checkpoint(next, step("b", 0), at())],
    [
      "sleeps not",
      () => checkpoint(next, { ...lease("b"), position: 0, key: "s", kind: "sleep", delay_ms: 5 }, at()),
    ],
    [
      "starts no operation",
      () => operation(next, { ...lease("b"), position: 0, key: "k", kind: "tool" }, at()),
    ],
    [
      "waits for no signal",
      () => waitSignal(next, { ...lease("b"), position: 0, key: "k", name: "s", timeout_ms: 9 }, at()),
    ],
    ["completes nothing", () => complete(next, completion("b"), at())],
    [
      "sends nothing back",
      () => requeue(next, { ...lease("b"), key: "k", instances: [{ instance: "i", error: "e" }] }, at()),
    ],
  ])("P66: %s", (_, command) => {
    expect(refused(command())).toMatchObject({ kind: "conflict", code: "migration_pending" });
  });

  it("P66: renews its lease and fails; then both versions may claim, and the state is the old one", () => {
    expect(heartbeat(next, lease("b"), at()).kind).toBe("write");
    const failed = written(fail(next, { ...lease("b"), error: "x" }, at())).next;
    expect(failed).toMatchObject({ version: "v1", state: { n: 0 } });
    const old = claimed(failed, "c", T0 + 5_000);
    expect(old.turns[0]).toMatchObject({ attempt: 2, version: "v1" });
    expect(old.turns[0]?.holder).not.toHaveProperty("migrates_to");
    expect(migrating(failed, "c", T0 + 5_000).turns[0]?.holder?.migrates_to).toBe("v2");
  });
});

describe("a migration", () => {
  it("P65: changes version, state and turn in one write, and forgets where the old code could go on", () => {
    const running = claimed(queued, "a");
    const begun = written(
      operation(running, { ...lease("a"), position: 0, key: "k", kind: "tool" }, at()),
    ).next;
    const next = migrated(migrating(begun, "b", T0 + 100_000), "b", T0 + 100_001);
    expect(next).toMatchObject({ version: "v2", state: STATE, workflow_type: "counter" });
    expect(next.turns[0]).toMatchObject({
      version: "v2",
      migrations: [{ from: "v1", to: "v2", at_ms: T0 + 100_001 }],
      operation: null,
      status: "running",
    });
    expect(next.turns[0]?.holder).toEqual({ worker: "worker-of-b", token: "b", deadline_ms: T0 + 160_000 });
  });

  it("P65: the index hears of it at once, although the same attempt goes on", () => {
    const before = migrating(queued);
    expect(isRescheduled(before, migrated(before))).toBe(true);
  });

  it("P67: an exact repeat is accepted while the turn is unfinished; other content is not", () => {
    const next = migrated(migrating(queued));
    expect(migrate(next, migration(), at(T0 + 1)).kind).toBe("answer");
    const other = migration("b", { state: { total: 1 } });
    expect(refused(migrate(next, other, at())).code).toBe("no_migration");
    const failed = written(fail(next, { ...lease("b"), error: "x" }, at())).next;
    expect(migrate(failed, migration(), at()).kind).toBe("answer");
    const over = completed(next, completion("b"));
    expect(refused(migrate(over, migration(), at())).kind).toBe("fenced");
  });

  it.each([
    ["from another version", { from: "v0" }],
    ["to another version", { to: "v3" }],
  ])("P65: %s than the task names is a conflict", (_, fields) => {
    const refusal = refused(migrate(migrating(queued), migration("b", fields), at()));
    expect(refusal).toMatchObject({ kind: "conflict", code: "no_migration" });
  });

  it("P65: an attempt of the same version has none to make, and a lost attempt makes none", () => {
    expect(refused(migrate(claimed(queued, "b"), migration(), at())).code).toBe("no_migration");
    const lost = claimed(migrating(queued, "b"), "c", T0 + 100_000);
    expect(refused(migrate(lost, migration("b"), at(T0 + 100_000)))).toMatchObject({ kind: "fenced" });
    const gone = migration("b", { turn: 9 });
    expect(refused(migrate(lost, gone, at())).code).toBe("turn_not_found");
  });

  it("P65, P68: the old version's worker is fenced and gets nothing any more; what is queued runs under the new one", () => {
    const old = claimed(queued, "a");
    const next = migrated(migrating(old, "b", T0 + 100_000), "b", T0 + 100_000);
    expect(refused(checkpoint(next, step("a", 0), at(T0 + 100_000))).kind).toBe("fenced");
    const over = completed(next, completion("b", { state: { total: 1 } }), T0 + 100_000);
    expect(claim(over, claimOf("c", V1), at(T0 + 100_000)).kind).toBe("nothing");
    const second = written(claim(over, claimOf("c", V2), at(T0 + 100_000))).next;
    expect(second.turns[1]).toMatchObject({ version: "v2", migrations: [] });
    expect(second.turns[1]?.holder).not.toHaveProperty("migrates_to");
  });

  it("P65: a turn whose attempt failed after it may be migrated again, by code that is newer still", () => {
    const failed = written(fail(migrated(migrating(queued)), { ...lease("b"), error: "x" }, at())).next;
    const v3 = { workflow_type: "counter", version: "v3", migrates_from: ["v2"] };
    const next = written(claim(failed, claimOf("c", v3), at(T0 + 5_000))).next;
    const request = { ...lease("c"), from: "v2", to: "v3", state: [1] };
    const last = written(migrate(next, request, at(T0 + 5_000))).next;
    expect(last.turns[0]?.migrations.map(({ to }) => to)).toEqual(["v2", "v3"]);
    expect(last).toMatchObject({ version: "v3", state: [1] });
  });
});
