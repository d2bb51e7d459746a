/**
 * Risk: something that a user mistyped costs the runs that came before it was noticed, is swallowed, or ends in a stack.
 *
 * One table over all commands, with the catalogue as it is. What belongs to one command alone stands beside it.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runLine, type Told } from "./example-io.ts";
import { packageShelf } from "./shelf.ts";

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-bad-"));
  mkdirSync(join(folder, "dir"));
  writeFileSync(join(folder, "taken"), "");
  writeFileSync(join(folder, "cut.json"), "{");
  writeFileSync(join(folder, "empty.json"), "{}");
  return folder;
}

function baton(line: string, folder = scratch()): Promise<Told> {
  return runLine(line, packageShelf(), folder);
}

const LAST = 2 ** 48 - 1;

describe("bad input", () => {
  test.each([
    // Outputs that cannot be written.
    ["sim --report dir", "--report dir cannot be written: it is a folder"],
    ["sim --report taken/page.html", "taken is no folder"],
    ["sim --report /proc/no/page.html", "--report /proc/no/page.html cannot be written"],
    ["sim --junit /proc/no/x.xml", "--junit /proc/no/x.xml cannot be written"],
    [`sim --report ${"a".repeat(300)}`, "the name is too long"],
    ["sim --report a --junit a", "--report and --junit are both a"],
    ["replay --scenario everything --seed 1 --report dir", "it is a folder"],
    ["merge empty.json --report dir", "empty.json holds no result"],
    // Inputs that cannot be read.
    ["sim --report a --with nowhere", "nowhere cannot be read: there is no such file"],
    ["sim --report a --with dir", "dir cannot be read: it is a folder"],
    ["sim --report a --with cut.json", "cut.json is nothing to show"],
    ["sim --report a --with empty.json", "empty.json is nothing to show"],
    ["sim --with empty.json", "--with adds to the page of --report"],
    ["merge empty.json --with empty.json", "empty.json holds no result"],
    ["merge nowhere", "nowhere cannot be read: there is no such file"],
    ["merge dir", "dir cannot be read: it is a folder"],
    ["merge cut.json", "holds no result of this version"],
    ["replay dir", "dir cannot be read (EISDIR)"],
    ["replay cut.json", "cut.json is not whole JSON"],
    ["replay empty.json", "no replay file"],
    ["shrink empty.json", "no replay file"],
    ["shrink empty.json --seed 3", "a replay file has its own"],
    // Numbers out of range.
    [`sim --seed ${LAST} --seeds 2`, `seeds end at ${LAST}: 2 from ${LAST} pass it`],
    [`sim --seed ${LAST} --for 1s`, `seeds end at ${LAST}`],
    [`shrink --planted --seed ${LAST}`, `seeds end at ${LAST}`],
    [`mutants --seed ${LAST - 5_000}`, `seeds end at ${LAST}`],
    ["sim --nodes 1.5", "whole number from 1 to 9"],
    ["sim --seeds 1e9", "whole number"],
    ["sim --shard 1/99999 --seed 1", "as in 1/4 to 4/4"],
    ["mutants --jobs 0", "from 1 to 64"],
    ["mutants --runs 0", "from 1 to 1000000000"],
    ["mutants --hunt-for 5", "as in 30s"],
    ["shrink --planted --runs 0", "from 1 to 1000000000"],
    ["explore two-node-handoff --for 0s", "as in 30s"],
    // Names that there are not.
    ["sim --plant lease", "`npx baton mutants --list` lists all"],
    ["sim --plant lease", "-lease"],
    ["sim --plant zzz", "unknown planted bug 'zzz'; `npx baton mutants --list` lists all"],
    ["mutants zzz", "`npx baton mutants --list` lists all"],
    ["sim zzz", "`npx baton scenarios` lists all"],
    ["sim --profile zzz", "`npx baton sim --help` lists all"],
    ["sim --strategy zzz", "known: mix, random, pct, pos"],
    ["explore zzz", "known: two-node-handoff"],
    // What does not go together.
    ["sim --shrink --no-shrink", "give one of them"],
    ["sim --no-shrink --shrink", "give one of them"],
    ["sim --no-shrink --shrink-for 3s", "give one of them"],
    ["mutants --strategy mix unconditional-write", "give unconditional-write before it"],
    ["mutants --list --jobs 2", "--list hunts nothing"],
    ["scenarios x", "too many arguments"],
  ])("`baton %s` is one clear line and exit code 2", async (line, words) => {
    const { code, out, err, folder } = await baton(line);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error: [^\n]+\n$/);
    expect(err).toContain(words);
    expect(err.length).toBeLessThan(500);
    expect(readdirSync(folder).sort()).toEqual(["cut.json", "dir", "empty.json", "taken"]);
  });

  test.skipIf(process.getuid?.() === 0)("a folder without permission is told before the runs", async () => {
    const folder = scratch();
    mkdirSync(join(folder, "locked"), { mode: 0o500 });
    const { code, err } = await baton("sim --report locked/a/page.html", folder);
    expect([code, err]).toEqual([2, "error: --report locked/a/page.html cannot be written: no permission\n"]);
  });

  test("a place for what is found that is taken is told before the runs", async () => {
    const folder = scratch();
    writeFileSync(join(folder, "reports"), "");
    for (const line of ["sim", "mutants", "explore two-node-handoff", "shrink --planted"]) {
      const { code, out, err } = await baton(line, folder);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(/^error: what is found is kept there: reports\/ cannot be written: [^\n]+\n$/);
    }
  });
});

describe("outputs", () => {
  const line = "sim two-node-handoff --seeds 1 --seed 1";

  test("that are no plain files are written to and stay what they are", async () => {
    const folder = scratch();
    symlinkSync("/dev/null", join(folder, "link.html"));
    symlinkSync("dir/real.xml", join(folder, "link.xml"));
    writeFileSync(join(folder, "dir", "real.xml"), "old");
    const { code } = await baton(`${line} --report link.html --junit link.xml`, folder);
    expect(code).toBe(0);
    expect(existsSync("/dev/null.unfinished")).toBe(false);
    expect(readFileSync("/dev/null", "utf8")).toBe("");
    expect(readFileSync(join(folder, "dir", "real.xml"), "utf8")).toContain("<testsuites");
    expect(readdirSync(folder).filter((name) => name.endsWith(".unfinished"))).toEqual([]);
  });

  test("have their folders made", async () => {
    const { code, folder } = await baton(`${line} --report a/b/page.html --junit c/d/junit.xml`);
    expect(code).toBe(0);
    expect(readdirSync(join(folder, "a", "b"))).toEqual(["page.html"]);
    expect(readdirSync(join(folder, "c", "d"))).toEqual(["junit.xml"]);
  });
});
