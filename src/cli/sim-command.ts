/**
 * `baton sim`: many runs, a summary, and a replay file for each failure.
 *
 *   Q1  With `--json` standard output holds exactly one JSON object; all else goes to standard error.
 *   Q2  Real time decides only when a campaign ends and what its speed was, never what a run does.
 */

import { FaultPoints } from "../../reports/index.ts";
import {
  type CampaignHooks,
  type CampaignReport,
  campaign,
  type Failure,
  type PinnedRun,
  type RunOptions,
  runScenario,
  runTwice,
  type Scenario,
  SeedSource,
} from "../../sim/index.ts";
import { pick, pickOne, pickProfile } from "./arguments.ts";
import { reportCampaign } from "./campaign-report.ts";
import { EXIT, exitCodeOf } from "./exit-codes.ts";
import {
  commandOf,
  type FailureRecord,
  keepFailure,
  type RunSettings,
  tellFailure,
} from "./failure-report.ts";
import type { Io } from "./io.ts";
import { pinnedRuns } from "./pinned.ts";
import { Progress } from "./progress.ts";
import type { Shelf } from "./shelf.ts";
import { jsonSummary, textSummary } from "./summary.ts";

export interface SimOptions {
  readonly seeds?: number;
  readonly seed?: number;
  readonly for?: number;
  readonly nodes?: number;
  readonly profile?: string;
  readonly json?: boolean;
  readonly checkDeterminism?: boolean;
  readonly plant?: string;
  readonly report?: string;
}

export const DEFAULT_RUNS = 2_000;
export const FAILURES_PER_SCENARIO = 5;
/** How long the event loop may stay without a turn: a Ctrl-C is seen within it. */
const TURN_EVERY_MS = 50;

/** Makes the runs; answers the exit code. */
export async function simCommand(
  io: Io,
  shelf: Shelf,
  names: readonly string[],
  options: SimOptions,
): Promise<number> {
  const bug = options.plant === undefined ? null : pickOne("planted bug", shelf.bugs, options.plant);
  const chosen = pick("scenario", shelf.catalog, names);
  const loaded = bug === null ? chosen : pick("scenario", await shelf.loadPlanted(bug), names);
  const profile = pickProfile(options.profile);
  const settings = { nodes: options.nodes, profile, planted: bug?.name ?? null, version: shelf.version };
  const pinned = bug === null ? pinnedRuns(shelf) : [];
  const session = new SimSession(io, options, settings, names, loaded, pinned);
  return session.run();
}

class SimSession {
  readonly #io: Io;
  readonly #options: SimOptions;
  readonly #settings: RunSettings;
  /** The scenarios that the user named; none: all. */
  readonly #names: readonly string[];
  readonly #scenarios: readonly Scenario[];
  readonly #pinned: readonly PinnedRun[];
  readonly #progress: Progress;
  readonly #firstSeed: number;
  /** Null: until the time is over. */
  readonly #runs: number | null;
  readonly #records: FailureRecord[] = [];
  readonly #kinds: Failure["result"]["outcome"]["kind"][] = [];
  readonly #startMs: number;
  /** Where faults struck, for the campaign's page. */
  readonly #points = new FaultPoints();
  #turnedMs: number;
  #ended: "done" | "time" | "interrupted" = "done";

  constructor(
    io: Io,
    options: SimOptions,
    settings: RunSettings,
    names: readonly string[],
    scenarios: readonly Scenario[],
    pinned: readonly PinnedRun[],
  ) {
    this.#io = io;
    this.#options = options;
    this.#settings = settings;
    this.#names = names;
    this.#scenarios = scenarios;
    this.#pinned = pinned;
    this.#progress = new Progress(io);
    this.#firstSeed = options.seed ?? io.freshSeed();
    this.#runs = options.seeds ?? (options.for === undefined ? DEFAULT_RUNS : null);
    this.#startMs = io.nowMs();
    this.#turnedMs = this.#startMs;
  }

  async run(): Promise<number> {
    const { nodes, profile } = this.#settings;
    const runOptions = {
      ...(nodes === undefined ? {} : { nodes }),
      ...(profile === undefined ? {} : { profile }),
    };
    const make = this.#options.checkDeterminism === true ? runBothTimes : runOnce;
    const hooks: CampaignHooks = {
      between: (tally) => this.#between(tally),
      failed: (failure) => this.#failed(failure),
    };
    const report = await campaign(
      {
        scenarios: this.#scenarios,
        firstSeed: this.#firstSeed,
        runs: this.#runs,
        pinned: this.#pinned,
        failuresPerScenario: FAILURES_PER_SCENARIO,
        execute: async (scenario, seed) => {
          const result = await make(scenario, seed, runOptions);
          if (this.#options.report !== undefined) this.#points.add(result.history);
          return result;
        },
      },
      hooks,
    );
    this.#progress.clear();
    this.#tell(report);
    return this.#ended === "interrupted" ? EXIT.interrupted : exitCodeOf(this.#kinds);
  }

  /** Whether to go on. */
  async #between(tally: CampaignReport["tally"]): Promise<boolean> {
    const nowMs = this.#io.nowMs();
    const passedMs = nowMs - this.#startMs;
    if (nowMs - this.#turnedMs >= TURN_EVERY_MS) {
      this.#turnedMs = nowMs;
      const byRuns = this.#runs === null ? 0 : tally.runs / this.#runs;
      const byTime = this.#options.for === undefined ? 0 : passedMs / this.#options.for;
      this.#progress.update(tally, nowMs, Math.max(byRuns, byTime));
      await this.#io.turn();
    }
    if (this.#io.interrupted()) {
      this.#ended = "interrupted";
      return false;
    }
    if (this.#options.for !== undefined && passedMs >= this.#options.for) {
      this.#ended = "time";
      return false;
    }
    return true;
  }

  #failed(failure: Failure): void {
    const record = keepFailure(this.#io, failure, this.#settings);
    this.#records.push(record);
    this.#kinds.push(failure.result.outcome.kind);
    this.#progress.clear();
    const again = commandOf(record, this.#settings, failure.pinned !== null);
    const text = `${tellFailure(this.#io, failure, record, again)}\n`;
    if (this.#options.json === true) this.#io.err(text);
    else this.#io.out(text);
  }

  #tell(report: CampaignReport): void {
    const summary = {
      report,
      scenarios: this.#scenarios,
      firstSeed: this.#firstSeed,
      planted: this.#settings.planted,
      failures: this.#records,
      wallMs: this.#io.nowMs() - this.#startMs,
      ended: this.#ended,
      twice: this.#options.checkDeterminism === true,
    };
    this.#io.out(this.#options.json === true ? jsonSummary(summary) : textSummary(this.#io, summary));
    const { report: path } = this.#options;
    if (path === undefined) return;
    const page = reportCampaign(this.#io, path, summary, this.#points, this.#again(report.tally.runs));
    if (page !== null) this.#io.err(`page: ${page}\n`);
  }

  /** The command that makes the same runs again. */
  #again(runs: number): string {
    const { nodes, profile, planted } = this.#settings;
    const words = [
      "npx baton sim",
      ...this.#names,
      "--seed",
      String(this.#firstSeed),
      "--seeds",
      String(runs),
    ];
    if (nodes !== undefined) words.push("--nodes", String(nodes));
    if (profile !== undefined) words.push("--profile", profile);
    if (planted !== null) words.push("--plant", planted);
    return words.join(" ");
  }
}

function runOnce(scenario: Scenario, seed: number, options: RunOptions) {
  return runScenario(scenario, new SeedSource(seed), options);
}

function runBothTimes(scenario: Scenario, seed: number, options: RunOptions) {
  return runTwice((logged) => runScenario(scenario, new SeedSource(seed), { ...options, ...logged }));
}
