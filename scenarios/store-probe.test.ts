/**
 * Over simulated stores the start-up probe takes every sound one and refuses every broken one that one client can see.
 * What `scenarios/README.md` says of the others is held against runs: an invariant breaks, or nothing does.
 * Risk: a defect of a store that neither the probe nor any checker sees.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  BROKEN_STORES,
  type BrokenStore,
  brokenInvariants,
  runScenario,
  SeedSource,
  SOUND_PROFILES,
} from "../sim/index.ts";
import { everything } from "./catalog/everything.ts";
import { probeRun } from "./systems/probe-run.ts";

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);
/** Runs within which an invariant that the table names must break. */
const RUNS = 100;
/** Runs in which nothing may break where the table says so. */
const QUIET_RUNS = 15;
/** Held by the harness over its own stores; over a broken one they only say that it is broken. */
const OF_THE_STORE = ["I23-store-chains", "I01-store-outcomes"];

describe("the start-up probe", () => {
  it.each(SOUND_PROFILES)("takes $name, tells what it does, and leaves nothing there", async (profile) => {
    const orders = new Set<string>();
    for (const seed of SEEDS) {
      const { report, left } = await probeRun(profile, seed);
      if (report.kind === "sound") orders.add(report.findings.listOrder);
      expect(report).toMatchObject({
        kind: "sound",
        findings: {
          etags: profile.etags === "content-hash" ? "of-the-body" : "of-the-write",
          onMissingKey: profile.onMissingKey,
          deleteConditions: profile.deleteConditions,
          repeatsKeys: false,
          throttlesWrites: profile.writesPerSecond === 1,
        },
      });
      expect(report.requests).toBeLessThanOrEqual(40);
      expect(left).toEqual([]);
    }
    // A few keys may come in order by chance.
    if (profile.listOrder === "none") expect(orders).toContain("none");
    else expect([...orders]).toEqual(["ascending"]);
  });

  it.each(BROKEN_STORES)("says of $name what the table says, and leaves nothing there", async (profile) => {
    const properties = new Set<string>();
    const kinds = new Set<string>();
    for (const seed of SEEDS) {
      const { report, left } = await probeRun(profile, seed);
      kinds.add(report.kind);
      if (report.kind === "unsafe") for (const { property } of report.breaches) properties.add(property);
      expect(report.requests).toBeLessThanOrEqual(40);
      expect(left).toEqual([]);
    }
    expect([...kinds]).toHaveLength(1);
    expect(rowOf(profile)[1]).toBe(kinds.has("unsafe") ? [...properties].sort().join(", ") : "takes it");
  });
});

describe("the engine over a broken store", () => {
  it.each(BROKEN_STORES)("does over $name what the table says", { timeout: 60_000 }, async (profile) => {
    const [, , claimed = ""] = rowOf(profile);
    if (claimed === "nothing breaks") {
      for (let seed = 0; seed < QUIET_RUNS; seed++) expect(await broken(profile, seed)).toEqual([]);
      return;
    }
    const missing = new Set(claimed.split(", "));
    for (let seed = 0; seed < RUNS && missing.size > 0; seed++)
      for (const name of await broken(profile, seed)) missing.delete(name);
    expect([...missing]).toEqual([]);
  });

  it("breaks an invariant wherever the probe sees nothing and listing is not all that is wrong", () => {
    const unseen = BROKEN_STORES.filter((profile) => rowOf(profile)[1] === "takes it");
    expect(unseen.map(({ name }) => name)).toEqual([
      "conditions-per-endpoint",
      "stale-reads-of-others",
      "list-repeats",
    ]);
    expect(
      unseen.filter((profile) => rowOf(profile)[2] === "nothing breaks").map(({ name }) => name),
    ).toEqual(["list-repeats"]);
  });
});

/** The invariants of the engine that break in a run over the store. */
async function broken(profile: BrokenStore, seed: number): Promise<readonly string[]> {
  const { outcome } = await runScenario(everything, new SeedSource(seed), { profile: profile.name });
  return brokenInvariants(outcome).filter((name) => !OF_THE_STORE.includes(name));
}

/** The store's row of the table: what it does, what the probe says, what breaks. */
function rowOf({ name, what }: BrokenStore): readonly string[] {
  const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const line = page.split("\n").find((text) => text.startsWith(`| \`${name}\` |`));
  const cells = (line ?? "").split("|").map((cell) => cell.trim());
  expect(cells[2], `the row of ${name}`).toBe(what);
  return cells.slice(2, 5);
}
