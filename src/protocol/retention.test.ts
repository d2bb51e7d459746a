/**
 * Retention as a function of the document. Risk: a turn is pruned while it must be kept, the marks grow with the history,
 * two generations name the same kept turn.
 */
import { describe, expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import { claimed, completed, completion, created, sent, T0 } from "./examples.ts";
import { dropMoved } from "./history-move.ts";
import { generationOf, type Retention } from "./retention.ts";

const HOUR_MS = 3_600_000;
const KEEP: Retention = { history_keep_turns: 3, history_keep_ms: 24 * HOUR_MS, history_generation_turns: 4 };
const NOTHING = { through: 0, generationsBefore: 0 };

/** The instance after one more turn that finished then, and its move. */
function lived(instance: Instance, nowMs: number, retention: Retention, erased = NOTHING): Instance {
  const turn = instance.next_turn;
  const queued = sent(instance, `m-${turn}`, 1, nowMs);
  const done = completed(claimed(queued, `t${turn}`, nowMs), completion(`t${turn}`, { turn }), nowMs);
  const decision = dropMoved(done, turn, { retention, now_ms: nowMs, erased });
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
    expect(all.message_index.generation).toBe(0);
  });

  it("P87: the generation of a turn never changes, and kept turns are of two", () => {
    let instance = created();
    const known = new Map<number, number>();
    for (let n = 0; n < 60; n++) {
      instance = lived(instance, T0 + n * HOUR_MS, { ...KEEP, history_keep_ms: 0 });
      const { generation } = instance.message_index;
      for (let turn = instance.history_pruned_through + 1; turn < instance.next_turn; turn++) {
        const one = generationOf(instance, turn);
        expect([generation - 1, generation]).toContain(one);
        expect(known.get(turn) ?? one).toBe(one);
        known.set(turn, one);
      }
    }
    expect(instance.message_index.generation).toBeGreaterThan(5);
    expect(new Set(known.values()).size).toBeGreaterThan(5);
  });

  it("P86: notes what was erased, and stops when kept turns were", () => {
    const instance = grown(10, 48 * HOUR_MS, KEEP);
    const later = T0 + 480 * HOUR_MS;
    const erased = { through: 7, generationsBefore: instance.message_index.generation - 1 };
    expect(lived(instance, later, KEEP, erased)).toMatchObject({ history_erased_through: 7 });
    expect(() => lived(instance, later, KEEP, { ...erased, through: 8 })).toThrow("P86");
    const live = { ...erased, generationsBefore: instance.message_index.generation };
    expect(() => lived(instance, later, KEEP, live)).toThrow("P87");
  });
});
