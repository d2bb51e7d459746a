/**
 * The wall clocks of the processes, as the incidents of the run tell them.
 *
 *   T1  a clock shows the epoch, plus virtual time and its drift, plus an offset, cut down to its tick. Incidents
 *       `skew` (`<n> ms`), `drift` (`<n> ppm`) and `tick` (`<n> ms`) set these for a process from then on.
 *   T2  what a process may have read within a stretch of virtual time is told as the least and the most that its
 *       clock showed in it, steps within the stretch included.
 */
import type { RunHistory } from "../../sim/index.ts";

interface Setting {
  readonly fromMs: number;
  readonly offsetMs: number;
  readonly driftPpm: number;
  readonly tickMs: number;
}

const MILLION = 1_000_000;
const RIGHT: Setting = { fromMs: 0, offsetMs: 0, driftPpm: 0, tickMs: 1 };

export class Clocks {
  readonly #epochMs: number;
  /** By process, oldest first. */
  readonly #settings = new Map<string, Setting[]>();

  constructor(history: RunHistory, epochMs: number) {
    this.#epochMs = epochMs;
    for (const { kind, process, atMs, detail } of history.incidents) {
      if (process === null) continue;
      if (kind === "skew") this.#set(process, atMs, { offsetMs: Number.parseInt(detail, 10) });
      if (kind === "drift") this.#set(process, atMs, { driftPpm: Number.parseInt(detail, 10) });
      if (kind === "tick") this.#set(process, atMs, { tickMs: Number.parseInt(detail, 10) });
    }
  }

  #set(process: string, fromMs: number, change: Partial<Setting>): void {
    const settings = this.#settings.get(process) ?? [RIGHT];
    settings.push({ ...(settings.at(-1) ?? RIGHT), ...change, fromMs });
    this.#settings.set(process, settings);
  }

  /** T2: the least and the most that the clock showed from one virtual time to another, both included. */
  shown(process: string, sinceMs: number, throughMs: number): readonly [leastMs: number, mostMs: number] {
    // A clock goes by whole milliseconds, also where virtual time is that of a machine and does not.
    const fromMs = Math.floor(sinceMs);
    const toMs = Math.floor(throughMs);
    let leastMs = Number.POSITIVE_INFINITY;
    let mostMs = Number.NEGATIVE_INFINITY;
    const settings = this.#settings.get(process) ?? [RIGHT];
    for (const [i, setting] of settings.entries()) {
      const untilMs = settings[i + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
      if (setting.fromMs > toMs || untilMs < fromMs) continue;
      leastMs = Math.min(leastMs, this.#wall(setting, Math.max(fromMs, setting.fromMs)));
      mostMs = Math.max(mostMs, this.#wall(setting, Math.min(toMs, untilMs)));
    }
    return [leastMs, mostMs];
  }

  /** T1. */
  #wall({ offsetMs, driftPpm, tickMs }: Setting, virtualMs: number): number {
    const exactMs = this.#epochMs + offsetMs + virtualMs + Math.trunc((virtualMs * driftPpm) / MILLION);
    return exactMs - (exactMs % tickMs);
  }
}
