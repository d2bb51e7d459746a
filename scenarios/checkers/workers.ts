/**
 * The checkers of whoever speaks HTTP: workers, clients and servers. They run where that is spoken.
 *
 * They share no code with the client, the worker and the server: what these have to send is written here once more, from
 * the interface's description.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { concurrency } from "./i28-concurrency.ts";
import { drain } from "./i28-drain.ts";
import { honestAnswers } from "./i28-honest-answers.ts";
import { leaseWatched } from "./i28-lease-watched.ts";
import { progressTold } from "./i28-progress.ts";
import { repeats } from "./i28-repeats.ts";
import { workerReplay } from "./i28-replay.ts";
import { workerSteps } from "./i28-steps.ts";
import { turnLetGo } from "./i28-turn-let-go.ts";

export const WORKER_CHECKERS: readonly Checker<Facts>[] = [
  honestAnswers,
  turnLetGo,
  leaseWatched,
  repeats,
  concurrency,
  progressTold,
  drain,
  workerReplay,
  workerSteps,
];

/** What happens in a scenario, so that each checker has something to examine. */
export interface Scope {
  readonly stops: boolean;
  readonly reports: boolean;
}

export function workerCheckers({ stops, reports }: Scope): readonly Checker<Facts>[] {
  const idle = [...(reports ? [] : [progressTold]), ...(stops ? [] : [drain])];
  return WORKER_CHECKERS.filter((one) => !idle.includes(one));
}
