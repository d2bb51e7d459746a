/**
 * Bounded exhaustive search: every order of requests and calls, with every outcome of each up to a number of faults.
 *
 *   X1  It ends by itself when all classes of orders were run, or at the first run that does not pass.
 *   X2  `orders` is the number of runs that a search without reduction would make: for each completed run the number
 *       of orders of its steps that are equivalent to it (`count-orders.ts`), added up over all completed runs. A
 *       step is a request decided by the store, a call that reaches its process, or the passing of time; the same
 *       orders with other outcomes or crash points count as others.
 *   X3  `classes` is the number of completed runs: no two of them are equivalent. `repeats` is the number of runs
 *       that were begun and given up, because they could only lead to a class that was known.
 *   X4  A result is a function of scenario, faults and depth, unless `goOn` ends it earlier.
 *
 * Not covered, besides what `search-run.ts` names: orders after the workload is done; other latencies, clocks and
 * workloads; faults that are not among the outcomes.
 */
import type { RunHistory } from "../../history/history.ts";
import {
  type Production,
  type RunResult,
  runScenario,
  type Scenario,
  type Stage,
} from "../../runner/index.ts";
import { countOrders } from "./count-orders.ts";
import type { Exploration, SearchedProduction } from "./exploration.ts";
import { SearchRun } from "./search-run.ts";
import { SearchTree, type TreeOptions } from "./search-tree.ts";

export interface ExplorePlan extends TreeOptions {
  readonly scenario: Exploration;
  /** Asked after each run; false ends the search. */
  goOn(report: ExploreReport): boolean | Promise<boolean>;
}

export interface ExploreReport {
  /** Whether every class was run (X1). */
  readonly complete: boolean;
  readonly orders: bigint;
  readonly classes: number;
  readonly repeats: number;
  /** Completed runs by the number of faults in them. */
  readonly classesByFaults: readonly number[];
  /** Steps of the longest run. */
  readonly longest: number;
  /** Alternatives beyond the depth that were not searched. */
  readonly cut: number;
  readonly storeOps: number;
  /** The run that did not pass. */
  readonly failure: RunResult | null;
}

/** Runs the scenario in every order. */
export async function explore(plan: ExplorePlan): Promise<ExploreReport> {
  const tree = new SearchTree(plan);
  const classesByFaults: number[] = [];
  const report = {
    complete: false,
    orders: 0n,
    classes: 0,
    repeats: 0,
    classesByFaults,
    longest: 0,
    cut: 0,
    storeOps: 0,
    failure: null as RunResult | null, // widened: it is set below
  };
  do {
    const { run, result } = await searchedRun(plan.scenario, tree);
    if (run.error !== null) throw run.error;
    run.look();
    tree.end();
    report.cut = tree.cut;
    report.longest = Math.max(report.longest, tree.order.length);
    report.storeOps += result.stats.storeOps;
    if (run.givenUp) report.repeats++;
    else {
      report.classes++;
      report.orders += plan.reduction === "none" ? 1n : countOrders(tree.order);
      classesByFaults[tree.faults] = (classesByFaults[tree.faults] ?? 0) + 1;
      if (result.outcome.kind !== "pass") {
        report.failure = result;
        return report;
      }
    }
    if (!(await plan.goOn(report))) return report;
  } while (tree.advance());
  report.complete = true;
  return report;
}

async function searchedRun(
  scenario: Exploration,
  tree: SearchTree,
): Promise<{ readonly run: SearchRun; readonly result: RunResult }> {
  let production: SearchedProduction | null = null;
  let chains: Stage["store"]["chains"] = new Map();
  tree.begin();
  const bounds = {
    begun: () => production?.begun() ?? false,
    done: () => production?.done() ?? false,
    settled: () => production?.settled?.() ?? false,
    versions: (key: string) => chains.get(key)?.length ?? 0,
  };
  const run = new SearchRun(tree, bounds);
  const searched: Scenario = {
    ...scenario,
    build(stage) {
      chains = stage.store.chains;
      production = scenario.build(stage);
      return new Watched(production, run);
    },
  };
  const result = await runScenario(searched, run, { policy: run });
  return { run, result };
}

/** The production as it is, telling when its faults end. An object with a getter would keep its run in memory. */
class Watched implements Production {
  readonly faultsUntilMs: number;
  readonly settleWithinMs: number;
  readonly #inner: Production;
  readonly #run: SearchRun;

  constructor(inner: Production, run: SearchRun) {
    this.faultsUntilMs = inner.faultsUntilMs;
    this.settleWithinMs = inner.settleWithinMs;
    this.#inner = inner;
    this.#run = run;
  }

  get quietMs(): number {
    return this.#inner.quietMs;
  }

  finished(): boolean {
    return this.#inner.finished();
  }

  waiting(): string {
    return this.#inner.waiting();
  }

  heal(): void {
    this.#run.stop();
    this.#inner.heal();
  }

  check(history: RunHistory): ReturnType<Production["check"]> {
    return this.#inner.check(history);
  }
}
