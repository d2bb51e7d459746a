/**
 * What a server or worker of a chaos run is told when it is started: plain data in a file of its own.
 */
import { existsSync, readFileSync } from "node:fs";
import type { StrikeRates } from "../../../scenarios/chaos/index.ts";
import type { ClockSetting, RunStart } from "../../adapters/run-clock.ts";

interface Order {
  readonly name: string;
  readonly incarnation: number;
  readonly run: RunStart;
  readonly clock: readonly ClockSetting[];
  /** Where its log goes. */
  readonly log: string;
  readonly seed: number;
  readonly graph: string;
  /** The file that says when faults strike; until it is there none does. */
  readonly window: string;
}

export interface NodeOrder extends Order {
  readonly store: string;
  readonly port: number;
  readonly pollMs: number;
  readonly reconcileMs: number;
  readonly rates: StrikeRates;
  /** The planted bug; null: none. */
  readonly plant: string | null;
}

export interface WorkerOrder extends Order {
  readonly nodes: readonly { readonly name: string; readonly url: string }[];
  readonly versions: readonly string[];
  readonly concurrency: number;
  /** Whether it is the simulation's own worker, and not the product's. */
  readonly byHand: boolean;
  /** Answers out of 1,000 that the product's worker does not get. */
  readonly lostAnswers: number;
  /** Where workers count what they do in the world outside. */
  readonly outside: string;
}

/** When faults strike, on the run's axis. */
export interface FaultWindow {
  readonly fromMs: number;
  readonly untilMs: number;
}

const LOOK_MS = 50;

/** Whether faults strike now: the file that says when may come later than this process. */
export function whenTold(path: string, clock: { nowMs(): number }): () => boolean {
  let window: FaultWindow | null = null;
  const look = () => {
    if (!existsSync(path)) return;
    window = JSON.parse(readFileSync(path, "utf8"));
    clearInterval(looking);
  };
  const looking = setInterval(look, LOOK_MS);
  looking.unref();
  look();
  return () => window !== null && clock.nowMs() >= window.fromMs && clock.nowMs() < window.untilMs;
}

/** The order whose file is named on the command line. */
export function readOrder<Kind extends Order>(): Kind {
  const [path = ""] = process.argv.slice(2);
  return JSON.parse(readFileSync(path, "utf8"));
}
