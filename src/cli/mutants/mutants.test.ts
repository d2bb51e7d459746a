/**
 * Risk: a bug that nothing finds looks like one that was found, or a matrix is lost.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NO_FAULTS, type PlantedBug, type Scenario } from "../../../sim/index.ts";
import { runLine } from "../example-io.ts";
import type { Io } from "../io.ts";
import type { Shelf } from "../shelf.ts";
import { UsageError } from "../terminal/arguments.ts";
import { BugHunts, type HuntNews, type HuntOrder } from "./bug-hunts.ts";
import type { HuntThread } from "./hunt-pool.ts";
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

async function baton(
  line: string,
  changes: Partial<Io> = {},
  bugs = ["seen", "unseen"],
  shelfChanges: Partial<Shelf> = {},
) {
  const folder = changes.folder ?? mkdtempSync(join(tmpdir(), "baton-mutants-"));
  const shelf: Shelf = {
    catalog: [],
    explorations: [],
    loadPlantedExplorations: async () => [],
    bugs: bugs.map(bugOf),
    codeHash: async () => "c0de",
    loadPlanted: async ({ name }: PlantedBug) => {
      if (name === "stale") throw new UsageError("planted bug stale does not apply");
      if (name === "sick") throw new Error("out of cheese");
      return [scenarioWith(name === "unseen" ? null : "I05-seen")];
    },
    pinnedFolder: folder,
    version: "0.1.0",
    ...shelfChanges,
  };
  const kept = (): unknown => JSON.parse(readFileSync(join(folder, "reports", "mutants.json"), "utf8"));
  const startHunts = (order: HuntOrder): HuntThread => threadOf(shelf, order);
  return { ...(await runLine(line, shelf, folder, { startHunts, ...changes })), kept };
}

/** A thread within this one, which hunts on until it is ended. */
function threadOf(shelf: Shelf, order: HuntOrder): HuntThread {
  let [tell, ended] = [(_: HuntNews): void => undefined, false];
  const clock = {
    nowMs: () => performance.now(),
    turn: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
  const hunts = new BugHunts(shelf, order, clock, (news) => {
    tell(structuredClone(news));
    return !ended;
  });
  return {
    ask: (task) => void clock.turn().then(() => hunts.hunt(task)),
    listen: (answered) => {
      tell = answered;
    },
    end: () => {
      ended = true;
      tell = () => undefined;
    },
  };
}

/** What does not depend on real time. */
function matrixIn(out: string) {
  const matrix = JSON.parse(out);
  const untimed = ({ ms: _, ...trial }: Record<string, unknown>) => trial;
  return matrix.bugs.map(({ bug, cells }: { bug: string; cells: { hunter: string; trials: [] }[] }) => ({
    bug,
    cells: cells.map(({ hunter, trials }) => ({ hunter, trials: trials.map(untimed) })),
  }));
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
        {
          bug: "seen",
          seenBy: ["I05-seen"],
          cells: [{ hunter: "random", found: 3, medianRuns: 1, trials: [{ seed: 77, runs: 1 }, {}, {}] }, {}],
        },
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
    expect(JSON.parse(out)).toMatchObject({ format: "baton.mutants.v2" });
  });

  test("tells each strategy over all bugs, and against the baselines, in one run", async () => {
    const { out } = await baton("mutants --strategy mix,random,fast-check --seeds-per-bug 2");
    expect(out).toMatch(
      /found +by every hunt +9 of 10 in 10 s +runs +seconds +random needs +fast-check needs/,
    );
    expect(out).toMatch(
      /^mix +1 of 2 +1 +1 +1\/- +0\.\d\/- +1\.00 times the runs, over 1 bug +1\.00 times the runs, over 1 bug$/m,
    );
  });

  test.each([2, 5])("gives the same hunts with --jobs %i", async (jobs) => {
    const bugs = ["seen", "unseen", "a", "b", "c"];
    const line = "mutants --strategy mix random --seeds-per-bug 2 --runs 20 --json";
    const alone = await baton(line, {}, bugs);
    const together = await baton(`${line} --jobs ${jobs}`, {}, bugs);
    expect(matrixIn(together.out)).toEqual(matrixIn(alone.out));
    expect(matrixIn(alone.out)).toHaveLength(5);
    expect(together.code).toBe(1);
  });

  test.each(["", " --jobs 2"])("keeps what it has when it is stopped, and says so:%s", async (jobs) => {
    let [said, stop] = ["", false];
    const out = (text: string): void => {
      said += text;
      if (text.startsWith("seen ")) stop = true;
    };
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    const line = `mutants --strategy random --seeds-per-bug 2 --runs 100000${jobs}`;
    const { code, kept } = await baton(line, { out, turn, interrupted: () => stop });
    expect(code).toBe(130);
    expect(said).toContain("partial: stopped by Ctrl-C; go on with --resume");
    expect(said).not.toContain("found by nothing");
    expect(kept()).toMatchObject({
      ended: "interrupted",
      asked: 2,
      bugs: [{ bug: "seen", cells: [{ found: 2 }] }],
    });
  });

  test("is stopped in order also when that is why a bug did not load", async () => {
    let stop = false;
    const turn = async (): Promise<void> => {
      stop = true;
    };
    const changes = { turn, interrupted: () => stop };
    const { code, kept } = await baton("mutants stale seen --strategy mix", changes, ["stale", "seen"]);
    expect(code).toBe(130);
    expect(kept()).toMatchObject({ ended: "interrupted", bugs: [] });
  });

  test("goes on where it was stopped, with the seeds and bounds that it had", async () => {
    const whole = await baton("mutants --strategy random mix --seeds-per-bug 3 --seed 5 --runs 9 --json");
    const { folder } = await baton("mutants seen --strategy random --seeds-per-bug 1 --seed 5 --runs 9");
    const again = await baton("mutants --strategy random mix --seeds-per-bug 3 --resume --json", { folder });
    expect(matrixIn(again.out)).toEqual(matrixIn(whole.out));
    expect(JSON.parse(again.out)).toMatchObject({ seed: 5, mostRuns: 9, hunts: 3, asked: 2 });
  });

  test("resumed for some bugs or strategies keeps the others", async () => {
    const { folder } = await baton("mutants seen --strategy random --seeds-per-bug 2 --seed 5 --runs 9");
    const { kept } = await baton("mutants unseen --strategy mix --resume", { folder });
    expect(kept()).toMatchObject({
      hunters: ["random", "mix"],
      bugs: [
        { bug: "seen", cells: [{ hunter: "random", found: 2 }] },
        { bug: "unseen", cells: [{ hunter: "mix", found: 0 }] },
      ],
    });
  });

  test("makes no hunt again that is kept", async () => {
    const { folder } = await baton("mutants sick --strategy random", {}, ["sick"]).catch(() => ({
      folder: "",
    }));
    expect(folder).toBe("");
    const made = await baton("mutants seen --strategy random --seeds-per-bug 2 --seed 5");
    // Loading any bug would fail now.
    const path = join(made.folder, "reports", "mutants.json");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll('"seen"', '"sick"'));
    const { code } = await baton("mutants sick --resume", { folder: made.folder }, ["sick"]);
    expect(code).toBe(0);
  });

  test("is not resumed with other code, and says which", async () => {
    const { folder, kept } = await baton("mutants seen --strategy mix --seeds-per-bug 1");
    const before = kept();
    const other = { codeHash: async () => "0ther" };
    const { code, out, err } = await baton("mutants --resume", { folder }, undefined, other);
    const why = "was made with other code (c0de, this is 0ther): run without --resume";
    expect([code, out, err]).toEqual([2, "", `error: reports/mutants.json ${why}\n`]);
    expect(kept()).toEqual(before);
    // As files were before they told it.
    const { code: _, ...old } = before as { readonly [name: string]: unknown };
    writeFileSync(join(folder, "reports", "mutants.json"), JSON.stringify(old));
    expect((await baton("mutants --resume", { folder })).err).toContain("other code (unknown, this is c0de)");
  });

  test("resumed, it hunts a bug again whose edit was mended, and keeps the others", async () => {
    const bugs = ["seen", "a"];
    const line = "mutants --strategy mix --seeds-per-bug 2 --runs 9 --seed 5";
    const { folder, kept } = await baton(line, {}, bugs);
    const loaded: string[] = [];
    const mended: Partial<Shelf> = {
      bugs: [bugOf("seen"), { ...bugOf("a"), replace: "c" }],
      loadPlanted: async ({ name }) => {
        loaded.push(name);
        return [scenarioWith("I05-seen")];
      },
    };
    const { code, err } = await baton("mutants --resume", { folder }, bugs, mended);
    expect([code, loaded]).toEqual([0, ["a"]]);
    expect(err).toContain("hunts for bugs whose edit was another one: a\n");
    const cells = [{ hunter: "mix", found: 2 }];
    expect(kept()).toMatchObject({
      bugs: [
        { bug: "seen", cells },
        { bug: "a", cells },
      ],
    });
    expect((await baton("mutants --resume", { folder }, bugs, mended)).err).toBe("");
    expect(loaded).toEqual(["a"]);
  });

  test.each(["", " --jobs 2"])(
    "ends when the sources change under it, and keeps what it has:%s",
    async (jobs) => {
      let looks = 0;
      const changing = { codeHash: async () => (++looks > 2 ? "0ther" : "c0de") };
      const line = `mutants --strategy mix --seeds-per-bug 1${jobs}`;
      const bugs = ["seen", "a", "b", "c"];
      const folder = mkdtempSync(join(tmpdir(), "baton-mutants-"));
      const { code, err } = await baton(line, { folder }, bugs, changing);
      expect(code).toBe(2);
      expect(err).toMatch(/^error: the sources have changed since the matrix was begun: [^\n]+\n$/);
      const again = await baton("mutants --resume --json", { folder }, bugs);
      expect(JSON.parse(again.out)).toMatchObject({ code: "c0de", ended: "done", bugs: [{}, {}, {}, {}] });
    },
  );

  test.each(["", " --jobs 2"])("a bug that does not apply is an error of usage:%s", async (jobs) => {
    const { code, err } = await baton(`mutants stale seen${jobs}`, {}, ["stale", "seen"]);
    expect([code, err]).toEqual([2, "error: planted bug stale does not apply\n"]);
    await expect(baton(`mutants sick seen${jobs}`, {}, ["sick", "seen"])).rejects.toThrow("out of cheese");
  });

  test.each([
    ["mutants --resume", "nothing to resume: reports/mutants.json cannot be read"],
    ["mutants --list --json", "--list hunts nothing"],
    ["mutants --seeds-per-bug 1001", "from 1 to 1000"],
    ["mutants --seed 281474976710655", "seeds end at 281474976710655"],
  ])("`baton %s` is one clear line and exit code 2", async (line, words) => {
    const { code, out, err } = await baton(line);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error: [^\n]+\n$/);
    expect(err).toContain(words);
  });

  test.each([
    ["--seed 6", "--seed differs from the kept matrix, which has 5"],
    ["--runs 10", "--runs differs"],
  ])("is resumed with nothing else than it was made with: %s", async (words, told) => {
    const { folder } = await baton("mutants seen --strategy random --seeds-per-bug 1 --seed 5 --runs 9");
    const { code, err } = await baton(`mutants --resume ${words}`, { folder });
    expect(code).toBe(2);
    expect(err).toContain(told);
    writeFileSync(join(folder, "reports", "mutants.json"), "{}");
    expect((await baton("mutants --resume", { folder })).err).toContain("holds no matrix of this version");
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
      { bug: "a", catalogue: "B01", edit: "", cells: [cell("random", [8]), cell("mix", [2])] },
      { bug: "b", catalogue: "B01", edit: "", cells: [cell("random", [9]), cell("mix", [1])] },
      { bug: "c", catalogue: "B01", edit: "", cells: [cell("random", [null]), cell("mix", [1])] },
    ];
    expect(ratio(rows, "random", "mix")).toEqual({
      against: "random",
      times: expect.closeTo(6),
      bugs: 2,
    });
    expect(ratio(rows, "pct", "mix")).toBeNull();
  });
});
