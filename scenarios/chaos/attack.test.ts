/**
 * Risk: an attack that does less than it says, or a strike that tells the engine what no store could.
 */
import { describe, expect, test } from "vitest";
import { SeedSource } from "../../sim/index.ts";
import { IF_ABSENT, type ObjectStore, type PutOutcome } from "../../src/ports/index.ts";
import { drawClock, drawDisturbances, usualPlan } from "./disturbances.ts";
import type { Line } from "./log-lines.ts";
import { RecordingStore } from "./recording-store.ts";
import { NO_STRIKES, SeededStrikes, type Strike, USUAL_RATES } from "./strikes.ts";

const TEN_MINUTES_MS = 600_000;

describe("disturbances", () => {
  test("of ten minutes are at least 50 kills and 20 freezes, all within the run", () => {
    const plan = usualPlan(TEN_MINUTES_MS);
    const drawn = drawDisturbances(new SeedSource(1), plan, 7, 5_000, 5_000, 5_000 + TEN_MINUTES_MS);
    const count = (kind: string) => drawn.filter((one) => one.kind === kind).length;
    expect(count("kill")).toBeGreaterThanOrEqual(50);
    expect(count("freeze")).toBeGreaterThanOrEqual(20);
    expect(count("restart")).toBe(plan.restarts);
    for (const { atMs, place } of drawn) {
      expect(atMs).toBeGreaterThanOrEqual(5_000);
      expect(atMs).toBeLessThanOrEqual(5_000 + TEN_MINUTES_MS);
      expect(place).toBeLessThan(7);
    }
  });

  test("freeze for longer than any lease", () => {
    const drawn = drawDisturbances(new SeedSource(2), usualPlan(TEN_MINUTES_MS), 7, 5_000, 0, TEN_MINUTES_MS);
    const freezes = drawn.filter(({ kind }) => kind === "freeze");
    expect(Math.min(...freezes.map(({ forMs }) => forMs))).toBeGreaterThan(5_000);
  });

  test("set clocks wrong within the bound while faults strike, and right from then on", () => {
    const choices = new SeedSource(3);
    const clocks = Array.from({ length: 50 }, () => drawClock(choices, 8_000, 100, 900));
    const offsets = clocks.flat().map(({ offsetMs }) => offsetMs);
    expect(new Set(offsets).size).toBeGreaterThan(10);
    expect(Math.max(...offsets.map(Math.abs))).toBeLessThanOrEqual(8_000);
    for (const clock of clocks) expect(clock.at(-1)).toEqual({ fromMs: 900, offsetMs: 0, driftPpm: 0 });
    expect(drawClock(choices, 8_000, 900, 900)).toEqual([{ fromMs: 900, offsetMs: 0, driftPpm: 0 }]);
  });
});

describe("strikes", () => {
  const drawn = (seed: number, on: () => boolean) => {
    const strikes = new SeededStrikes(seed, USUAL_RATES, on);
    return Array.from({ length: 2_000 }, () => strikes.next("put", true));
  };

  test("are the same for the same life, of every kind, and none once faults are over", () => {
    const first = drawn(7, () => true);
    expect(drawn(7, () => true)).toEqual(first);
    expect(drawn(8, () => true)).not.toEqual(first);
    const kinds = new Set(first.map((strike) => strike?.kind));
    for (const kind of [
      "slow",
      "lost-request",
      "lost-answer",
      "late-write",
      "throttled",
      "conflict",
      "death",
    ])
      expect(kinds).toContain(kind);
    expect(new Set(drawn(7, () => false))).toEqual(new Set([null]));
  });
});

const DONE: PutOutcome = { kind: "ok", etag: "e" };

/** What a put is told, how often the store was asked, and the log. */
async function struck(strike: Strike | null) {
  const lines: Line[] = [];
  let asked = 0;
  let deaths = 0;
  const later: (() => void)[] = [];
  const store = {
    put: () => {
      asked += 1;
      return Promise.resolve(DONE);
    },
  } as unknown as ObjectStore;
  const clock = {
    wallMs: () => 0,
    monotonicMs: () => 0,
    sleep: () =>
      strike?.kind === "late-write" ? new Promise<void>((r) => later.push(r)) : Promise.resolve(),
  };
  const log = { nowMs: () => lines.length, write: (line: Line) => void lines.push(line) };
  const die = () => {
    deaths += 1;
  };
  const strikes = { next: () => strike };
  const outcome = await new RecordingStore({ store, log, clock, strikes, die }).put("k", "b", IF_ABSENT);
  const before = asked;
  for (const go of later) go();
  await Promise.resolve();
  return { outcome: outcome.kind, before, asked, deaths, lines: lines.map(({ e }) => e) };
}

describe("a recording store", () => {
  const cases: readonly [string, Strike | null, object][] = [
    ["nothing", null, { outcome: "ok", asked: 1 }],
    ["a slow answer", { kind: "slow", ms: 1 }, { outcome: "ok", asked: 1 }],
    ["a lost request", { kind: "lost-request", ms: 1 }, { outcome: "unknown-outcome", asked: 0 }],
    ["a lost answer", { kind: "lost-answer", ms: 1 }, { outcome: "unknown-outcome", asked: 1 }],
    ["a late write", { kind: "late-write", ms: 1 }, { outcome: "unknown-outcome", before: 0, asked: 1 }],
    ["a throttle", { kind: "throttled", applied: false }, { outcome: "throttled", asked: 0 }],
    [
      "a throttle that came too late",
      { kind: "throttled", applied: true },
      { outcome: "throttled", asked: 1 },
    ],
    ["a conflict", { kind: "conflict" }, { outcome: "conflict", asked: 0 }],
    ["death at a write", { kind: "death", before: false, after: true }, { deaths: 1, asked: 1 }],
  ];
  test.each(cases)("tells of %s what a store may tell", async (_, strike, expected) => {
    const seen = await struck(strike);
    expect(seen).toMatchObject(expected);
    expect(seen.lines[0]).toBe("store-sent");
  });

  test("writes a body down once, and again when another one has its etag", async () => {
    const lines: Line[] = [];
    const bodies = ["one", "one", "two"];
    const store = {
      get: () => Promise.resolve({ kind: "ok", body: bodies.shift(), etag: "e" }),
    } as unknown as ObjectStore;
    const log = { nowMs: () => 0, write: (line: Line) => void lines.push(line) };
    const clock = { wallMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() };
    const recording = new RecordingStore({ store, log, clock, strikes: NO_STRIKES, die: () => undefined });
    for (let n = 0; n < 3; n++) await recording.get("k");
    const told = lines.flatMap((line) => (line.e === "store-did" ? [line.outcome] : []));
    expect(told).toMatchObject([{ body: "one" }, { body: null }, { body: "two" }]);
  });
});
