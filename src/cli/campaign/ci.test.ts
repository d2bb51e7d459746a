/**
 * Risk: threads or shards make other runs than one thread does, or lose some; a CI server is told of a failure in a
 * way that it cannot read, or not at all.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Scenario } from "../../../sim/index.ts";
import { breaks, hangs, scenarioOf, throws, unsteady, writes } from "../../../sim/runner/fixtures.ts";
import { runLine, type Told } from "../example-io.ts";
import type { Io } from "../io.ts";
import { packageShelf, type Shelf } from "../shelf.ts";
import type { CampaignResult } from "./campaign-result.ts";
import type { FailureRecord } from "./failure-report.ts";
import { annotations, jobSummary } from "./github.ts";
import { junitXml } from "./junit.ts";
import type { RunSettings } from "./run-settings.ts";
import { type Thread, threadRuns } from "./thread.ts";

/** Breaks in some runs. */
const brittle = scenarioOf(
  "brittle",
  async (context, stage) => {
    const struck = context.random.below(10, "strike") >= 8;
    for (let i = 0; i < 4; i++) await context.clock.sleep(1 + context.random.below(50, "pause"));
    if (struck) await stage.store.client(context).put("broken", "body", { kind: "none" });
  },
  {
    production: {
      check: (history) => {
        const violation = {
          invariant: "I00-brittle",
          message: 'it <broke> & "how"\u0001',
          key: null,
          atMs: 1,
        };
        const violations = history.operations.length > 0 ? [violation] : [];
        return new Map([["I00-brittle", { examined: 1, violations }]]);
      },
    },
  },
);

function shelfOf(catalog: readonly Scenario[]): Shelf {
  return {
    catalog,
    explorations: [],
    loadPlantedExplorations: async () => [],
    bugs: [],
    loadPlanted: async () => catalog,
    codeHash: async () => "c0de",
    pinnedFolder: join(mkdtempSync(join(tmpdir(), "baton-pinned-")), "pinned"),
    version: "0.1.0",
  };
}

/** A thread within this one: loads its scenarios later than it is asked, and answers later still. */
function threadOf(shelf: Shelf, settings: RunSettings): Thread {
  const runs = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => threadRuns(shelf, settings));
  let tell: Parameters<Thread["listen"]>[0] = () => undefined;
  return {
    ask: (request) =>
      void runs.then((answer) => answer(request)).then((made) => tell([structuredClone(made)])),
    listen: (answered) => {
      tell = answered;
    },
    end: () => {
      tell = () => undefined;
    },
  };
}

function baton(
  line: string,
  changes: Partial<Io> = {},
  shelf = shelfOf([writes, brittle, breaks, hangs]),
): Promise<Told> {
  return runLine(line, shelf, changes.folder ?? mkdtempSync(join(tmpdir(), "baton-ci-")), {
    startThread: (settings) => threadOf(shelf, settings),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    ...changes,
  });
}

/** The result without what depends on real time. */
function resultIn(out: string): CampaignResult {
  return { ...JSON.parse(out), wallMs: 0 };
}

describe("threads", () => {
  test.each([2, 3, 7])("do not change the result: --jobs %i", async (jobs) => {
    const alone = await baton("sim --seeds 40 --seed 3 --json");
    const together = await baton(`sim --seeds 40 --seed 3 --json --jobs ${jobs}`);
    expect(resultIn(together.out)).toEqual(resultIn(alone.out));
    expect(resultIn(alone.out).failures.length).toBeGreaterThan(10);
    expect(resultIn(alone.out).leftOut).toEqual(["breaks", "hangs"]);
    expect(together.code).toBe(alone.code);
    expect(together.err).toBe(alone.err);
  });

  test("tell of a run that another thread cannot repeat", async () => {
    const { code, out } = await baton("sim --seeds 1 --jobs 2 --json", {}, shelfOf([flaky()]));
    expect(code).toBe(3);
    expect(resultIn(out).failures).toMatchObject([{ kind: "divergence", invariant: "determinism" }]);
  });

  test("end with the summary so far and 130 on Ctrl-C", async () => {
    let asked = 0;
    const { code, out } = await baton("sim writes --seeds 500 --jobs 2", { interrupted: () => ++asked > 20 });
    expect(code).toBe(130);
    expect(out).toContain("stopped by Ctrl-C");
    expect(out).toMatch(/runs +21 of writes/);
  });

  test("end when the time is over", async () => {
    const { code, out } = await baton("sim writes --for 300ms --jobs 2 --json");
    expect(code).toBe(0);
    expect(resultIn(out)).toMatchObject({ ended: "time", asked: null });
    expect(resultIn(out).runs).toBeGreaterThan(20);
    expect(resultIn(out).runs).toBeLessThanOrEqual(30);
  });

  test("that are gone stop the command instead of hanging it", async () => {
    const gone = (): Thread => ({
      ask: () => undefined,
      listen: (_, failed) => setImmediate(() => failed(new Error("the thread is gone"))),
      end: () => undefined,
    });
    await expect(baton("sim writes --jobs 2", { startThread: gone })).rejects.toThrow("the thread is gone");
  });

  test("that cannot make a run say why", async () => {
    const broken = (settings: RunSettings) => threadOf(shelfOf([breaks]), settings);
    await expect(baton("sim writes --jobs 2", { startThread: broken })).rejects.toThrow("unknown scenario");
  });
});

/** Passes in every second run of the process, with the same draws. */
function flaky(): Scenario {
  let runs = 0;
  return scenarioOf("flaky", async (context) => {
    runs++;
    await context.clock.sleep(runs);
    if (runs % 2 === 1) throw new Error("odd");
  });
}

describe("shards", () => {
  test.each([1, 2, 5])("of %i parts add up to the whole", async (of) => {
    const folder = mkdtempSync(join(tmpdir(), "baton-shards-"));
    const whole = await baton("sim writes brittle --seeds 23 --seed 9 --json", { folder });
    const files: string[] = [];
    for (let nth = of; nth >= 1; nth--) {
      const part = await baton(`sim writes brittle --seeds 23 --seed 9 --json --shard ${nth}/${of}`, {
        folder,
      });
      writeFileSync(join(folder, `part-${nth}.json`), part.out);
      files.push(`part-${nth}.json`);
    }
    const merged = await baton(`merge ${files.join(" ")} --json`, { folder });
    const bySeed = ({ failures, ...rest }: CampaignResult) => ({
      ...rest,
      failures: [...failures].sort((a, b) => (a.seed ?? 0) - (b.seed ?? 0)),
    });
    expect(bySeed(resultIn(merged.out))).toEqual(bySeed(resultIn(whole.out)));
    expect(resultIn(whole.out).failures.length).toBeGreaterThan(0);
    expect(merged.code).toBe(whole.code);
    expect((await baton(`merge ${files.join(" ")}`, { folder })).out).toContain("runs failed: I00-brittle");
  });

  test("share the seed that a commit stands for, however long its hash is written", async () => {
    const line = "sim writes --seeds 2 --json --shard 1/2 --seed-from";
    const [short, long] = [
      await baton(`${line} 0123456789AB`),
      await baton(`${line} 0123456789abcdef0123456789abcdef01234567`),
    ];
    expect(resultIn(short.out).seed).toBe(0x0123456789ab);
    expect(resultIn(long.out)).toEqual(resultIn(short.out));
  });

  test("are merged only when they are all there and of one campaign", async () => {
    const folder = mkdtempSync(join(tmpdir(), "baton-parts-"));
    const make = async (name: string, line: string): Promise<void> => {
      writeFileSync(join(folder, name), (await baton(`sim writes --json ${line}`, { folder })).out);
    };
    await make("a.json", "--seeds 4 --seed 9 --shard 1/3");
    await make("b.json", "--seeds 4 --seed 9 --shard 2/3");
    await make("other.json", "--seeds 4 --seed 10 --shard 3/3");
    await make("whole.json", "--seeds 4 --seed 9");
    writeFileSync(join(folder, "text.json"), "no JSON");
    const said = async (files: string): Promise<string> => {
      const { code, out, err } = await baton(`merge ${files}`, { folder });
      expect([code, out]).toEqual([2, ""]);
      return err;
    };
    expect(await said("a.json b.json")).toContain("shard 3/3 is missing");
    expect(await said("a.json b.json a.json")).toContain("shard 1/3 is there twice");
    expect(await said("a.json other.json")).toContain("no part of the same campaign");
    expect(await said("a.json whole.json")).toContain("no part of the same campaign");
    expect(await said("text.json")).toContain("holds no result of this version");
    expect(await said("nowhere.json")).toContain("cannot be read");
  });

  test.each([
    ["sim --shard 1/2", "--shard needs --seed or --seed-from"],
    ["sim --shard 0/2 --seed 1", "as in 1/4 to 4/4"],
    ["sim --shard 3/2 --seed 1", "as in 1/4 to 4/4"],
    ["sim --shard 2 --seed 1", "as in 1/4 to 4/4"],
    ["sim --seed-from HEAD", "12 hex digits or more"],
    ["sim --seed-from 0123456789ab --seed 1", "give either --seed or --seed-from"],
    ["sim --jobs 0", "from 1 to 64"],
    ["merge", "missing required argument"],
  ])("`baton %s` is one clear line and exit code 2", async (line, words) => {
    const { code, out, err } = await baton(line);
    expect(err).toMatch(/^error: [^\n]+\n$/);
    expect(err).toContain(words);
    expect([code, out]).toEqual([2, ""]);
  });
});

const NASTY = "a <b> & \"c\" 'd' ]]> \u0000\u0001\uD800 100% | `x`\r\n::error::no";
const RECORD: FailureRecord = {
  scenario: "everything",
  seed: 5,
  kind: "violation",
  invariant: "I05-x",
  message: NASTY,
  profile: "r2",
  faults: [],
  replayFile: "reports/everything-5.json",
  page: "reports/everything-5.html",
  fingerprint: "0".repeat(16),
  invariants: ["I05-x"],
  shrunk: { replayFile: "reports/everything-5-shrunk.json", page: null, before: 900, after: 7 },
};

async function failedResult(): Promise<CampaignResult> {
  const result = resultIn((await baton("sim writes --seeds 3 --seed 1 --json")).out);
  return { ...result, failures: [RECORD], byScenario: { everything: { runs: 9, failures: 1 } } };
}

/** Whether every tag is closed in its order, and nothing stands open that XML reserves. */
function isWellFormed(xml: string): boolean {
  const open: string[] = [];
  const text = xml
    .replace(/^<\?xml [^?]*\?>/, "")
    .replaceAll(
      /<(\/?)([a-z]+)((?: [a-z]+="[^"<&]*(?:&(?:amp|lt|gt|quot|apos);[^"<&]*)*")*)(\/?)>/g,
      (_, end, name, _a, empty) => {
        if (end === "/") expect(open.pop()).toBe(name);
        else if (empty !== "/") open.push(name);
        return "";
      },
    );
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  const forbidden = codes.some((code) => code < 0x20 && code !== 0x9 && code !== 0xa && code !== 0xd);
  return open.length === 0 && !forbidden && !/<|&(?!(?:amp|lt|gt|quot|apos);)/.test(text);
}

describe("JUnit XML", () => {
  test("is well-formed whatever the messages hold", async () => {
    const xml = junitXml(await failedResult());
    expect(isWellFormed(xml)).toBe(true);
    expect(xml).not.toMatch(/\p{Surrogate}/u);
    expect(["<a/>", "<a>&amp;</a>"].map(isWellFormed)).toEqual([true, true]);
    expect(["<a>", "<a>&b</a>", '<a x="<"/>', "<a>\u0001</a>"].map(isWellFormed)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test("has a test for each failure and one for what passed", async () => {
    const xml = junitXml(await failedResult());
    expect(xml).toContain('<testsuites name="baton sim" tests="2" failures="1" time="0.000">');
    expect(xml).toContain('<testsuite name="everything" tests="2" failures="1">');
    expect(xml).toContain('<testcase classname="baton.everything" name="8 runs that passed"/>');
    expect(xml).toContain('<testcase classname="baton.everything" name="seed 5">');
    expect(xml).toContain("again: npx baton replay reports/everything-5.json");
  });

  test("is written where the user says, also for a run that passed", async () => {
    const { folder } = await baton("sim writes brittle --seeds 30 --seed 3 --junit out/junit.xml");
    const xml = readFileSync(join(folder, "out", "junit.xml"), "utf8");
    expect(isWellFormed(xml)).toBe(true);
    expect(xml).toContain('<testsuite name="writes" tests="1" failures="0">');
    expect(xml).toContain('type="I00-brittle"');
  });

  test("that cannot be written after all is said and is no success", async () => {
    const folder = mkdtempSync(join(tmpdir(), "baton-junit-"));
    const interrupted = (): boolean => {
      // Somebody takes the place while the runs go on.
      mkdirSync(join(folder, "junit.xml"), { recursive: true });
      return false;
    };
    const { code, out, err } = await baton("sim writes --seeds 1 --junit junit.xml", { folder, interrupted });
    expect([code, err]).toEqual([70, "error: junit.xml cannot be written: it is a folder\n"]);
    expect(out).toContain("no failure");
  });
});

describe("the page of a campaign", () => {
  const shelf = { ...packageShelf(), pinnedFolder: "/nowhere" };
  const line = "sim everything duplicate-sends --seeds 12 --seed 4";
  const pointsIn = (folder: string, page: string): string =>
    /<h2>Fault points<\/h2>.*?<\/section>/s.exec(readFileSync(join(folder, page), "utf8"))?.[0] ?? "";

  test("shows the same fault points with threads and after a merge as with one thread", async () => {
    const { folder } = await baton(`${line} --report alone.html`, {}, shelf);
    await baton(`${line} --report together.html --jobs 2`, { folder }, shelf);
    for (const nth of [1, 2]) {
      const { out } = await baton(`${line} --json --shard ${nth}/2`, { folder }, shelf);
      writeFileSync(join(folder, `part-${nth}.json`), out);
    }
    const merged = await baton(
      "merge part-1.json part-2.json --json --report merged.html",
      { folder },
      shelf,
    );
    const alone = pointsIn(folder, "alone.html");
    expect(alone).toMatch(/\d+ of \d+ have fired; the \d+ marked 0 never did\./);
    expect(pointsIn(folder, "together.html")).toBe(alone);
    expect(pointsIn(folder, "merged.html")).toBe(alone);
    const { points, neverFired } = resultIn(merged.out);
    expect(points).toMatchObject({ "call claim": expect.any(Number) });
    expect(neverFired.length).toBe(Number(/the (\d+) marked/.exec(alone)?.[1]));
    expect(readFileSync(join(folder, "merged.html"), "utf8")).toContain(
      "npx baton sim everything duplicate-sends --seed 4 --seeds 12<",
    );
  });

  test("counts nothing for whoever is told nothing of it", async () => {
    const { folder } = await baton(`${line} --report alone.html`, {}, shelf);
    const { out } = await baton(`${line} --json`, { folder }, shelf);
    const part = { ...JSON.parse(out), points: null, neverFired: [] };
    writeFileSync(join(folder, "part.json"), JSON.stringify(part));
    await baton("merge part.json --report merged.html", { folder }, shelf);
    expect(pointsIn(folder, "merged.html")).toBe("");
  });

  test("shows the matrix and the orders that are given with it, in both commands", async () => {
    const { folder } = await baton("explore two-node-handoff --faults 0", {}, shelf);
    const kept = await baton("explore two-node-handoff --faults 0 --json", { folder }, shelf);
    writeFileSync(join(folder, "orders.json"), kept.out);
    await baton(
      "mutants unconditional-write --strategy mix random --seeds-per-bug 2 --seed 1",
      { folder },
      shelf,
    );
    const extra = "--with orders.json reports/mutants.json";
    const { out } = await baton(
      `sim two-node-handoff --seeds 4 --report a.html --json ${extra}`,
      { folder },
      shelf,
    );
    writeFileSync(join(folder, "part.json"), out);
    await baton(`merge part.json --report b.html ${extra}`, { folder }, shelf);
    for (const page of ["a.html", "b.html"]) {
      const html = readFileSync(join(folder, page), "utf8");
      expect(html).toMatch(/all [\d,]+ orders \([\d,]+ classes\) with up to 0 faults: no violation/);
      expect(html).toContain("unconditional-write");
      expect(html).toMatch(/random needs [\d.]+ times the runs/);
    }
  });
});

describe("GitHub Actions", () => {
  test("gets one annotation on one line for each failure, whatever its message holds", () => {
    const text = annotations([RECORD, { ...RECORD, seed: null }]);
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^::error title=everything%2C seed 5%3A I05-x::a <b> .*100%25.*%0D%0A::error::no%0Aagain: /,
    );
  });

  test("gets a job summary whose table no message breaks", async () => {
    const text = jobSummary(await failedResult());
    const rows = text.split("\n").filter((line) => line.startsWith("| everything"));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.replaceAll("\\|", "").split("|")).toHaveLength(7);
    expect(text).toContain("❌ 1 failed");
    expect(jobSummary({ ...(await failedResult()), failures: [] })).toContain("✅ no failure");
  });

  test("is told in its files and on standard error, and only when the command runs there", async () => {
    const files = mkdtempSync(join(tmpdir(), "baton-github-"));
    const github = { summaryFile: join(files, "summary.md"), outputFile: join(files, "output") };
    const line = "sim breaks --seeds 1 --json --junit junit.xml";
    const there = await baton(line, { github });
    expect(JSON.parse(there.out).runs).toBe(1);
    expect(there.err).toContain("::error title=breaks%2C seed 77%3A I00-broken::key-0 was written%0Aagain: ");
    expect(readFileSync(github.summaryFile, "utf8")).toContain(
      "| breaks | 77 | I00-broken | key-0 was written |",
    );
    expect(readFileSync(github.outputFile, "utf8")).toBe(
      "artifacts<<END_OF_ARTIFACTS\nreports/breaks-77.json\nreports/breaks-77.html\njunit.xml\nEND_OF_ARTIFACTS\n",
    );
    const elsewhere = await baton(line);
    expect(elsewhere.err).not.toContain("::error");
  });
});

describe("shrinking", () => {
  test("of the first failure of each scenario follows a campaign that asks for it", async () => {
    const line = "sim brittle throws unsteady --seeds 40 --seed 3 --shrink";
    const { code, out, folder } = await baton(line, {}, shelfOf([brittle, throws, unsteady]));
    expect(code).toBe(5);
    expect(out.match(/^SHRUNK \w+: \d+ → \d+ choices/gm)).toEqual([
      expect.stringMatching(/^SHRUNK throws: \d+ → 0 choices/),
      expect.stringMatching(/^SHRUNK brittle: \d+ → 1 choices/),
    ]);
    const [file] = /reports\/brittle-\d+-shrunk\.json/.exec(out) ?? [];
    const again = await baton(`replay ${file}`, { folder }, shelfOf([brittle]));
    expect(again.code).toBe(1);
    expect(again.out).toContain("the run is as recorded, step by step");
  });

  test.each([
    [true, "", true],
    [false, "", false],
    [true, "--no-shrink", false],
    [false, "--shrink", true],
  ])("is done on a terminal or when asked for: terminal %s, %s", async (live, words, done) => {
    const { out } = await baton(`sim breaks --seeds 1 ${words}`, { live });
    expect(out.includes("SHRUNK")).toBe(done);
  });

  test("ends with its time, and with Ctrl-C and 130", async () => {
    const cut = await baton("sim brittle --seeds 20 --seed 3 --shrink --shrink-for 20ms");
    expect(cut.out).toContain("its bound on time or runs ended it");
    let campaignOver = false;
    const stopped = await baton("sim brittle --seeds 20 --seed 3 --shrink", {
      live: true,
      err: (text) => {
        if (text.includes("shrinking:")) campaignOver = true;
      },
      interrupted: () => campaignOver,
    });
    expect(stopped.code).toBe(130);
    expect(stopped.out).toContain("SHRUNK brittle");
    expect(stopped.out).toContain("stopped by Ctrl-C");
  });

  test("tells programs the file and the choices before and after", async () => {
    const { out, folder } = await baton("sim brittle --seeds 20 --seed 3 --shrink --json");
    const [first, ...others] = resultIn(out).failures;
    expect(first?.shrunk).toMatchObject({ after: 1, before: expect.any(Number) });
    expect(existsSync(join(folder, first?.shrunk?.replayFile ?? ""))).toBe(true);
    expect(others.every(({ shrunk }) => shrunk === null)).toBe(true);
  });

  test("of a file keeps the smaller run beside it and exits as its replay does", async () => {
    const { out, folder } = await baton("sim brittle --seeds 20 --seed 3 --json");
    const [failure] = resultIn(out).failures;
    const shrunk = await baton(`shrink ${failure?.replayFile}`, { folder });
    expect(shrunk.code).toBe(1);
    expect(shrunk.out).toMatch(/choices that are not the plainest +\d+ +→ +1\n/);
    expect(shrunk.out).toContain("strike 0  8 of 10");
    const kept = JSON.parse(
      readFileSync(join(folder, failure?.replayFile.replace(".json", "-shrunk.json") ?? ""), "utf8"),
    );
    expect(kept.shrunk).toMatchObject({
      after: 1,
      removed: expect.stringMatching(/^removed \d+ of \d+ choices/),
    });
  });

  test.each([
    ["shrink", "nothing to shrink"],
    ["shrink nowhere.json", "cannot be read"],
    ["shrink a.json --planted", "either FILE or --planted"],
  ])("`baton %s` is one clear line and exit code 2", async (line, words) => {
    const { code, out, err } = await baton(line);
    expect(err).toMatch(/^error: [^\n]+\n$/);
    expect(err).toContain(words);
    expect([code, out]).toEqual([2, ""]);
  });
});
