/**
 * A scenario that is run to be counted: no fault strikes, and marks in its history say from when to when to count.
 *
 *   L1  one run is one record: the part between the incidents `measure` `begin` and `end` is what is counted, and what
 *       comes before brings the system into its steady state.
 *   L2  the driver's calls are in the log of calls like anybody's, so what a request was for follows from the history.
 *   L3  a run in which the driver was refused anything is a crash and no record.
 *
 * Owns the shape of such a scenario and its run. Does not own what the driver does (`workloads.ts`), nor what is counted
 * and how: that is the ledger.
 */
import {
  type Finding,
  NO_FAULTS,
  type Production,
  type RunHistory,
  type Scenario,
  STORE_CHECKERS,
  type Stage,
} from "../../sim/index.ts";
import { DEFAULT_CONFIG } from "../../src/index.ts";
import { engineNode } from "../systems/engine-node.ts";
import { Hazards, NO_WORKER_HAZARDS } from "../systems/hazards.ts";
import type { MeasuredConfiguration, MeasuredUnit, WorkerSavings } from "./configuration.ts";
import { Desk } from "./desk.ts";

export interface MeasuredScenario {
  readonly scenario: Scenario;
  readonly unit: MeasuredUnit;
  readonly configuration: MeasuredConfiguration;
  /** Whether the requests of a handoff can be told to follow each other; not where callers race or nothing is handed off. */
  readonly serial: boolean;
  /** Null: it is measured on the store that is asked for. */
  readonly profile: string | null;
}

/** What differs from one node, one identity and one step. */
export interface MeasuredPlan {
  readonly name: string;
  readonly claim: string;
  readonly unit?: MeasuredUnit;
  readonly nodes?: number;
  readonly identities?: number;
  readonly steps?: number;
  /** What differs from a worker that saves itself all it can. */
  readonly worker?: Partial<WorkerSavings>;
  readonly waiting?: number;
  readonly history?: number;
  readonly keepMs?: number;
  /** Its callers race each other: what followed what in one handoff cannot be told from the others that went on meanwhile. */
  readonly races?: true;
  /** The store that it is measured on, whatever is asked for; absent: any. */
  readonly profile?: string;
  /** What the nodes are told of the store. */
  readonly keyWritesPerSecond?: number;
  readonly drive: (desk: Desk) => Promise<void>;
}

const SAVING: WorkerSavings = { folds: true, claims_next: true, records_starts: false };
/** Longer than any of them lasts, virtual milliseconds. */
const AT_MOST_MS = 24 * 3_600_000;

export function measured(plan: MeasuredPlan): MeasuredScenario {
  const { nodes = 1, identities = 1, steps = 1, waiting = 0, history = 0, keepMs, drive } = plan;
  const { poll_ms, reconcile_ms, index_shards, history_keep_turns } = DEFAULT_CONFIG;
  const history_keep_ms = keepMs ?? DEFAULT_CONFIG.history_keep_ms;
  const retention = { history_keep_turns, history_keep_ms };
  const load = { nodes, identities, steps, ...SAVING, ...plan.worker, waiting, history };
  const key_writes_per_second = plan.keyWritesPerSecond ?? DEFAULT_CONFIG.key_writes_per_second;
  const engine = { poll_ms, reconcile_ms, index_shards, key_writes_per_second };
  const configuration = { ...load, ...engine, ...retention };
  const scenario: Scenario = {
    name: plan.name,
    claim: plan.claim,
    faults: NO_FAULTS,
    latency: "modelled",
    build: (stage) => new MeasuredProduction(stage, configuration, drive),
  };
  const { unit = "handoff", races, profile = null } = plan;
  return { scenario, unit, configuration, serial: unit === "handoff" && races !== true, profile };
}

class MeasuredProduction implements Production {
  readonly faultsUntilMs = AT_MOST_MS;
  readonly settleWithinMs = 1;
  readonly quietMs = 0;
  #done = false;

  constructor(stage: Stage, configuration: MeasuredConfiguration, drive: (desk: Desk) => Promise<void>) {
    const { simulation, store } = stage;
    const { history_keep_ms, key_writes_per_second } = configuration;
    const config = { ...DEFAULT_CONFIG, history_keep_ms, key_writes_per_second };
    const hazards = new Hazards(simulation, NO_WORKER_HAZARDS, 0);
    const setup = { simulation, store, config, hazards, aim: null };
    const nodes = Array.from({ length: configuration.nodes }, (_, n) => engineNode(`node-${n + 1}`, setup));
    const driver = simulation.process<null>("driver", async (context) => {
      await drive(new Desk(simulation, context, nodes, configuration));
      this.#done = true;
    });
    for (const process of [...nodes, driver]) process.start();
  }

  finished(): boolean {
    return this.#done;
  }

  waiting(): string {
    return "the driver has not done all its turns";
  }

  /** Nothing was down. */
  heal(): void {}

  check(history: RunHistory): ReadonlyMap<string, Finding> {
    return new Map(STORE_CHECKERS.map((checker) => [checker.name, checker.check(history, null)]));
  }
}
