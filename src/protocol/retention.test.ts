/**
 * Retention as a function of the document. Risk: a turn is pruned while it must be kept, the marks grow with the history,
 * segments are erased of which a turn is kept.
 */
import { describe, expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import { claimed, completed, completion, created, dropMoved, sent, T0 } from "./examples.ts";
import { erasableThrough, type Retention } from "./retention.ts";

const HOUR_MS = 3_600_000;
const KEEP: Retention = { history_keep_turns: 3, history_keep_ms: 24 * HOUR_MS };

/** The instance after one more turn that finished then, and its move. */
function lived(instance: Instance, nowMs: number, retention: Retention, erased_through = 0): Instance {
  const turn = instance.next_turn;
  const queued = sent(instance, `m-${turn}`, 1, nowMs);
  const done = completed(claimed(queued, `t${turn}`, nowMs), completion(`t${turn}`, { turn }), nowMs);
  const decision = dropMoved(done, turn, { retention, now_ms: nowMs, erased_through });
  if (decision.kind !== "write") throw new Error(decision.kind);
  return decision.next;
}

function grown(turns: number, everyMs: number, retention: Retention): Instance {
  let instance = created();
  for (let n = 0; n < turns; n++) instance = lived(instance, T0 + n * everyMs, retention);
  return instance;
}

describe("retention", () => {
  it.each([
    ["the newest turns, however old", 3, 48 * HOUR_MS, 0],
    ["nothing beyond the newest when all are old", 10, 48 * HOUR_MS, 7],
    ["all that finished in the last day", 20, HOUR_MS, 0],
    ["none of the day before", 40, HOUR_MS, 16],
  ])("P85: keeps %s", (_, turns, everyMs, pruned) => {
    expect(grown(turns, everyMs, KEEP).history_pruned_through).toBe(pruned);
  });

  it.each([1, 60_000, HOUR_MS, 30 * HOUR_MS])(
    "P85, P88: never prunes early, with turns every %i ms",
    (everyMs) => {
      let instance = created();
      for (let n = 0; n < 300; n++) {
        const nowMs = T0 + n * everyMs;
        instance = lived(instance, nowMs, KEEP);
        const pruned = instance.history_pruned_through;
        const prunedAtMs = T0 + (pruned - 1) * everyMs;
        if (pruned > 0) expect(nowMs - prunedAtMs).toBeGreaterThanOrEqual(KEEP.history_keep_ms);
        expect(instance.history_through - pruned).toBeGreaterThanOrEqual(Math.min(n + 1, 3));
        expect(instance.history_marks.length).toBeLessThan(30);
        const kept = nowMs - KEEP.history_keep_ms * (1 + 2 / 12);
        const due = Math.min(instance.history_through - 3, Math.floor((kept - T0) / everyMs));
        expect(pruned).toBeGreaterThanOrEqual(due);
      }
    },
  );

  it("P85: keeps all with 0 turns, and marks nothing", () => {
    const all = grown(50, 48 * HOUR_MS, { ...KEEP, history_keep_turns: 0 });
    expect(all).toMatchObject({ history_pruned_through: 0, history_marks: [] });
  });

  it("P86: only whole blocks may be erased", () => {
    const instance = grown(10, 48 * HOUR_MS, KEEP);
    const erasable = (segment_turns: number) =>
      erasableThrough({ ...instance, history_layout: { segment_turns, page_turns: 256 } });
    expect(instance.history_pruned_through).toBe(7);
    expect([1, 2, 3, 4, 7, 8].map(erasable)).toEqual([7, 6, 6, 4, 7, 0]);
  });

  it("P86: notes what was erased, unless it was pruned in another version only", () => {
    const instance = grown(10, 48 * HOUR_MS, KEEP);
    const later = T0 + 480 * HOUR_MS;
    expect(lived(instance, later, KEEP, 7)).toMatchObject({ history_erased_through: 7 });
    expect(lived(instance, later, KEEP, 8)).toMatchObject({ history_erased_through: 0 });
    expect(lived(lived(instance, later, KEEP, 7), later, KEEP, 4)).toMatchObject({
      history_erased_through: 7,
    });
  });
});
