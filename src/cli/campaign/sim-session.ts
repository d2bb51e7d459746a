/**
 * A campaign from its first run to its summary.
 *
 *   Q1  With `--json` standard output holds exactly one JSON object; all else goes to standard error.
 *   Q2  Real time decides only when a campaign ends and what its speed was, never what a run does.
 *   Q3  The result does not depend on the number of threads: they only make the runs, which are counted in their order.
 *   Q4  After the last run the first failure of each scenario is shrunk, when that is wanted; a campaign that was
 *       stopped by Ctrl-C shrinks nothing.
 */
import {
  type CampaignHooks,
  type CampaignPlan,
  type CampaignReport,
  campaign,
  type Failure,
  type PinnedRun,
  type Scenario,
  type Shard,
} from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import { keepShrunk, type ShrinkBounds, shrinkWithin, tellShrunk } from "../runs/shrinking.ts";
import { EXIT, exitCodeOf } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import { type CampaignResult, resultOf } from "./campaign-result.ts";
import { commandOf, type FailureRecord, keepFailure, tellFailure } from "./failure-report.ts";
import { publish } from "./publish.ts";
import { RUNS_AHEAD_PER_THREAD, RunPool } from "./run-pool.ts";
import { type RunSettings, runMaker } from "./run-settings.ts";
import { textSummary } from "./summary.ts";
import type { Searches } from "./with-files.ts";

/** What is to be run, and what is to be told of it. */
export interface SimPlan {
  readonly settings: RunSettings;
  /** All scenarios that there are. */
  readonly catalog: readonly Scenario[];
  readonly scenarios: readonly Scenario[];
  readonly pinned: readonly PinnedRun[];
  readonly firstSeed: number;
  /** Null: until the time is over. */
  readonly runs: number | null;
  readonly forMs: number | null;
  readonly jobs: number;
  readonly shard: Shard | null;
  /** Null: failures are not shrunk. */
  readonly shrink: ShrinkBounds | null;
  readonly json: boolean;
  readonly junit: string | undefined;
  readonly report: string | undefined;
  /** What its page shows besides. */
  readonly searches: Searches;
}

export const FAILURES_PER_SCENARIO = 5;
/** How long the event loop may stay without a turn: a Ctrl-C is seen within it. */
const TURN_EVERY_MS = 50;

export class SimSession {
  readonly #io: Io;
  readonly #plan: SimPlan;
  readonly #progress: Progress;
  readonly #records: FailureRecord[] = [];
  /** The first failure of each scenario, and its place among the records. */
  readonly #first = new Map<string, { readonly failure: Failure; readonly place: number }>();
  readonly #startMs: number;
  #turnedMs: number;
  #ended: "done" | "time" | "interrupted" = "done";

  constructor(io: Io, plan: SimPlan) {
    this.#io = io;
    this.#plan = plan;
    this.#progress = new Progress(io);
    this.#startMs = io.nowMs();
    this.#turnedMs = this.#startMs;
  }

  /** Answers the exit code. */
  async run(): Promise<number> {
    const pool = this.#pool();
    const hooks: CampaignHooks = {
      between: (tally) => this.#between(tally),
      failed: (failure) => this.#failed(failure),
    };
    const report = await campaign(this.#campaignPlan(pool), hooks).finally(() => pool?.end());
    const wallMs = this.#io.nowMs() - this.#startMs;
    this.#progress.clear();
    await this.#shrinkFailures();
    const told = this.#tell(report, wallMs);
    if (this.#ended === "interrupted") return EXIT.interrupted;
    return exitCodeOf(this.#records.map(({ kind }) => kind)) || (told ? EXIT.pass : EXIT.internal);
  }

  #pool(): RunPool | null {
    const { jobs, settings } = this.#plan;
    if (jobs === 1) return null;
    const threads = Array.from({ length: jobs }, () => this.#io.startThread(settings));
    return new RunPool(threads, runMaker(settings));
  }

  #campaignPlan(pool: RunPool | null): CampaignPlan {
    const { scenarios, firstSeed, runs, pinned, jobs, shard, settings } = this.#plan;
    return {
      scenarios,
      firstSeed,
      runs,
      pinned,
      failuresPerScenario: FAILURES_PER_SCENARIO,
      execute: pool === null ? runMaker(settings) : (scenario, seed) => pool.make(scenario, seed),
      ahead: pool === null ? 1 : jobs * RUNS_AHEAD_PER_THREAD,
      ...(shard === null ? {} : { shard }),
    };
  }

  /** Whether to go on. */
  async #between(tally: CampaignReport["tally"]): Promise<boolean> {
    const { runs, forMs, shard } = this.#plan;
    const nowMs = this.#io.nowMs();
    const passedMs = nowMs - this.#startMs;
    if (nowMs - this.#turnedMs >= TURN_EVERY_MS) {
      this.#turnedMs = nowMs;
      const byRuns = runs === null ? 0 : (tally.runs * (shard?.of ?? 1)) / runs;
      const byTime = forMs === null ? 0 : passedMs / forMs;
      this.#progress.update(tally, nowMs, Math.max(byRuns, byTime));
      await this.#io.turn();
    }
    if (this.#io.interrupted()) this.#ended = "interrupted";
    else if (forMs !== null && passedMs >= forMs) this.#ended = "time";
    return this.#ended === "done";
  }

  #failed(failure: Failure): void {
    const { settings } = this.#plan;
    const record = keepFailure(this.#io, failure, settings);
    const { name } = failure.scenario;
    if (failure.pinned === null && !this.#first.has(name)) {
      this.#first.set(name, { failure, place: this.#records.length });
    }
    this.#records.push(record);
    this.#progress.clear();
    const again = commandOf(record, settings, failure.pinned !== null);
    this.#say(`${tellFailure(this.#io, failure, record, again)}\n`);
  }

  /** Q4. */
  async #shrinkFailures(): Promise<void> {
    const { shrink: bounds, settings } = this.#plan;
    if (bounds === null || this.#ended === "interrupted") return;
    for (const { failure, place } of this.#first.values()) {
      const shrunk = await shrinkWithin(this.#io, failure, bounds, this.#progress);
      const record = this.#records[place];
      if (shrunk !== null && record !== undefined) {
        const kept = keepShrunk(this.#io, failure, shrunk, settings);
        this.#records[place] = { ...record, shrunk: kept };
        this.#say(`${tellShrunk(shrunk, kept)}\n`);
      }
      if (!this.#io.interrupted()) continue;
      this.#ended = "interrupted";
      return;
    }
  }

  /** Whether everything that was asked for could be written. */
  #tell(report: CampaignReport, wallMs: number): boolean {
    const { scenarios, settings, firstSeed, runs, shard, json } = this.#plan;
    const campaignMade = { report, scenarios, settings, firstSeed, asked: runs, shard, wallMs };
    const result = resultOf({ ...campaignMade, failures: this.#records, ended: this.#ended });
    this.#io.out(json ? `${JSON.stringify(result)}\n` : textSummary(this.#io, result));
    return this.#publish(result);
  }

  #publish(result: CampaignResult): boolean {
    const { junit, report, catalog, searches } = this.#plan;
    return publish(this.#io, result, { junit, report, catalog, searches });
  }

  #say(text: string): void {
    if (this.#plan.json) this.#io.err(text);
    else this.#io.out(text);
  }
}
