/**
 * What strikes the processes of a real run, drawn from its seed: kills, freezes, restarts, wrong clocks.
 *
 *   D1  so many of each as were asked for, at times spread over the run. A freeze outlasts the longest lease.
 *   D2  servers and workers are struck alike. Who is down at that time is passed over for the next one.
 *   D3  the clock of each life is wrong by its own offset and drift, sometimes steps, and is right once faults are over.
 */
import type { ChoiceSource } from "../../sim/index.ts";

export type DisturbanceKind = "kill" | "freeze" | "restart";

export interface Disturbance {
  readonly atMs: number;
  readonly kind: DisturbanceKind;
  /** The process to strike first, by place in the list of all. */
  readonly place: number;
  /** How long it stays frozen, or down. */
  readonly forMs: number;
}

export interface DisturbancePlan {
  readonly kills: number;
  readonly freezes: number;
  readonly restarts: number;
  /** The most that a clock is wrong, milliseconds. */
  readonly skewMs: number;
}

const DOWN_MS = 1_500;
const DRIFT_PPM = 500;

/** Rates of a run that was not told otherwise: more than 50 kills and 20 freezes in ten minutes. */
export function usualPlan(forMs: number): DisturbancePlan {
  const seconds = forMs / 1_000;
  return {
    kills: Math.max(1, Math.round(seconds / 7)),
    freezes: Math.max(seconds < 20 ? 0 : 1, Math.round(seconds / 18)),
    restarts: Math.round(seconds / 25),
    skewMs: 8_000,
  };
}

export function drawDisturbances(
  choices: ChoiceSource,
  plan: DisturbancePlan,
  processes: number,
  longestLeaseMs: number,
  fromMs: number,
  untilMs: number,
): readonly Disturbance[] {
  const drawn: Disturbance[] = [];
  const draw = (kind: DisturbanceKind, count: number, leastMs: number, mostMs: number): void => {
    const spanMs = Math.max(1, Math.round(untilMs - fromMs));
    for (let n = 0; n < count; n++)
      drawn.push({
        // D1: one in each of equal parts of the run.
        atMs: fromMs + ((n + choices.choose(1_000, "chaos-when") / 1_000) * spanMs) / count,
        kind,
        place: choices.choose(processes, "chaos-victim"),
        forMs: leastMs + choices.choose(mostMs - leastMs, "chaos-for"),
      });
  };
  draw("kill", plan.kills, 50, DOWN_MS);
  draw("freeze", plan.freezes, longestLeaseMs + 500, longestLeaseMs + 3_000);
  draw("restart", plan.restarts, 50, DOWN_MS);
  return drawn.sort((a, b) => a.atMs - b.atMs);
}

/** How wrong a clock is from a time on. */
export interface WrongClock {
  readonly fromMs: number;
  readonly offsetMs: number;
  readonly driftPpm: number;
}

/** D3: the clock of a life that begins now. */
export function drawClock(
  choices: ChoiceSource,
  skewMs: number,
  nowMs: number,
  untilMs: number,
): readonly WrongClock[] {
  if (skewMs === 0 || nowMs >= untilMs) return [{ fromMs: nowMs, offsetMs: 0, driftPpm: 0 }];
  const offset = (): number =>
    choices.choose(2, "chaos-is-skewed") === 0 ? 0 : choices.choose(2 * skewMs + 1, "chaos-skew") - skewMs;
  const driftPpm = choices.choose(2 * DRIFT_PPM + 1, "chaos-drift") - DRIFT_PPM;
  const settings = [{ fromMs: nowMs, offsetMs: offset(), driftPpm }];
  if (choices.choose(3, "chaos-steps") === 0) {
    const fromMs = nowMs + choices.choose(Math.max(1, Math.round(untilMs - nowMs)), "chaos-step-at");
    settings.push({ fromMs, offsetMs: offset(), driftPpm });
  }
  return [...settings, { fromMs: untilMs, offsetMs: 0, driftPpm: 0 }];
}
