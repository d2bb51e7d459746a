/**
 * Risk: code under test uses real randomness or real time, and runs no longer repeat, unseen.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  loadWithEdit,
  packageRoot,
  runScenario,
  type Scenario,
  SeedSource,
  sourcePlace,
} from "../../sim/index.ts";
import { AMBIENT } from "./ambient.ts";

async function catalogWith(bug: (typeof AMBIENT)[number] | null): Promise<readonly Scenario[]> {
  return ((await loadWithEdit("scenarios/index.ts", bug)) as { catalog: readonly Scenario[] }).catalog;
}

test.each(AMBIENT)("$name is trapped, and its line in the engine is named", async (bug) => {
  const source = readFileSync(join(packageRoot(), bug.file), "utf8");
  const line = source.slice(0, source.indexOf(bug.find)).split("\n").length;
  for (const scenario of await catalogWith(bug)) {
    for (let seed = 1; seed <= 20; seed++) {
      const { outcome } = await runScenario(scenario, new SeedSource(seed), {});
      if (outcome.kind === "pass") continue;
      expect(outcome).toMatchObject({ kind: "escape", call: "Math.random" });
      expect("where" in outcome && sourcePlace(outcome.where)).toBe(`${bug.file}:${line}`);
      return;
    }
  }
  expect.unreachable("no run was trapped");
});

test("the unedited code, loaded the same way, makes the same runs and none is trapped", async () => {
  const { catalog } = await import("../index.ts");
  const loaded = await catalogWith(null);
  for (const [i, scenario] of catalog.entries()) {
    const direct = await runScenario(scenario, new SeedSource(i), {});
    const bundled = await runScenario(loaded[i] ?? scenario, new SeedSource(i), {});
    expect(bundled.outcome).toEqual({ kind: "pass" });
    expect(bundled.fingerprint).toBe(direct.fingerprint);
  }
});
