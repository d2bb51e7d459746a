/**
 * How long requests to the simulated store take.
 *
 *   fast      a few milliseconds each way, evenly spread: for campaigns, where virtual time only has to order events;
 *   modelled  the median and the 99th percentile of a real store, by operation: for measurements of turns and costs.
 *
 * A draw of 0 is the shortest either way (K2).
 */
import type { StoreOperation } from "../history/history.ts";
import type { Simulation } from "../kernel/simulation.ts";
import type { Spread, StoreLatency } from "./profiles/profile.ts";

/** Largest draws of the delays, milliseconds. A draw of 0 is the shortest. */
export interface LatencyBounds {
  readonly requestMs: number;
  readonly answerMs: number;
  /** How much longer than an answer the sender waits before it gives up on one. */
  readonly silenceMs: number;
  /** How long the layer below the port waits before it sends again. */
  readonly resendMs: number;
  /** Takes the place of the two bounds of the ways. */
  readonly model?: StoreLatency;
}

export const DEFAULT_LATENCY: LatencyBounds = { requestMs: 4, answerMs: 4, silenceMs: 1000, resendMs: 100 };

/** The bounds for a store whose latency is modelled. */
export function modelled(model: StoreLatency): LatencyBounds {
  return { ...DEFAULT_LATENCY, silenceMs: 5 * model.replaceMs.p99, model };
}

const DRAWS = 1000;
const MEDIAN = 500;
const P99 = 990;

/** The whole time of a request by its model, at least 1 ms. */
export function modelledMs(model: StoreLatency, operation: StoreOperation, simulation: Simulation): number {
  return spreadAt(spreadOf(model, operation), simulation.choices.choose(DRAWS, "store-latency"));
}

/** What the model says of such a request. */
export function spreadOf(
  model: StoreLatency,
  { kind, condition }: Pick<StoreOperation, "kind" | "condition">,
): Spread {
  if (kind === "get") return model.getMs;
  if (kind === "list") return model.listMs;
  return condition?.kind === "if-match" ? model.replaceMs : model.createMs;
}

/** From half the median up to it, then in a growing curve to the 99th percentile, then up to twice that. */
export function spreadAt({ p50, p99 }: Spread, drawn: number): number {
  if (drawn <= MEDIAN) return Math.max(1, Math.trunc((p50 * (MEDIAN + drawn)) / DRAWS));
  if (drawn > P99) return p99 + Math.trunc((p99 * (drawn - P99)) / (DRAWS - P99));
  const part = drawn - MEDIAN;
  const whole = P99 - MEDIAN;
  return p50 + Math.trunc(((p99 - p50) * part * part * part) / (whole * whole * whole));
}

/** The chance of each whole number of milliseconds, from 0 on. */
export function chancesOf(spread: Spread): readonly number[] {
  const chances: number[] = [];
  for (let drawn = 0; drawn < DRAWS; drawn++) {
    const ms = spreadAt(spread, drawn);
    while (chances.length <= ms) chances.push(0);
    chances[ms] = (chances[ms] ?? 0) + 1 / DRAWS;
  }
  return chances;
}
