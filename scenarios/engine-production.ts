/**
 * A production of the engine: what every scenario asks of the system that it has set up, whatever that is.
 *
 * Owns the configuration and the place of the engine in the simulation, when a run may end, and that the checkers of the
 * store come first. Does not own what the system does, nor which checkers of the engine judge it.
 *
 *   Q1  quiet phase: some reconcile intervals and `SLACK_MS`, and the time of late writes that are still to land.
 *   Q2  faults off, the index may hide ready work for an interval and two passes. Where the store limits the writes of
 *       a key, a pass may find the index full of other writes and leave it to the next one: one interval more.
 */
import {
  type Checker,
  EPOCH_MS,
  type Finding,
  type Production,
  type RunHistory,
  STORE_CHECKERS,
  type Stage,
  type StoreProfile,
} from "../sim/index.ts";
import { DEFAULT_CONFIG, type EngineConfig } from "../src/index.ts";
import { Facts, type RunSetup } from "./checkers/facts.ts";
import type { Decoder } from "./checkers/records.ts";
import { drawHistory } from "./workloads/draw-history.ts";

/** How fast the nodes of the simulation look and sweep. Each turn is a block of history, unless a run draws otherwise. */
export const CONFIG = {
  ...DEFAULT_CONFIG,
  poll_ms: 1_000,
  reconcile_ms: 8_000,
  history_segment_turns: 1,
  history_page_turns: 2,
};
export const SPACE = { tenant: CONFIG.tenant, graph: CONFIG.graph, epoch: String(CONFIG.epoch) };

/** The last one is the default, and the layout of older versions. */
const SHARDS = [4, 2, 1];

/** The configuration of a run's nodes: each thing that the engine may save itself is off in a quarter of the runs. */
export function drawConfig(
  { simulation: { choices } }: Stage,
  differs: Partial<EngineConfig> = {},
): EngineConfig {
  return {
    ...CONFIG,
    remember_identities: choices.choose(4, "remember-identities") !== 3,
    group_commit: choices.choose(4, "group-commit") !== 3,
    ...drawHistory(choices),
    defer_index: choices.choose(4, "defer-index") !== 3,
    index_shards: SHARDS[choices.choose(SHARDS.length, "index-shards")] ?? CONFIG.index_shards,
    ...differs,
  };
}

const SLACK_MS = 5_000;
/** Q2. */
function hiddenWithinMs({ writesPerSecond }: StoreProfile): number {
  return (writesPerSecond === null ? 1 : 2) * CONFIG.reconcile_ms + SLACK_MS;
}

/** A system set up and running, as far as the phases of a run have to do with it. */
export interface WatchedSystem {
  finished(): boolean;
  waiting(): string;
  heal(): void;
}

export interface ProductionTerms {
  readonly faultsUntilMs: number;
  readonly settleWithinMs: number;
  /** Longest that a write of the plan's faults may be late. */
  readonly lateByMs: number;
  /** Reconcile intervals of the quiet phase. */
  readonly quietIntervals: number;
  /** What the checkers of the engine find. */
  readonly judge: (history: RunHistory) => Iterable<readonly [checker: string, finding: Finding]>;
}

/** A class and not an object with a getter: each of those makes a shape of its own, which outlives its run in memory. */
export class EngineProduction implements Production {
  readonly faultsUntilMs: number;
  readonly settleWithinMs: number;
  readonly #stage: Stage;
  readonly #system: WatchedSystem;
  readonly #terms: ProductionTerms;

  constructor(stage: Stage, system: WatchedSystem, terms: ProductionTerms) {
    this.#stage = stage;
    this.#system = system;
    this.#terms = terms;
    this.faultsUntilMs = terms.faultsUntilMs;
    this.settleWithinMs = terms.settleWithinMs;
  }

  /** Q1. */
  get quietMs(): number {
    const { quietIntervals, lateByMs } = this.#terms;
    const lateMs = this.#stage.store.lateWrites > 0 ? lateByMs : 0;
    return quietIntervals * CONFIG.reconcile_ms + SLACK_MS + lateMs;
  }

  finished(): boolean {
    return this.#system.finished();
  }

  waiting(): string {
    return this.#system.waiting();
  }

  heal(): void {
    this.#system.heal();
  }

  check(history: RunHistory): ReadonlyMap<string, Finding> {
    const findings = new Map<string, Finding>();
    for (const checker of STORE_CHECKERS) findings.set(checker.name, checker.check(history, null));
    for (const [name, finding] of this.#terms.judge(history)) findings.set(name, finding);
    return findings;
  }
}

/** What a scenario knows to be true of its run; what it does not say is nothing. */
export function factsOf(
  history: RunHistory,
  decoder: Decoder,
  profile: StoreProfile,
  known: Partial<RunSetup> = {},
): Facts {
  const setup = { space: SPACE, workload: { instances: [] }, effects: [], damaged: [], ...known };
  const bounds = { epochMs: EPOCH_MS, hiddenWithinMs: hiddenWithinMs(profile) };
  return new Facts(history, { ...setup, ...bounds }, decoder);
}

/** Each checker's finding, by its name. */
export function* judged(
  checkers: readonly Checker<Facts>[],
  history: RunHistory,
  facts: Facts,
): Iterable<readonly [string, Finding]> {
  for (const checker of checkers) yield [checker.name, checker.check(history, facts)];
}

/** What a report tells of the checks, in words, by the checkers' names. */
export function statementsOf(
  checkers: readonly { readonly name: string; readonly statement: string }[],
): ReadonlyMap<string, string> {
  return new Map([...STORE_CHECKERS, ...checkers].map(({ name, statement }) => [name, statement]));
}
