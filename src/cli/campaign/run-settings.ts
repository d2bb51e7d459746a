/**
 * How the runs of a command are made: plain data, so that it can be printed, kept and given to a thread.
 *
 *   M1  Settings, scenario and seed make one run, again and again, in any thread.
 */
import {
  FaultPointCounter,
  type PointCounts,
  type RunOptions,
  type RunResult,
  runScenario,
  runTwice,
  type Scenario,
  STRATEGIES,
} from "../../../sim/index.ts";
import { present } from "../../std/assert.ts";

export interface RunSettings {
  readonly nodes: number | undefined;
  /** The store profile of all runs; undefined: drawn for each. */
  readonly profile: string | undefined;
  /** The search strategy, by its name. */
  readonly strategy: string;
  readonly planted: string | null;
  /** Each run is made twice and compared. */
  readonly twice: boolean;
  /** Each run also tells where faults struck it. */
  readonly points?: boolean;
  readonly version: string;
}

/** A run of a campaign, with the points when they are wanted. */
export type CountedRun = RunResult & { readonly points?: PointCounts };

/** The strategy of a user who names none. */
export const DEFAULT_STRATEGY = "mix";

/** The part of the settings that a run without a seed has too. */
function optionsOf({ nodes, profile }: Pick<RunSettings, "nodes" | "profile">): RunOptions {
  return { ...(nodes === undefined ? {} : { nodes }), ...(profile === undefined ? {} : { profile }) };
}

/** The run of this seed; a divergence when it was to be made twice and does not repeat. */
export function makeRun(settings: RunSettings, scenario: Scenario, seed: number): Promise<RunResult> {
  const strategy = present(
    STRATEGIES.find(({ name }) => name === settings.strategy),
    "the strategy",
  );
  const make = (logged: { readonly logSteps?: boolean }): Promise<RunResult> => {
    const { source, policy } = strategy.begin(seed);
    return runScenario(scenario, source, { ...optionsOf(settings), policy, ...logged });
  };
  return settings.twice ? runTwice(make) : make({});
}

/** What makes the runs of a campaign one after the other, here or in a thread. */
export function runMaker(settings: RunSettings): (scenario: Scenario, seed: number) => Promise<CountedRun> {
  if (settings.points !== true) return (scenario, seed) => makeRun(settings, scenario, seed);
  const counter = new FaultPointCounter();
  return async (scenario, seed) => {
    const result = await makeRun(settings, scenario, seed);
    return { ...result, points: counter.count(result.history) };
  };
}

/** The settings as words of a command line; what is as usual is left out. */
export function settingsWords({
  nodes,
  profile,
  strategy,
  planted,
}: Pick<RunSettings, "nodes" | "profile" | "strategy" | "planted">): readonly string[] {
  const words: string[] = [];
  if (nodes !== undefined) words.push("--nodes", String(nodes));
  if (profile !== undefined) words.push("--profile", profile);
  if (strategy !== DEFAULT_STRATEGY) words.push("--strategy", strategy);
  if (planted !== null) words.push("--plant", planted);
  return words;
}
