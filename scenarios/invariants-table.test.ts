/**
 * Risk: a table of invariants that promises a checker, a blind spot or a proof that is not there.
 *
 * The page says for each invariant which checker holds it, what it cannot see and which planted bug proves it. Each
 * row is held against the code; a checker without a row, and a row without a checker, fail.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot, STORE_CHECKERS } from "../sim/index.ts";
import { plantedBugs } from "./canaries/index.ts";
import { FAMILY_CHECKERS } from "./checkers/families.ts";
import { GRAPHS } from "./checkers/i25-graphs.ts";
import { ENGINE_CHECKERS } from "./checkers/index.ts";
import { LIFETIME_CHECKERS } from "./checkers/lifetimes.ts";
import { OWN_CHECKERS } from "./checkers/own.ts";
import { WORKER_CHECKERS } from "./checkers/workers.ts";

const CHECKERS = [
  ...STORE_CHECKERS,
  ...ENGINE_CHECKERS,
  ...FAMILY_CHECKERS,
  ...LIFETIME_CHECKERS,
  GRAPHS,
  ...OWN_CHECKERS,
  ...WORKER_CHECKERS,
];
const root = packageRoot();

/** The cells of the rows under the heading, without marks of code. */
const ROWS = readFileSync(join(root, "scenarios", "README.md"), "utf8")
  .split("## The invariants\n")[1]
  ?.split("\n## ")[0]
  ?.split("\n")
  .filter((line) => /^\| I\d\d/.test(line))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replaceAll("`", "").trim()),
  );

describe("the table of invariants", () => {
  test("has a row for each checker, and one for each invariant of the catalogue", () => {
    const named = ROWS?.map(([name]) => name).filter((name) => /^I\d\d-/.test(name ?? ""));
    expect([...(named ?? [])].sort()).toEqual(CHECKERS.map(({ name }) => name).sort());
    const numbers = new Set(ROWS?.map(([name]) => name?.slice(0, 3)));
    const catalogue = Array.from({ length: 28 }, (_, i) => `I${String(i + 1).padStart(2, "0")}`);
    expect([...numbers].sort()).toEqual(catalogue);
  });

  test.each(ROWS ?? [])("%s: the file is there, and says what it holds", (name, file = "", blind, proof) => {
    if (file === "none yet") {
      expect(blind, "why there is no checker").toMatch(/issue|core/);
      expect(proof).toBe("");
      return;
    }
    const path = join(root, file);
    expect(existsSync(path), file).toBe(true);
    const text = readFileSync(path, "utf8");
    const checker = CHECKERS.find((one) => one.name === name);
    if (checker === undefined) {
      expect(text, `${file} is a test of ${name}`).toContain(name?.slice(0, 3));
      return;
    }
    expect(text).toContain(`"${checker.name}"`);
    expect(blind).toBe(checker.blind);
  });

  test.each(ROWS ?? [])("%s: its proof can fail", (name, file = "", _blind, proof = "") => {
    if (file === "none yet") return expect(proof).toBe("");
    const bug = plantedBugs.find((one) => one.name === proof);
    if (bug !== undefined && CHECKERS.some((one) => one.name === name)) {
      expect(bug.caughtBy).toContain(name);
      return;
    }
    // Not a bug of the engine: a test beside it shows that it can fail.
    if (bug === undefined) expect(existsSync(join(root, proof)), proof).toBe(true);
    expect(proof).not.toBe("");
  });
});
