/**
 * Risk: work that others never hear of, or an index that is written for each turn.
 */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../adapters/manual-ports.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
import { urgencyOf } from "./index-urgency.ts";

const NOW = 1_000_000;
const clock = new ManualClock(NOW);
const entry = (status: IndexEntry["status"], ready_at_ms: number | null, sequence = 2): IndexEntry => ({
  workflow_type: "t",
  version: "v",
  status,
  ready_at_ms,
  sequence,
});
const urgency = (now: IndexEntry, stored: IndexEntry | undefined) => urgencyOf(now, stored, clock.wallMs());

describe("a change that the index has to hear of", () => {
  it("is urgent when work that can be claimed is not told, or another work than the one that was", () => {
    for (const stored of [
      undefined,
      entry("idle", null, 1),
      entry("queued", NOW - 9, 1),
      entry("running", NOW + 9, 1),
    ])
      expect(urgency(entry("queued", NOW), stored)).toEqual({ kind: "soon", withinMs: 200 });
  });

  it("waits a third of a lease when the work is held", () => {
    const held = { kind: "held", withinMs: 20_000 };
    expect(urgency(entry("running", NOW + 60_000), entry("idle", null, 1))).toEqual(held);
    expect(urgency(entry("running", NOW + 60_000), entry("waiting", NOW + 70_000, 1))).toEqual(held);
    expect(urgency(entry("running", NOW), entry("idle", null, 1)).withinMs).toBe(200);
  });

  it("waits while all it does is take back a promise, until shortly before that is due", () => {
    expect(urgency(entry("idle", null), entry("queued", NOW - 1, 1))).toEqual({
      kind: "lazy",
      withinMs: 10_000,
    });
    expect(urgency(entry("running", NOW + 90_000), entry("running", NOW + 60_000, 1))).toEqual({
      kind: "lazy",
      withinMs: 50_000,
    });
  });

  it("waits for others when the index says the same, or hides nothing and promises nothing", () => {
    expect(urgency(entry("queued", NOW), entry("queued", NOW, 1)).kind).toBe("never");
    expect(urgency(entry("failed", null), entry("idle", null, 1)).kind).toBe("never");
  });
});
