/**
 * Risk: an event fires out of order, twice or never, or a tie is not a draw.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventQueue } from "./event-queue.ts";
import { type SchedulePolicy, TIMED } from "./schedule-policy.ts";
import { ScriptSource } from "./script-source.ts";

type Owner = { readonly name: string };
const NOTHING = (): void => undefined;
const FIRST = new ScriptSource([]);

function takeAll(queue: EventQueue<Owner>, policy: SchedulePolicy, choices = FIRST): string[] {
  const taken: string[] = [];
  while (queue.size > 0) taken.push(queue.take(policy, choices).label);
  return taken;
}

describe("the queue", () => {
  it("gives events by time and, with all draws 0, by entry", () => {
    const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 });
    fc.assert(
      fc.property(times, (all) => {
        const queue = new EventQueue<Owner>();
        for (const [i, timeMs] of all.entries()) queue.add(timeMs, String(i), null, NOTHING);
        const expected = [...all.keys()].sort((a, b) => (all[a] ?? 0) - (all[b] ?? 0) || a - b);
        expect(takeAll(queue, TIMED)).toEqual(expected.map(String));
      }),
    );
  });

  it("gives the same as a sorted list while events come, are cancelled and are taken", () => {
    type Step = readonly ["add" | "cancel" | "take", number];
    const step: fc.Arbitrary<Step> = fc.tuple(
      fc.constantFrom("add" as const, "add" as const, "cancel" as const, "take" as const),
      fc.integer({ min: 0, max: 9 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 0, max: 3 }), (steps, slackMs) => {
        const policy: SchedulePolicy = { slackMs, pick: (_all, count) => count - 1 };
        const queue = new EventQueue<Owner>();
        let model: ReturnType<typeof queue.add>[] = [];
        let nowMs = 0;
        for (const [what, amount] of steps) {
          if (what === "add") model.push(queue.add(nowMs + amount, "x", null, NOTHING));
          const victim = model[amount];
          if (what === "cancel" && victim !== undefined) {
            queue.cancel(victim);
            queue.cancel(victim);
            model = model.filter((event) => event !== victim);
          }
          if (what === "take" && model.length > 0) {
            model.sort((a, b) => a.timeMs - b.timeMs || a.seq - b.seq);
            const earliestMs = model[0]?.timeMs ?? 0;
            expect(queue.earliestMs()).toBe(earliestMs);
            const expected = model.filter((event) => event.timeMs <= earliestMs + slackMs).at(-1);
            const taken = queue.take(policy, FIRST);
            expect(taken).toBe(expected);
            nowMs = Math.max(nowMs, taken.timeMs);
            model = model.filter((event) => event !== taken);
          }
          expect(queue.size).toBe(model.length);
        }
      }),
    );
  });

  it("makes one draw for each tie, over those that are tied", () => {
    const asked: number[] = [];
    const choices = {
      choose: (n: number, label: string): number => {
        expect(label).toBe("tie");
        asked.push(n);
        return n - 1;
      },
    };
    const queue = new EventQueue<Owner>();
    for (const label of ["a", "b", "c"]) queue.add(5, label, null, NOTHING);
    queue.add(4, "before", null, NOTHING);
    queue.add(6, "after", null, NOTHING);
    expect(takeAll(queue, TIMED, new ScriptSource([2, 1]))).toEqual(["before", "c", "b", "a", "after"]);
    for (const label of ["a", "b", "c"]) queue.add(5, label, null, NOTHING);
    while (queue.size > 0) queue.take(TIMED, choices);
    expect(asked).toEqual([3, 2]);
  });

  it("puts an event entered at the present time last in line", () => {
    const queue = new EventQueue<Owner>();
    queue.add(5, "a", null, NOTHING);
    queue.add(5, "b", null, NOTHING);
    expect(queue.take(TIMED, FIRST).label).toBe("a");
    queue.add(5, "c", null, NOTHING);
    expect(takeAll(queue, TIMED)).toEqual(["b", "c"]);
  });

  it("takes out everything of one owner", () => {
    const [one, other] = [{ name: "one" }, { name: "other" }];
    const queue = new EventQueue<Owner>();
    for (let i = 0; i < 40; i++) queue.add(i % 7, String(i), i % 2 === 0 ? one : other, NOTHING);
    queue.take(TIMED, FIRST);
    queue.removeOwnedBy(one);
    expect(queue.size).toBe(20);
    const left = takeAll(queue, TIMED);
    expect(left.every((label) => Number(label) % 2 === 1)).toBe(true);
    expect(queue.earliestMs()).toBe(Number.POSITIVE_INFINITY);
  });
});
