/**
 * The ways of looking for a planted bug that a matrix compares: each search strategy of the harness, and fast-check's
 * own scheduler as what there is without it.
 *
 *   R1  fast-check is loaded only when it is asked for. Where it is not installed there is no such hunter, and the
 *       caller says so.
 *   R2  under fast-check a run is one execution of a property: promises ordered by `fc.scheduler()`, the workload from
 *       a number it draws. It stops at the first failure and does not shrink.
 */
import {
  type Catch,
  type Hunt,
  type HuntPlan,
  hunt,
  runUnderPromises,
  STRATEGIES,
  type Turn,
} from "../../../sim/index.ts";
import { present } from "../../std/assert.ts";

export interface Hunter {
  readonly name: string;
  hunt(plan: Omit<HuntPlan, "strategy">): Promise<Hunt>;
}

export const FAST_CHECK = "fast-check";
/** What the others are compared with. */
export const BASELINES: readonly string[] = ["random", FAST_CHECK];
export const HUNTER_NAMES: readonly string[] = [...STRATEGIES.map(({ name }) => name), FAST_CHECK];

/** The hunter of that name, one of `HUNTER_NAMES`; null: fast-check is not installed. */
export async function hunterOf(name: string, turn: Turn): Promise<Hunter | null> {
  if (name === FAST_CHECK) return fastCheckHunter(turn);
  const strategy = present(
    STRATEGIES.find((one) => one.name === name),
    "the strategy",
  );
  return { name, hunt: (plan) => hunt({ ...plan, strategy }) };
}

/** R1, R2. */
async function fastCheckHunter(turn: Turn): Promise<Hunter | null> {
  const fc = await import("fast-check").catch(() => null);
  if (fc === null) return null;
  return {
    name: FAST_CHECK,
    async hunt({ scenarios, firstSeed, mostRuns, goOn }) {
      let runs = 0;
      let caught: Catch | null = null;
      const property = fc.asyncProperty(fc.scheduler(), fc.nat(), async (s, seed) => {
        // `pre` without a reason to go on skips what is left.
        if (caught !== null || !(await goOn())) return;
        const scenario = present(scenarios[runs % scenarios.length], "a scenario to hunt in");
        runs++;
        const scheduler = {
          schedule: (label: string) => s.schedule(Promise.resolve(), label),
          waitOne: () => s.waitOne(),
          count: () => s.count(),
        };
        const invariants = await runUnderPromises(scenario, seed, scheduler, turn);
        if (invariants.length === 0) return;
        caught = { scenario: scenario.name, seed, invariants };
        throw new Error(invariants.join(", "));
      });
      await fc.check(property, { seed: firstSeed % 0x7fff_ffff, numRuns: mostRuns, endOnFailure: true });
      return { runs, caught };
    },
  };
}
