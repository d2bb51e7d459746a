/**
 * The wall clocks of the processes, as the incidents of the run tell them.
 *
 * A clock is virtual time plus the epoch plus an offset that changes at `skew` incidents; their detail is the new
 * offset as `<number> ms`. Drift is not told yet.
 */
import type { RunHistory } from "../../sim/index.ts";

interface Setting {
  readonly fromMs: number;
  readonly offsetMs: number;
}

export class Clocks {
  readonly #epochMs: number;
  readonly #settings = new Map<string, Setting[]>();

  constructor(history: RunHistory, epochMs: number) {
    this.#epochMs = epochMs;
    for (const { kind, process, atMs, detail } of history.incidents) {
      if (kind !== "skew" || process === null) continue;
      const setting = { fromMs: atMs, offsetMs: Number.parseInt(detail, 10) };
      const settings = this.#settings.get(process);
      if (settings === undefined) this.#settings.set(process, [setting]);
      else settings.push(setting);
    }
  }

  /** What the clock of a process showed at a virtual time, had it been set then as it was at `setAsAtMs`. */
  wallMs(process: string, virtualMs: number, setAsAtMs: number = virtualMs): number {
    let offsetMs = 0;
    for (const setting of this.#settings.get(process) ?? [])
      if (setting.fromMs <= setAsAtMs) offsetMs = setting.offsetMs;
    return this.#epochMs + virtualMs + offsetMs;
  }
}
