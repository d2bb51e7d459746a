/**
 * Risk: a strategy that searches nothing, or a run of one that cannot be made again from its seed or its draws.
 */
import { describe, expect, test } from "vitest";
import {
  type Candidate,
  type ChoiceSource,
  ReplaySource,
  ScriptSource,
  type Touch,
} from "../../kernel/index.ts";
import { writes } from "../../runner/fixtures.ts";
import { type RunResult, runScenario, type Scenario } from "../../runner/index.ts";
import { race } from "../races.ts";
import { puts, toy } from "../search/toys.ts";
import { MIX, PCT, POS, RANDOM, STRATEGIES } from "./index.ts";
import { PctPicker } from "./pct.ts";
import { PosPicker } from "./pos.ts";
import type { Strategy } from "./strategy.ts";

/** Three processes that write to two keys, with latencies of a few milliseconds. */
const contended = toy([puts("a", "b", "a"), puts("b", "a", "b"), puts("a", "a", "b")]);

function run(strategy: Strategy, seed: number, scenario: Scenario = contended): Promise<RunResult> {
  const { source, policy } = strategy.begin(seed);
  return runScenario(scenario, source, { policy });
}

/** The order in which the store decided, as one text. */
function orderOf(result: RunResult): string {
  const applied = [...result.history.operations].sort((a, b) => (a.version ?? 0) - (b.version ?? 0));
  return applied.map(({ process, key }) => `${process}${key}`).join(" ");
}

let seqs = 0;
const event = (owner: string | null, timeMs = 0, touches: Touch | null = null): Candidate => ({
  timeMs,
  seq: seqs++,
  label: "work",
  owner: owner === null ? null : { name: owner },
  touches,
});
const put = (process: string, key: string): Touch => ({ process, kind: "put", key });
const get = (process: string, key: string): Touch => ({ process, kind: "get", key });

/** A source that notes how often it was asked. */
function counting(values: readonly number[]): ChoiceSource & { asked: number } {
  const script = new ScriptSource(values);
  const source = {
    asked: 0,
    choose(n: number, label: string) {
      source.asked++;
      return script.choose(n, label);
    },
  };
  return source;
}

describe.each(STRATEGIES.map((strategy) => [strategy.name, strategy] as const))("%s", (_, strategy) => {
  test("makes the same run from the same seed, whatever was run before", async () => {
    const first = await run(strategy, 11);
    await run(strategy, 12);
    expect((await run(strategy, 11)).fingerprint).toBe(first.fingerprint);
  });

  test("makes runs that their draws and slack alone make again", async () => {
    for (let seed = 0; seed < 20; seed++) {
      const result = await run(strategy, seed);
      const replay = new ReplaySource(result.draws());
      const again = await runScenario(contended, replay, { slackMs: strategy.begin(seed).policy.slackMs });
      expect([again.fingerprint, replay.remaining]).toEqual([result.fingerprint, 0]);
    }
  });

  test("makes different orders from different seeds", async () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 30; seed++) orders.add(orderOf(await run(strategy, seed)));
    expect(orders.size).toBeGreaterThan(10);
  });

  test("lets a sound scenario pass", async () => {
    for (let seed = 0; seed < 10; seed++)
      expect((await run(strategy, seed, writes)).outcome.kind).toBe("pass");
  });
});

describe("a mix", () => {
  test("makes each run as one of the others does, about as often as each", async () => {
    const made = new Map<string, number>();
    for (let seed = 0; seed < 90; seed++) {
      const mixed = (await run(MIX, seed)).fingerprint;
      for (const part of [RANDOM, PCT, POS]) {
        if ((await run(part, seed)).fingerprint === mixed)
          made.set(part.name, (made.get(part.name) ?? 0) + 1);
      }
    }
    expect([...made.values()].reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(90);
    for (const part of [RANDOM, PCT, POS]) expect(made.get(part.name)).toBeGreaterThan(15);
  });
});

describe("PCT", () => {
  test("takes the event of the process with the highest priority, of one process the earliest", () => {
    // Priorities as the processes are met: a 5, b 9, c 1.
    const picker = new PctPicker(new ScriptSource([5, 9, 1]), []);
    const line = [event("a"), event("b", 1), event("c", 2), event("b", 3)];
    expect(picker.pick(line, 4)).toBe(1);
    const [a, , c, later] = line;
    expect(picker.pick([a, c, later] as Candidate[], 3)).toBe(2);
    expect(picker.pick([a, c] as Candidate[], 2)).toBe(0);
  });

  test("looks only at the events on offer", () => {
    const picker = new PctPicker(new ScriptSource([5, 9]), []);
    expect(picker.pick([event("a"), event("b")], 1)).toBe(0);
  });

  test("puts the process that is on below all others at a change point, and keeps it there", () => {
    const picker = new PctPicker(new ScriptSource([5, 9, 1]), [1, 3]);
    const line = [event("a"), event("b"), event("c")];
    const picks = [0, 1, 2, 3, 4].map(() => picker.pick(line, 3));
    // b leads, falls at the second pick; a leads, falls at the fourth; c is left.
    expect(picks).toEqual([1, 0, 0, 2, 2]);
  });

  test("counts a request for its sender, a call for whom it reaches, and the harness as one", () => {
    const picker = new PctPicker(new ScriptSource([5, 9]), []);
    const call: Touch = { process: "b", kind: "call", key: "a" };
    expect(picker.pick([event(null, 0, put("a", "k")), event(null, 0, call)], 2)).toBe(1);
    expect(picker.pick([event("a"), event("b")], 2)).toBe(1);
    const harness = counting([3]);
    new PctPicker(harness, []).pick([event(null), event(null)], 2);
    expect(harness.asked).toBe(1);
  });
});

describe("POS", () => {
  test("takes the highest priority, and draws anew only for the events that race with it", () => {
    const source = counting([5, 9, 7, 4]);
    const picker = new PosPicker(source);
    const [w, x, other] = [put("p1", "x"), put("p2", "x"), put("p3", "y")].map((touch) =>
      event(null, 0, touch),
    );
    const line = [w, x, other] as Candidate[];
    expect([picker.pick(line, 3), source.asked]).toEqual([1, 4]);
    // The write to x by p1 has 4 now, the one to y kept its 7.
    expect([picker.pick([w, other] as Candidate[], 2), source.asked]).toEqual([1, 4]);
  });

  test("draws once for an event that nothing races with, however long it waits", () => {
    const source = counting([9, 8, 7, 1]);
    const picker = new PosPicker(source);
    const line = ["a", "b", "c", "d"].map((key, i) => event(null, 0, put(`p${i}`, key)));
    expect([picker.pick(line, 4), picker.pick(line.slice(1), 3), picker.pick(line.slice(2), 2)]).toEqual([
      0, 0, 0,
    ]);
    expect(source.asked).toBe(4);
  });
});

describe("two events race", () => {
  const at = (touches: Touch) => event(null, 0, touches);
  test.each([
    ["two writes of one key", at(put("p", "k")), at(put("q", "k")), true],
    ["a read and a write of one key", at(get("p", "k")), at(put("q", "k")), true],
    ["two reads of one key", at(get("p", "k")), at(get("q", "k")), false],
    ["writes of two keys", at(put("p", "k")), at(put("q", "l")), false],
    ["a list and a write below it", at({ process: "p", kind: "list", key: "a/" }), at(put("q", "a/b")), true],
    ["a list and a write elsewhere", at({ process: "p", kind: "list", key: "a/" }), at(put("q", "b")), false],
    ["two events of one process", event("p"), event("p"), true],
    ["an answer and a request of one process", event("p"), at(get("p", "k")), true],
    ["events of two processes", event("p"), event("q"), false],
    ["two events of the harness", event(null), event(null), false],
  ])("or not: %s", (_, a, b, races) => {
    expect([race(a, b), race(b, a)]).toEqual([races, races]);
  });
});
