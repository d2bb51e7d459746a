/**
 * Risk: a scene in which nothing happens, so that "no violation in any order" says nothing; or one that grew so large
 * that nobody waits for its end.
 */
import { describe, expect, test } from "vitest";
import { type ExploreReport, explore } from "../../sim/index.ts";
import { explorations } from "./index.ts";

describe.each(explorations.map((scene) => [scene.name, scene] as const))("%s", (_, scenario) => {
  test("is run in all its orders when no fault strikes, and none breaks an invariant", async () => {
    const seen = new Set<string>();
    const goOn = ({ classes }: ExploreReport) => classes < 2_000;
    const watched = {
      ...scenario,
      build(stage: Parameters<typeof scenario.build>[0]) {
        const production = scenario.build(stage);
        const { check } = production;
        const noted: typeof check = (history) => {
          seen.add(
            history.operations.map(({ process, kind, verdict }) => `${process} ${kind} ${verdict}`).join(),
          );
          return check(history);
        };
        return Object.assign(production, { check: noted });
      },
    };
    const report = await explore({ scenario: watched, faults: 0, depth: null, reduction: "classes", goOn });
    expect(report.failure?.outcome).toBeUndefined();
    expect([report.complete, report.cut]).toEqual([true, 0]);
    expect(report.orders).toBeGreaterThan(BigInt(report.classes));
    // Orders that are not equivalent really lead to other runs.
    expect(seen.size).toBeGreaterThan(2);
  }, 60_000);
});
