/**
 * Risk: requests are counted under a wrong cause, or not at all, so that a dearer call goes unseen.
 */
import { describe, expect, it } from "vitest";
import { workloads } from "../scenarios/catalog.ts";
import { runScenario, SeedSource } from "../sim/index.ts";
import { present } from "../src/std/assert.ts";
import { causesOf } from "./attribution.ts";
import {
  CAUSES,
  type Cause,
  type CountsByCause,
  DOCUMENTED,
  type LedgerRecord,
  measure,
  totalOf,
} from "./index.ts";

const CODE = { version: "0.0.0", commit: "none" };

function named(name: string) {
  return present(
    workloads.find(({ scenario }) => scenario.name === name),
    name,
  );
}

async function recordOf(name: string): Promise<LedgerRecord> {
  const record = await measure(named(name), "aws-s3", CODE);
  if (!record.ok) throw new Error(record.error);
  return record.value;
}

const puts = ({ counts, units }: LedgerRecord, cause: Cause) => (counts[cause]?.put ?? 0) / units;

describe("a measured run", () => {
  it("tells each write of a handoff by the documented calls by its cause, and none costs more than in the documented protocol", async () => {
    const record = await recordOf("sticky-documented");
    expect(record.units).toBe(128);
    const causes: readonly Cause[] = ["admit", "claim", "operation", "checkpoint", "complete"];
    const documented: CountsByCause = DOCUMENTED;
    // A sweep that meets a turn under way may cost a few writes more in the whole run.
    for (const cause of causes)
      expect(puts(record, cause)).toBeLessThanOrEqual((documented[cause]?.put ?? 0) + 0.1);
    expect(puts(record, "admit")).toBeGreaterThanOrEqual(1);
    // A segment for each block of 32 turns, and no write of the identity for the drop.
    expect(puts(record, "history")).toBe(1 / 32);
    expect(puts(record, "index") + puts(record, "sweep")).toBeLessThan(3.1);
    expect(totalOf(record.counts).refused / record.units).toBeLessThan(0.1);
    expect(record.counts.other).toBeUndefined();
  });

  it.each([
    ["sticky", 2.1, 0.1],
    ["sticky-checkpoint", 3.1, 0.1],
    ["cross-node", 4.1, 3.1],
  ])("costs at most, everything included: %s %d puts and %d gets", async (name, mostPuts, mostGets) => {
    const { counts, units } = await recordOf(name);
    const total = totalOf(counts);
    expect(total.put / units).toBeLessThanOrEqual(mostPuts);
    expect(total.get / units).toBeLessThanOrEqual(mostGets);
  });

  // 70 without the write that the store throttles, which is billed, too.
  it("takes 64 messages that come at once in 71 puts", async () => {
    const { counts, units } = await recordOf("at-once-64");
    expect((64 * totalOf(counts).put) / units).toBeLessThanOrEqual(71);
  });

  it("lets an idle node of four, with a thousand identities, send two requests in a second at most", async () => {
    const { counts, units } = await recordOf("idle-fleet");
    const { get, put, list } = totalOf(counts);
    expect((get + put + list) / units / 3_600).toBeLessThanOrEqual(2);
  });

  it("gives the same record each time, with the time of a handoff between its median and its tail", async () => {
    const [first, second] = [await recordOf("crash-recovery"), await recordOf("crash-recovery")];
    expect(second).toEqual(first);
    expect(first.serial_ms?.p50).toBeGreaterThan(0);
    expect(first.serial_ms?.p99).toBeGreaterThanOrEqual(first.serial_ms?.p50 ?? 0);
    // The step that the lost worker saved is saved once; the other one comes with the completion.
    expect(puts(first, "claim")).toBeGreaterThanOrEqual(2);
    expect([puts(first, "checkpoint"), puts(first, "complete")]).toEqual([1, 1]);
  });

  it("finds refused writes where callers race, and renewals where a step is long", async () => {
    const contended = await recordOf("contended");
    expect(totalOf(contended.counts).refused).toBeGreaterThan(0);
    expect(puts(await recordOf("long-step"), "heartbeat")).toBe(3);
  });

  it("counts every request of every node once", async () => {
    const { history } = await runScenario(named("contended").scenario, new SeedSource(1), {
      profile: "aws-s3",
    });
    const causes = causesOf(history);
    expect(causes.size).toBe(history.operations.length);
    expect([...causes.values()].every((cause) => CAUSES.includes(cause))).toBe(true);
    // Creations come before the part that is counted; nothing else is left over.
    const left = [...causes].filter(([, cause]) => cause === "other").map(([operation]) => operation.key);
    expect(left.every((key) => key.includes("/state/instances/")) && left.length <= 2).toBe(true);
  });
});
