/**
 * Risk: a table of promises that names a scenario, a checker or a planted bug that is not there, or does not see it.
 *
 * Each row of the page is held against the catalogue, the checkers, the planted bugs and the run that shows each bug.
 * A promise that no scenario attacks yet has to name a test that is there.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HARNESS_INVARIANTS, packageRoot } from "../sim/index.ts";
import { BOUNDS } from "./canaries/bounds.ts";
import { CONTROLS } from "./canaries/controls.ts";
import { FAMILIES } from "./canaries/families.ts";
import { plantedBugs } from "./canaries/index.ts";
import { LIFETIMES } from "./canaries/lifetimes.ts";
import { SEEN_IN } from "./canaries/seen-in.ts";
import { WAITS } from "./canaries/waits.ts";
import { catalog } from "./catalog.ts";

const root = packageRoot();
const ROWS = (
  readFileSync(join(root, "scenarios", "README.md"), "utf8")
    .split("## What attacks each promise\n")[1]
    ?.split("\n## ")[0]
    ?.split("\n") ?? []
)
  .filter((line) => line.startsWith("| ") && !line.startsWith("| promise") && !line.startsWith("| ---"))
  .map((line) => line.split("|").slice(1, -1))
  .map((cells) => cells.map((cell) => cell.replaceAll("`", "").trim()));

/** The paragraphs that the promises were asked for in. */
const ASKED = [
  "Turns",
  "Durable sleep",
  "Signals",
  "Operations",
  "Waits that count no attempt",
  "Origins",
  "Inbox views",
  "Controls",
  "History",
  "Deletion and lifetimes",
  "Reserved types and ids",
  "Blobs",
  "Requeue",
  "Budgets",
  "The rules of a worker",
  "The client",
  "The server",
  "Beyond the seed",
];

describe("the table of promises", () => {
  test("has a row for each paragraph that was asked for", () => {
    const paragraphs = new Set(ROWS.map(([promise = ""]) => promise.split(":")[0]));
    expect([...paragraphs].sort()).toEqual([...ASKED].sort());
  });

  test.each(ROWS)("%s", (_promise, scenario = "", checker = "", name = "", seeds = "") => {
    if (checker === "") {
      expect([name, seeds]).toEqual(["", ""]);
      expect(existsSync(join(root, scenario)), scenario).toBe(true);
      return;
    }
    expect(catalog.map((one) => one.name)).toContain(scenario);
    const bug = plantedBugs.find((one) => one.name === name);
    expect(bug?.caughtBy, `${name} is caught by`).toContain(checker);
    expect(SEEN_IN[name], `the run that shows ${name}`).toEqual([scenario, Number(seeds)]);
    const invariants = catalog.find((one) => one.name === scenario)?.invariants;
    if (!Object.values<string>(HARNESS_INVARIANTS).includes(checker))
      expect([...(invariants?.keys() ?? [])], `what ${scenario} holds`).toContain(checker);
  });

  test("names every planted bug of waits, controls, families, lifetimes and bounds", () => {
    const named = ROWS.map(([, , , name]) => name);
    for (const { name } of [...WAITS, ...CONTROLS, ...FAMILIES, ...LIFETIMES, ...BOUNDS])
      expect(named).toContain(name);
  });
});
