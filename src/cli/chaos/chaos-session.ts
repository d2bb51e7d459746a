/**
 * One chaos run from its beginning to its verdict: start, strike, heal, wait, look, judge.
 *
 *   S1  faults strike until `untilMs` of the run; then everything is healed and everything asked for has to get done.
 *   S2  after that nothing strikes for two passes of the listing, so that the scheduling index has its time.
 *   S3  the objects are read when all processes have ended: nothing writes any more.
 *   S4  whatever throws, the processes are ended.
 *   S5  the seed draws what is asked and what strikes; the machine decides the order, so a run does not come back.
 *
 * Does not own how processes are started (`chaos-processes.ts`), what each is told (`chaos-cast.ts`), nor how logs become
 * a history (`scenarios/chaos`). The senders, people and readers run here: they are the environment and never killed.
 */
import {
  type Callers,
  chaosWorkload,
  drawDisturbances,
  everyObject,
  HttpEngine,
  LATE_MS,
  type Line,
  type ProcessLog,
  startCallers,
  Unfinished,
  type Workload,
} from "../../../scenarios/chaos/index.ts";
import { SeedSource } from "../../../sim/index.ts";
import { NetworkHttp } from "../../adapters/http-client.ts";
import { RunClock, type RunStart, startOfRun } from "../../adapters/run-clock.ts";
import { SYSTEM_IDS } from "../../adapters/system-ports.ts";
import type { ObjectStore } from "../../ports/index.ts";
import { type CastSettings, ChaosCast, TENANT } from "./chaos-cast.ts";
import { type ChaosCounts, ChaosProcesses } from "./chaos-processes.ts";
import { judge, keepEnd, type Verdict } from "./chaos-verdict.ts";
import { freePorts } from "./free-ports.ts";

export interface ChaosSettings extends CastSettings {
  /** The same store for this process, past every fault. */
  readonly behind: ObjectStore;
  /** Bound on the time until everything is done once the faults are over. */
  readonly settleMs: number;
}

export interface ChaosResult extends Verdict {
  /** Null: the run is judged again, and nobody counted. */
  readonly counts: ChaosCounts | null;
  /** What was not done in time. */
  readonly waiting: readonly string[];
  /** What failed of the code under test, in words. */
  readonly failures: readonly string[];
}

/** What a run tells while it goes on. */
export interface ChaosProgress {
  tell(text: string): void;
  interrupted(): boolean;
  /** Whether faults strike from now on. */
  striking(on: boolean): void;
}

const START_MS = 120_000;
const STOP_MS = 15_000;
const LOOK_MS = 500;
const TELL_MS = 5_000;
const SLACK_MS = 2_000;
/** Two passes of the listing on a machine that is busy with all of this. */
const PASSES_MS = 20_000;

export class ChaosInterrupted extends Error {}

export async function chaosRun(settings: ChaosSettings, progress: ChaosProgress): Promise<ChaosResult> {
  const session = new ChaosSession(settings, progress, await freePorts(settings.nodes));
  try {
    return await session.run();
  } finally {
    await session.end();
  }
}

class ChaosSession {
  readonly #settings: ChaosSettings;
  readonly #progress: ChaosProgress;
  readonly #start: RunStart = startOfRun();
  readonly #clock = new RunClock(this.#start, [], true);
  readonly #choices: SeedSource;
  readonly #lines: Line[] = [];
  readonly #own: ProcessLog[] = [];
  readonly #cast: ChaosCast;
  readonly #processes: ChaosProcesses;
  #callers: Callers | null = null;

  constructor(settings: ChaosSettings, progress: ChaosProgress, ports: readonly number[]) {
    this.#settings = settings;
    this.#progress = progress;
    this.#choices = new SeedSource(settings.seed);
    const log = { nowMs: () => this.#clock.nowMs(), write: (line: Line) => void this.#lines.push(line) };
    this.#own.push({ process: "chaos", incarnation: 1, lines: this.#lines, unreadable: [] });
    this.#cast = new ChaosCast(settings, this.#start, ports, this.#choices, this.#lines);
    this.#processes = new ChaosProcesses(
      log,
      this.#cast.processes(() => this.#clock.nowMs()),
    );
  }

  async run(): Promise<ChaosResult> {
    const { forMs, behind, graph, folder } = this.#settings;
    this.#processes.startAll();
    if (!(await this.#processes.allUp(START_MS, () => this.#goOn()))) throw new Error(this.#whyNotUp());
    const workload = chaosWorkload(this.#choices, forMs, this.#settings.pace);
    const space = { tenant: TENANT, graph, epoch: "1" };
    const callers = this.#call(workload);
    this.#callers = callers;
    await this.#strike();
    const healedAtMs = this.#clock.nowMs() + LATE_MS;
    this.#progress.striking(false);
    this.#processes.heal();
    const waiting = await this.#settle(new Unfinished(behind, space, workload), callers);
    this.#progress.tell("looking on for two passes of the listing");
    await this.#clock.sleep(2 * this.#cast.reconcileMs + SLACK_MS + LATE_MS);
    callers.end();
    await this.#processes.stop("worker-", STOP_MS);
    await this.#processes.stop("node-", STOP_MS);
    const failures = [...this.#processes.failures, ...this.#crashes];
    await this.#processes.end();
    const endedAtMs = this.#clock.nowMs();
    const prefix = `tenants/${TENANT}/graphs/${graph}/`;
    const objects = (await everyObject(behind)).filter(({ key }) => key.startsWith(prefix));
    this.#progress.tell("checking");
    const { epochMs } = this.#start;
    const hiddenWithinMs = this.#cast.reconcileMs + PASSES_MS;
    const end = { space, workload, epochMs, hiddenWithinMs, healedAtMs, endedAtMs, objects };
    keepEnd(folder, end, this.#own);
    const verdict = judge(folder);
    const { counts } = this.#processes;
    return { ...verdict, counts, waiting, failures };
  }

  #whyNotUp(): string {
    const { failures } = this.#processes;
    return `the servers and workers did not come up: ${failures.join("; ") || `within ${START_MS} ms`}`;
  }

  readonly #crashes: string[] = [];

  /** The environment begins to ask. */
  #call(workload: Workload): Callers {
    const engines = this.#cast.servers.map(
      ({ name, url }) => [name, new HttpEngine(new NetworkHttp(url), this.#settings.graph)] as const,
    );
    const ports = {
      choices: new SeedSource(this.#settings.seed + 1),
      clock: this.#clock,
      ids: SYSTEM_IDS,
      logOf: (process: string, incarnation: number) => this.#logOf(process, incarnation),
      crashed: (process: string, error: unknown) => void this.#crashes.push(`${process}: ${String(error)}`),
    };
    return startCallers(workload, engines, ports, this.#clock.nowMs());
  }

  #logOf(process: string, incarnation: number) {
    const lines: Line[] = [];
    this.#own.push({ process, incarnation, lines, unreadable: [] });
    return { nowMs: () => this.#clock.nowMs(), write: (line: Line) => void lines.push(line) };
  }

  /** S1. */
  async #strike(): Promise<void> {
    const { plan, forMs, nodes, workers, pace } = this.#settings;
    const fromMs = this.#clock.nowMs();
    const untilMs = fromMs + forMs;
    this.#cast.strikeIn({ fromMs, untilMs });
    this.#progress.striking(true);
    const strikes = [
      ...drawDisturbances(this.#choices, plan, nodes + workers, Math.max(...pace.leasesMs), fromMs, untilMs),
    ];
    let toldMs = fromMs;
    while (this.#clock.nowMs() < untilMs) {
      this.#goOn();
      const nowMs = this.#clock.nowMs();
      const [next] = strikes;
      if (next !== undefined && next.atMs <= nowMs) {
        strikes.shift();
        this.#processes.strike(next.kind, next.place, next.forMs);
      } else await this.#clock.sleep(Math.min(200, (next?.atMs ?? untilMs) - nowMs, untilMs - nowMs));
      if (nowMs - toldMs < TELL_MS) continue;
      toldMs = nowMs;
      const { kills, deaths, freezes } = this.#processes.counts;
      const left = Math.max(0, Math.round((untilMs - nowMs) / 1_000));
      this.#progress.tell(`${left} s of faults left, ${kills + deaths} kills and ${freezes} freezes so far`);
    }
  }

  /** Throws when there is no use in going on. */
  #goOn(): void {
    if (this.#progress.interrupted()) throw new ChaosInterrupted();
    const [failure] = this.#processes.failures;
    if (failure?.startsWith("the warden")) throw new Error(failure);
  }

  /** Waits until everything is done, or the time is over; answers what is not. */
  async #settle(unfinished: Unfinished, callers: Callers): Promise<readonly string[]> {
    const untilMs = this.#clock.nowMs() + this.#settings.settleMs;
    for (let toldMs = 0; ; ) {
      this.#goOn();
      const waiting = [...(await unfinished.look())];
      if (callers.unsent > 0) waiting.push(`${callers.unsent} sends have not been answered`);
      const nowMs = this.#clock.nowMs();
      if (waiting.length === 0 || nowMs > untilMs || this.#crashes.length > 0) return waiting;
      if (nowMs - toldMs > TELL_MS) {
        toldMs = nowMs;
        this.#progress.tell(`faults are over; ${waiting.length} still to be done, such as ${waiting[0]}`);
      }
      await this.#clock.sleep(LOOK_MS);
    }
  }

  /** S4. */
  async end(): Promise<void> {
    // Before the clock: whoever still waits is not to go on.
    this.#callers?.end();
    await this.#processes.end();
    this.#clock.stop();
  }
}
