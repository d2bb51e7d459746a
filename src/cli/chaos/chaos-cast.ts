/**
 * Who takes part in a chaos run, and what each life of a server or worker is told when it begins.
 *
 *   A1  servers listen on the ports that they had before, so workers find them again.
 *   A2  every second worker is the product's and serves all versions; the others are made by hand and serve one each.
 *   A3  only servers have wrong clocks: no worker's clock decides anything but its own waits. Before the faults and after
 *       them every clock is right.
 *   A4  what a clock shows is told beforehand, as incidents: nobody has to be asked later, dead or alive.
 */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type DisturbancePlan,
  drawClock,
  type Line,
  type Pace,
  type StrikeRates,
} from "../../../scenarios/chaos/index.ts";
import type { ChoiceSource } from "../../../sim/index.ts";
import type { ClockSetting, RunStart } from "../../adapters/run-clock.ts";
import type { FaultWindow, NodeOrder, WorkerOrder } from "./chaos-orders.ts";
import type { ProcessOf } from "./chaos-processes.ts";

export interface CastSettings {
  readonly seed: number;
  readonly nodes: number;
  readonly workers: number;
  readonly forMs: number;
  readonly plan: DisturbancePlan;
  readonly rates: StrikeRates;
  readonly pace: Pace;
  /** As the servers open it. */
  readonly store: string;
  /** Where orders and logs go. */
  readonly folder: string;
  readonly graph: string;
  /** The planted bug; null: none. */
  readonly plant: string | null;
}

export const TENANT = "local";
const VERSIONS = ["v1", "v2"];
const CONCURRENCY = 2;
const POLL_MS = 500;
/** A short run sweeps more often, and has less to look on for. */
const RECONCILE_MS = { least: 1_000, most: 5_000, parts: 10 };
/** Out of 1,000, on the way from servers to the product's workers. */
const LOST_ANSWERS = 10;
const CLOCK_KINDS: ReadonlySet<string> = new Set(["skew", "drift"]);

export class ChaosCast {
  readonly servers: readonly { readonly name: string; readonly url: string; readonly port: number }[];
  readonly reconcileMs: number;
  readonly #settings: CastSettings;
  readonly #start: RunStart;
  readonly #choices: ChoiceSource;
  /** Where incidents are told. */
  readonly #lines: Line[];
  /** Null: not known yet. */
  #window: FaultWindow | null = null;

  constructor(
    settings: CastSettings,
    start: RunStart,
    ports: readonly number[],
    choices: ChoiceSource,
    lines: Line[],
  ) {
    this.#settings = settings;
    this.#start = start;
    this.#choices = choices;
    this.#lines = lines;
    this.servers = ports.map((port, n) => ({
      name: `node-${n + 1}`,
      url: `http://127.0.0.1:${port}`,
      port,
    }));
    const { least, most, parts } = RECONCILE_MS;
    this.reconcileMs = Math.min(most, Math.max(least, Math.round(settings.forMs / parts)));
    for (const name of ["logs", "orders", "outside"])
      mkdirSync(join(settings.folder, name), { recursive: true });
  }

  processes(nowMs: () => number): readonly ProcessOf[] {
    const servers = this.servers.map(({ name, port }) => ({
      name,
      entry: "chaos-node",
      order: (incarnation: number) => this.#serverOrder(name, incarnation, port, nowMs()),
    }));
    const workers = Array.from({ length: this.#settings.workers }, (_, n) => ({
      name: `worker-${n + 1}`,
      entry: "chaos-worker",
      order: (incarnation: number) => this.#workerOrder(n, incarnation),
    }));
    return [...servers, ...workers];
  }

  /** From then on faults strike; servers and workers look for the file. */
  strikeIn(window: FaultWindow): void {
    this.#window = window;
    writeFileSync(`${this.#windowFile}.unfinished`, JSON.stringify(window));
    renameSync(`${this.#windowFile}.unfinished`, this.#windowFile);
  }

  get #windowFile(): string {
    return join(this.#settings.folder, "window.json");
  }

  #serverOrder(name: string, incarnation: number, port: number, nowMs: number): string {
    const { store, rates, plant } = this.#settings;
    const order: NodeOrder = {
      ...this.#common(name, incarnation),
      clock: this.#clockOf(name, nowMs),
      store,
      port,
      pollMs: POLL_MS,
      reconcileMs: this.reconcileMs,
      rates,
      plant,
    };
    return this.#written(order);
  }

  /** A2. */
  #workerOrder(n: number, incarnation: number): string {
    const byHand = n % 2 === 1;
    const one = VERSIONS.slice(((n - 1) / 2) % VERSIONS.length).slice(0, 1);
    const order: WorkerOrder = {
      ...this.#common(`worker-${n + 1}`, incarnation),
      clock: [],
      nodes: this.servers,
      byHand,
      versions: byHand ? one : VERSIONS,
      concurrency: CONCURRENCY,
      lostAnswers: LOST_ANSWERS,
      outside: join(this.#settings.folder, "outside"),
    };
    return this.#written(order);
  }

  #common(name: string, incarnation: number) {
    const { folder, seed, graph } = this.#settings;
    const log = join(folder, "logs", `${name}.${incarnation}.jsonl`);
    return { name, incarnation, run: this.#start, log, seed, graph, window: this.#windowFile };
  }

  #written(order: NodeOrder | WorkerOrder): string {
    const path = join(this.#settings.folder, "orders", `${order.name}.${order.incarnation}.json`);
    writeFileSync(path, JSON.stringify(order));
    return path;
  }

  /** A3, A4: the clock of a life that begins now; what was to come of the one before does not come any more. */
  #clockOf(name: string, nowMs: number): readonly ClockSetting[] {
    for (let at = this.#lines.length - 1; at >= 0; at--) {
      const line = this.#lines[at];
      if (line?.e !== "incident" || line.process !== name || line.at <= nowMs) continue;
      if (CLOCK_KINDS.has(line.kind)) this.#lines.splice(at, 1);
    }
    const { skewMs } = this.#settings.plan;
    const clock = drawClock(
      this.#choices,
      this.#window === null ? 0 : skewMs,
      nowMs,
      this.#window?.untilMs ?? 0,
    );
    for (const { fromMs, offsetMs, driftPpm } of clock) {
      this.#tell(fromMs, "skew", name, `${offsetMs} ms`);
      this.#tell(fromMs, "drift", name, `${driftPpm} ppm`);
    }
    return clock;
  }

  #tell(at: number, kind: string, process: string, detail: string): void {
    this.#lines.push({ e: "incident", at, kind, process, detail });
  }
}
