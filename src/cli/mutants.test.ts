/**
 * Risk: a bug that nothing finds looks like one that was found, or a matrix is lost.
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NO_FAULTS, type PlantedBug, type Scenario } from "../../sim/index.ts";
import { runLine } from "./example-io.ts";
import { cellText, figuresOf, ratio } from "./mutants-matrix.ts";

/** A scenario that ends at once and finds this. */
function scenarioWith(invariant: string | null): Scenario {
  const violations =
    invariant === null ? [] : [{ invariant, message: `${invariant} is broken`, key: null, atMs: null }];
  return {
    name: "small",
    claim: "claims little",
    faults: NO_FAULTS,
    build: () => ({
      finished: () => true,
      waiting: () => "",
      faultsUntilMs: 10,
      settleWithinMs: 10,
      quietMs: 10,
      heal: () => undefined,
      check: () => new Map([["I00", { examined: 1, violations }]]),
    }),
  };
}

function bugOf(name: string): PlantedBug {
  const edit = { file: "src/x.ts", find: "a", replace: "b" };
  return { name, catalogue: "B01", ...edit, about: `${name} is wrong`, caughtBy: ["I05-seen"] };
}

async function baton(line: string) {
  const folder = mkdtempSync(join(tmpdir(), "baton-mutants-"));
  const shelf = {
    catalog: [],
    explorations: [],
    loadPlantedExplorations: async () => [],
    bugs: [bugOf("seen"), bugOf("unseen")],
    loadPlanted: async ({ name }: PlantedBug) => [scenarioWith(name === "seen" ? "I05-seen" : null)],
    pinnedFolder: folder,
    version: "0.1.0",
  };
  const kept = (): unknown => JSON.parse(readFileSync(join(folder, "reports", "mutants.json"), "utf8"));
  return { ...(await runLine(line, shelf, folder)), kept };
}

describe("baton mutants", () => {
  test("lists the bugs, one a line", async () => {
    const { code, out } = await baton("mutants --list");
    expect(code).toBe(0);
    expect(out.trim().split("\n")).toHaveLength(2);
    expect(out).toContain("unseen is wrong");
  });

  test("tells runs, seconds and the invariant of each bug, and keeps the hunts", async () => {
    const { code, out, kept } = await baton("mutants seen --strategy random mix --seeds-per-bug 3");
    expect(code).toBe(0);
    expect(out).toMatch(/seen +1\/1 0\.0\/0\.0s +1\/1 0\.0\/0\.0s +I05-seen/);
    expect(kept()).toMatchObject({
      seed: 77,
      ended: "done",
      bugs: [
        { bug: "seen", seenBy: ["I05-seen"], cells: [{ hunter: "random", found: 3, medianRuns: 1 }, {}] },
      ],
    });
  });

  test("a bug that nothing finds is a hole", async () => {
    const { code, out } = await baton("mutants --strategy random --seeds-per-bug 3");
    expect(code).toBe(1);
    expect(out).toContain("none of 2");
    expect(out).toContain("found by nothing: unseen");
  });

  test("compares with the scheduler of fast-check", async () => {
    const { code, out } = await baton("mutants seen --strategy fast-check --seeds-per-bug 2");
    expect(code).toBe(0);
    expect(out).toMatch(/seen +1\/1 .*I05-seen/);
  });

  test("--json prints one object and nothing else", async () => {
    const { out } = await baton("mutants seen --strategy random --seeds-per-bug 1 --json");
    expect(JSON.parse(out)).toMatchObject({ format: "baton.mutants.v1" });
  });

  test("an unknown strategy is an error of usage", async () => {
    const { code, err } = await baton("mutants --strategy randon");
    expect(code).toBe(2);
    expect(err).toBe("error: unknown strategy 'randon'; did you mean random?\n");
  });
});

describe("the figures of a matrix", () => {
  const caught = { scenario: "small", seed: 1, invariants: ["I05-seen"] };
  const cell = (hunter: string, runs: readonly (number | null)[]) => ({
    hunter,
    trials: runs.map((n) => ({
      seed: 1,
      runs: n ?? 50,
      ms: (n ?? 50) * 1_000,
      caught: n === null ? null : caught,
    })),
  });

  test("a hunt without a catch is longer than any with one", () => {
    expect(figuresOf(cell("random", [4, null, 2, 8]))).toMatchObject({
      found: 3,
      medianRuns: 4,
      p90Runs: null,
    });
    expect(cellText(cell("random", [4, null, 2, 8]))).toBe("4/- 4.0/-s 3 of 4");
    expect(cellText(cell("random", [12, 31]))).toBe("12/31 12/31s");
  });

  test("a ratio compares the bugs that both found", () => {
    const rows = [
      { bug: "a", catalogue: "B01", cells: [cell("random", [8]), cell("mix", [2])] },
      { bug: "b", catalogue: "B01", cells: [cell("random", [9]), cell("mix", [1])] },
      { bug: "c", catalogue: "B01", cells: [cell("random", [null]), cell("mix", [1])] },
    ];
    expect(ratio(rows, "random", "mix")).toBeCloseTo(6);
    expect(ratio(rows, "pct", "mix")).toBeNull();
  });
});
