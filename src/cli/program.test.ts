/**
 * Risk: a script takes a failure for a pass, or a person gets a failure that cannot be repeated.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PlantedBug, Scenario } from "../../sim/index.ts";
import { breaks, escapesBy, hangs, throws, unsteady, writes } from "../../sim/runner/fixtures.ts";
import { runLine, type Told } from "./example-io.ts";
import type { Io } from "./io.ts";
import type { Shelf } from "./shelf.ts";

const bug: PlantedBug = {
  name: "no-writes",
  catalogue: "B00",
  file: "src/x.ts",
  find: "a",
  replace: "b",
  about: "writes are wrong",
  caughtBy: ["I00-broken"],
};
const escapes = escapesBy(() => Date.now());

function shelfOf(catalog: readonly Scenario[] = [writes, breaks, hangs, throws, escapes, unsteady]): Shelf {
  return {
    catalog,
    explorations: [],
    loadPlantedExplorations: async () => [],
    bugs: [bug],
    // The planted catalogue has a broken scenario under the name of the sound one.
    loadPlanted: async () => catalog.map((s) => (s.name === "writes" ? { ...breaks, name: "writes" } : s)),
    codeHash: async () => "c0de",
    pinnedFolder: join(mkdtempSync(join(tmpdir(), "baton-pinned-")), "pinned"),
    version: "0.1.0",
  };
}

function baton(line: string, shelf = shelfOf(), changes: Partial<Io> = {}): Promise<Told> {
  return runLine(line, shelf, changes.folder ?? mkdtempSync(join(tmpdir(), "baton-cli-")), changes);
}

describe("bad input", () => {
  test.each([
    ["sim writess", "did you mean writes?"],
    ["sim zebra", "known: writes, breaks"],
    ["sim --seds 3", "--seeds"],
    ["sim --seed -1", "whole number from 0 to 281474976710655"],
    ["sim --seed 281474976710656", "whole number from 0 to 281474976710655"],
    ["sim --seed 1e3", "whole number"],
    ["sim --seed", "argument missing"],
    ["sim --seeds 0", "whole number from 1"],
    ["sim --nodes 0", "from 1 to 9"],
    ["sim --nodes 10", "from 1 to 9"],
    ["sim --for 30", "as in 30s"],
    ["sim --for 0s", "as in 30s"],
    ["sim --for -5s", "as in 30s"],
    ["sim --plant no-write", "did you mean no-writes?"],
    ["replay", "nothing to replay"],
    ["replay --scenario writes", "--seed N"],
    ["replay --seed 3", "--scenario NAME"],
    ["replay a.json --seed 3", "either FILE or"],
    ["replay nowhere.json", "nowhere.json cannot be read (ENOENT)"],
    ["replay --scenario wrytes --seed 3", "did you mean writes?"],
    ["replay a.json b.json", "too many arguments"],
    ["scenarios --x", "unknown option"],
    ["simm", "unknown command"],
  ])("`baton %s` is one clear line and exit code 2", async (line, words) => {
    const { code, out, err, folder } = await baton(line);
    expect(err).toMatch(/^error: [^\n]+\n$/);
    expect(err).toContain(words);
    expect([code, out]).toEqual([2, ""]);
    expect(existsSync(join(folder, "reports"))).toBe(false);
  });

  test("no command shows the help and is a usage error", async () => {
    const { code, err } = await baton("");
    expect(code).toBe(2);
    expect(err).toContain("Commands:");
  });
});

describe("help", () => {
  test.each(["--help", "sim --help", "replay --help"])("`baton %s` tells the exit codes", async (line) => {
    const { code, out } = await baton(line);
    expect(code).toBe(0);
    expect(out).toContain("an invariant is broken");
  });
});

describe("exit codes", () => {
  test.each([
    ["sim writes --seeds 3", 0],
    ["sim breaks --seeds 1", 1],
    ["sim unsteady --seeds 1 --check-determinism", 3],
    ["sim hangs --seeds 1", 4],
    ["sim throws --seeds 1", 5],
    ["sim escapes --seeds 1", 5],
    ["sim hangs throws breaks --seeds 3", 5],
    ["sim hangs breaks --seeds 2", 1],
    ["replay --scenario writes --seed 9", 0],
    ["replay --scenario hangs --seed 9", 4],
  ])("`baton %s` ends with %i", async (line, code) => {
    expect((await baton(line)).code).toBe(code);
  });
});

describe("baton sim", () => {
  test("tells runs, operations, time, faults, checks and speed", async () => {
    const { out } = await baton("sim writes --seeds 4 --seed 5");
    for (const words of [
      "seeds from 5",
      "store operations  20",
      "faults injected",
      "I00-ops  20",
      "no failure",
    ]) {
      expect(out).toContain(words);
    }
  });

  test("with --json prints one object and nothing else", async () => {
    const { out, err } = await baton("sim writes breaks --seeds 4 --json");
    const value = JSON.parse(out);
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(value).toMatchObject({
      runs: 4,
      storeOps: 12,
      checks: { "I00-ops": 10, "I00-broken": 2 },
      seed: 77,
    });
    expect(Object.keys(value)).toEqual(
      expect.arrayContaining(["events", "virtualMs", "wallMs", "faults", "failures", "fingerprint"]),
    );
    expect(value.failures).toHaveLength(2);
    expect(value.failures[0]).toMatchObject({
      scenario: "breaks",
      seed: 78,
      invariant: "I00-broken",
      message: "key-0 was written",
      replayFile: "reports/breaks-78.json",
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(err).toContain("FAILED breaks");
  });

  test("tells a failure with the invariant in words, the events, the command and the file", async () => {
    const { out, folder } = await baton("sim breaks --seeds 1 --seed 3 --nodes 2");
    expect(out).toContain("I00-broken: nothing is written to key-0");
    expect(out).toContain("last events on key-0");
    expect(out).toMatch(/worker +put +if-absent +applied v0 +ok/);
    expect(out).toContain("npx baton replay --scenario breaks --seed 3 --nodes 2\n");
    expect(readdirSync(join(folder, "reports"))).toEqual(["breaks-3-nodes2.html", "breaks-3-nodes2.json"]);
  });

  test("stops a scenario after five failures and says so", async () => {
    const { out, folder } = await baton("sim breaks --seeds 50");
    expect(readdirSync(join(folder, "reports")).filter((name) => name.endsWith(".json"))).toHaveLength(5);
    expect(out).toContain("breaks failed often enough and was left out");
  });

  test("names the line of an escape and what to use instead", async () => {
    const { out } = await baton("sim escapes --seeds 1");
    expect(out).toMatch(/Date\.now at src\/cli\/program\.test\.ts:\d+; use /);
  });

  test("colours only where colour is wanted", async () => {
    const colorStart = String.fromCharCode(27);
    expect((await baton("sim breaks --seeds 1")).out).not.toContain(colorStart);
    expect((await baton("sim breaks --seeds 1", shelfOf(), { colored: true })).out).toContain(colorStart);
  });

  test("makes 2,000 runs when nobody says how many", async () => {
    const { out } = await baton("sim writes --json");
    expect(JSON.parse(out).runs).toBe(2_000);
  });

  test("ends when the time is over", async () => {
    const { out } = await baton("sim writes --for 1s --json");
    expect(JSON.parse(out)).toMatchObject({ ended: "time", failures: [] });
  });

  test("after Ctrl-C tells what was done so far and ends with 130", async () => {
    let asked = 0;
    const { code, out } = await baton("sim writes", shelfOf(), { interrupted: () => ++asked > 7 });
    expect(code).toBe(130);
    expect(out).toContain("stopped by Ctrl-C");
    expect(out).toMatch(/runs +8 of writes/);
  });

  test("moves its progress line on a terminal only", async () => {
    expect((await baton("sim writes --seeds 100")).err).toBe("");
    expect((await baton("sim writes --seeds 100", shelfOf(), { live: true })).err).toContain("runs");
  });

  test("gives one fingerprint for one seed and another for another", async () => {
    const print = async (seed: number) =>
      JSON.parse((await baton(`sim writes --seeds 20 --seed ${seed} --json`)).out).fingerprint;
    expect(await print(1)).toBe(await print(1));
    expect(await print(1)).not.toBe(await print(2));
  });

  test("runs with a planted bug, and the command to repeat it plants it again", async () => {
    const { code, out } = await baton("sim writes --plant no-writes --seeds 1 --seed 4");
    expect(code).toBe(1);
    expect(out).toContain("npx baton replay --scenario writes --seed 4 --plant no-writes\n");
    const told = await baton("sim writes --plant no-writes --seeds 1 --json");
    expect(JSON.parse(told.out)).toMatchObject({ planted: "no-writes" });
  });
});

describe("pinned runs", () => {
  async function pin(line: string, shelf: Shelf): Promise<void> {
    const { folder } = await baton(line, shelf);
    mkdirSync(shelf.pinnedFolder);
    for (const name of readdirSync(join(folder, "reports"))) {
      writeFileSync(join(shelf.pinnedFolder, name), readFileSync(join(folder, "reports", name)));
    }
  }

  test("are made first, and one that fails again fails the campaign", async () => {
    const shelf = shelfOf();
    await pin("sim breaks --seeds 1", shelf);
    const { code, out } = await baton("sim writes --seeds 1", shelf);
    expect(code).toBe(1);
    expect(out).toContain("pinned as");
    expect(out).toContain("again: npx baton replay reports/breaks-77.json");
  });

  test("pass once the bug is mended", async () => {
    const shelf = shelfOf();
    await pin("sim writes --plant no-writes --seeds 1", shelf);
    const { code, out } = await baton("sim writes --seeds 1 --json", shelf);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ pinned: 1, runs: 1 });
  });

  test("that cannot be read stop the campaign", async () => {
    const shelf = shelfOf();
    mkdirSync(shelf.pinnedFolder);
    writeFileSync(join(shelf.pinnedFolder, "damaged.json"), "{");
    const { code, err } = await baton("sim writes --seeds 1", shelf);
    expect(code).toBe(2);
    expect(err).toMatch(/^error: pinned run .*damaged\.json is not whole JSON[^\n]*\n$/);
  });
});

describe("baton replay", () => {
  test("of a file is the recorded run, with its exit code", async () => {
    const { folder } = await baton("sim breaks --seeds 1");
    const { code, out } = await baton("replay reports/breaks-77.json", shelfOf(), { folder });
    expect(code).toBe(1);
    expect(out).toContain("key-0 was written");
    expect(out).toContain("as recorded, step by step");
  });

  test("of a file plants its bug again", async () => {
    const { folder } = await baton("sim writes --plant no-writes --seeds 1");
    const { code } = await baton("replay reports/writes-77-no-writes.json", shelfOf(), { folder });
    expect(code).toBe(1);
  });

  test("of a file whose run has changed shows both sides and ends with 3", async () => {
    const { folder } = await baton("sim breaks --seeds 1");
    const changed = shelfOf([{ ...writes, name: "breaks" }]);
    const { code, out } = await baton("replay reports/breaks-77.json", changed, { folder });
    expect(code).toBe(3);
    expect(out).toMatch(/recorded: a draw .*\n +now: +a draw|recorded: the end.*\n +now:/);
  });

  test("of a damaged file is refused and leaves it alone", async () => {
    const { folder } = await baton("sim breaks --seeds 1");
    const path = join(folder, "reports/breaks-77.json");
    const cut = readFileSync(path, "utf8").slice(0, 100);
    writeFileSync(path, cut);
    const { code, err } = await baton("replay reports/breaks-77.json", shelfOf(), { folder });
    expect(code).toBe(2);
    expect(err).toMatch(/^error: reports\/breaks-77\.json is not whole JSON[^\n]*\n$/);
    expect(readFileSync(path, "utf8")).toBe(cut);
  });
});

describe("baton scenarios", () => {
  test("lists names and claims", async () => {
    const { code, out } = await baton("scenarios");
    expect(code).toBe(0);
    expect(out).toContain("hangs     claims of hangs\n");
  });

  test("lists the planted bugs", async () => {
    expect((await baton("scenarios --planted")).out).toBe(
      "no-writes  writes are wrong (B00; seen by I00-broken)\n",
    );
  });
});
