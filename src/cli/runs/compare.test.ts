/**
 * Risk: a comparison that agrees because it asks nothing, or because engine and model are wrong alike; and a refusal that
 * the model has never heard of.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plantedBugs } from "../../../scenarios/canaries/index.ts";
import {
  type Comparison,
  compare,
  operations,
  PROFILES,
  runEpisode,
  SEEN_CODES,
  SEEN_DEEDS,
  UNSEEN_CODES,
} from "../../../scenarios/index.ts";
import { loadWithEdit, packageRoot } from "../../../sim/index.ts";
import { MemoryStore } from "../../adapters/memory-store.ts";
import { present } from "../../std/assert.ts";
import { runLine } from "../example-io.ts";
import type { Shelf } from "../shelf.ts";

const SHELF: Shelf = {
  catalog: [],
  explorations: [],
  loadPlantedExplorations: async () => [],
  bugs: [],
  loadPlanted: async () => [],
  codeHash: async () => "c0de",
  pinnedFolder: "pinned",
  version: "0.1.0",
};
const makeStore = () => new MemoryStore();

test("engine and model agree over 20,000 commands, each operation succeeds and each refusal is seen", async () => {
  const found = await compare({ seed: 1, commands: 20_000, makeStore, codes: SEEN_CODES, deeds: SEEN_DEEDS });
  expect(found.failure).toBeNull();
  expect(found.unseen).toEqual([]);
  expect(operations().filter((operation) => !found.succeeded.has(operation))).toEqual([]);
  expect([...found.refused.keys()].filter((code) => !SEEN_CODES.includes(code))).toEqual([]);
}, 120_000);

test("one seed makes one run", async () => {
  const run = () => compare({ seed: 7, commands: 1_000, makeStore, codes: [], deeds: [] });
  expect(await run()).toEqual(await run());
});

test("every code of refusal in the engine's source is seen, or has a reason not to be", () => {
  const codes = new Set<string>();
  for (const folder of ["protocol", "documents", "engine"])
    for (const name of readdirSync(join(packageRoot(), "src", folder))) {
      if (!name.endsWith(".ts") || name.endsWith(".test.ts") || /bench|probe/.test(name)) continue;
      for (const code of codesIn(readFileSync(join(packageRoot(), "src", folder, name), "utf8")))
        codes.add(code);
    }
  const known = [...SEEN_CODES, ...Object.keys(UNSEEN_CODES)].sort();
  expect([...codes].sort()).toEqual(known);
  expect(new Set(known).size).toBe(known.length);
});

/** Second arguments of `failure(`, codes handed to `checkOneOf(`, and names of codes that are kept in a constant. */
function codesIn(source: string): readonly string[] {
  const codes = [...source.matchAll(/failure\(\s*"[a-z-]+",\s*"(?<code>[a-z_]+)"/g)];
  codes.push(...source.matchAll(/checkOneOf\([^;]*?"(?<code>invalid_[a-z_]+)"/g));
  codes.push(...source.matchAll(/const OWED = "(?<code>[a-z_]+)"/g));
  return codes.map(({ groups }) => present(groups?.code, "a code"));
}

/**
 * Found by a long comparison. When the generator changes, these seeds become other commands: then the test says so, and
 * others have to be found, or it goes.
 */
test("E3: a claim that ends a child and then gives its parent shows the reply, which hardly fits", async () => {
  const seeds = [
    316476924, 1116783592, 63599755, 2713129254, 1827687227, 1836722173, 245555338, 3765616561, 762310973,
    2167433128, 1786227959, 558594470, 2677982523,
  ];
  const large = present(
    PROFILES.find(({ name }) => name === "large values"),
    "the profile",
  );
  const { acts, difference } = await runEpisode(seeds, large, makeStore());
  expect(difference).toBeNull();
  const done = acts.map((act) => ("command" in act ? `${act.command.operation} ${act.said}` : "time passes"));
  expect(done).toContain("startChild ok");
  expect(done.slice(11, 13)).toEqual(["time passes", "claim ok"]);
});

/** One of each kind of place that the model looks at. */
const CAUGHT = [
  "message-index-not-consulted",
  "changed-message-accepted",
  "lease-end-not-checked",
  "attempt-not-counted",
  "newest-signal-taken",
  "signal-ends-wait-too-late",
  "suspended-attempt-counted",
  "resume-checkpoint-lost",
  "exhausted-turn-not-skipped",
  "retry-forgives-nothing",
  "version-not-looked-at",
  "moved-turn-not-found",
  // What shares a write with something else.
  "fold-loses-a-step",
  "fold-saves-a-step-twice",
  "grant-while-paused",
  "grant-for-another-version",
  "grant-repeated-under-another-token",
  "grant-answered-unwritten",
  "turn-handed-to-another-version",
  "turn-handed-while-paused",
];

describe("the comparison sees the planted bug", () => {
  test.each(CAUGHT)(
    "%s, and tells it in few commands",
    async (name) => {
      const bug = present(
        plantedBugs.find((one) => one.name === name),
        name,
      );
      const loaded = await loadWithEdit("scenarios/compare/index.ts", bug);
      const planted = (loaded as { compare: typeof compare }).compare;
      const found: Comparison = await planted({ seed: 1, commands: 20_000, makeStore, codes: [], deeds: [] });
      expect(present(found.failure, "a difference").acts.length).toBeLessThan(60);
    },
    60_000,
  );
});

test("the command tells its seed, its counts and what never came", async () => {
  const { code, out } = await runLine("compare --commands 300 --seed 1", SHELF, ".");
  expect(code).toBe(4);
  expect(out).toMatch(/^seed 1: 1,\d+ commands in \d+ episodes/);
  expect(out).toContain("never came: ");
});
