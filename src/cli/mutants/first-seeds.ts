/**
 * Measures the last column of the table of promises: for each planted bug the first seed, from 1 on, whose run of the
 * bug's scenario, in plain random order, breaks an invariant that the bug names.
 *
 *   node dist/src/cli/mutants/first-seeds.js [--write] [BUG...]      from the root of the repository
 *
 * Prints each bug whose seed is another one by now, and the figures of all. With `--write` it puts them into
 * `scenarios/README.md` and `scenarios/canaries/seen-in.ts`. Ends with exit code 1 when a bug is not seen, or when a seed is
 * another one and is not written. What it finds is a function of the code. Not part of the `baton` command.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  brokenInvariants,
  type PlantedBug,
  packageRoot,
  runScenario,
  SeedSource,
} from "../../../sim/index.ts";
import { present } from "../../std/assert.ts";
import { packageShelf } from "../shelf.ts";

const shelf = packageShelf();
const MOST_SEEDS = 2_000;
const TABLE = join(packageRoot(), "scenarios", "README.md");
const HINTS = join(packageRoot(), "scenarios", "canaries", "seen-in.ts");

/** The line of the hints that names the bug: scenario and seed. */
const hintOf = (name: string) => new RegExp(`("${name}": \\["([a-z0-9-]+)", )(\\d+)(\\])`);
const rowOf = (name: string) => new RegExp(`(\\| \`${name}\` \\| )(\\d+)( \\|)`, "g");

async function firstSeed(bug: PlantedBug, name: string): Promise<number | null> {
  const planted = await shelf.loadPlanted(bug);
  const scenario = present(
    planted.find((one) => one.name === name),
    `the scenario ${name}`,
  );
  for (let seed = 1; seed <= MOST_SEEDS; seed++) {
    const { outcome } = await runScenario(scenario, new SeedSource(seed), {});
    if (brokenInvariants(outcome).some((invariant) => bug.caughtBy.includes(invariant))) return seed;
  }
  return null;
}

const named = process.argv.slice(2).filter((word) => word !== "--write");
const writes = process.argv.includes("--write");
let table = readFileSync(TABLE, "utf8");
let hints = readFileSync(HINTS, "utf8");
const seeds: number[] = [];
for (const bug of shelf.bugs) {
  if (named.length > 0 && !named.includes(bug.name)) continue;
  const [, , scenario = "everything", before] = hintOf(bug.name).exec(hints) ?? [];
  const seed = await firstSeed(bug, scenario);
  if (seed === null) {
    console.log(`${bug.name}: not seen in ${MOST_SEEDS} runs of ${scenario}`);
    process.exitCode = 1;
    continue;
  }
  seeds.push(seed);
  if (Number(before) === seed) continue;
  console.log(`${bug.name}: ${before} is ${seed} by now, in ${scenario}`);
  if (!writes) process.exitCode = 1;
  table = table.replace(rowOf(bug.name), `$1${seed}$3`);
  hints = hints.replace(hintOf(bug.name), `$1${seed}$4`);
}
seeds.sort((a, b) => a - b);
const middle = seeds[Math.floor(seeds.length / 2)];
console.log(
  `${seeds.length} planted bugs: median ${middle}, largest ${seeds.at(-1)}, ${seeds.filter((one) => one === 1).length} in the first run`,
);
if (writes)
  for (const [path, text] of [
    [TABLE, table],
    [HINTS, hints],
  ] as const)
    writeFileSync(path, text);
