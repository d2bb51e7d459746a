/**
 * The figures of many runs, added up.
 *
 *   T1  The combined fingerprint is a hash over the runs' fingerprints in the order of the runs, so two campaigns
 *       with the same runs have the same one.
 */
import { RollingHash } from "../../src/std/hash.ts";
import { FAULT_KINDS, type FaultKind } from "../history/history.ts";
import type { RunResult } from "./outcome.ts";

export class Tally {
  runs = 0;
  storeOps = 0;
  events = 0;
  virtualMs = 0;
  failures = 0;
  readonly #profiles = new Map<string, number>();
  readonly #faults = new Map<FaultKind, number>();
  readonly #checks = new Map<string, number>();
  readonly #hash = new RollingHash();

  add(result: RunResult): void {
    const { stats } = result;
    this.runs++;
    this.storeOps += stats.storeOps;
    this.events += stats.events;
    this.virtualMs += stats.virtualMs;
    if (result.outcome.kind !== "pass") this.failures++;
    this.#profiles.set(stats.profile, (this.#profiles.get(stats.profile) ?? 0) + 1);
    for (const [kind, n] of stats.faults) this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + n);
    for (const [name, n] of stats.checks) this.#checks.set(name, (this.#checks.get(name) ?? 0) + n);
    this.#hash.add(Number.parseInt(result.fingerprint.slice(0, 8), 16));
    this.#hash.add(Number.parseInt(result.fingerprint.slice(8), 16));
  }

  /** Runs over each store profile, by its name in ascending order. */
  get profiles(): ReadonlyMap<string, number> {
    return new Map([...this.#profiles].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Faults that struck, in the order of the catalogue; a kind that was on and never struck is there with 0. */
  get faults(): ReadonlyMap<FaultKind, number> {
    const ordered = new Map<FaultKind, number>();
    for (const kind of FAULT_KINDS) {
      const n = this.#faults.get(kind);
      if (n !== undefined) ordered.set(kind, n);
    }
    return ordered;
  }

  /** Facts that each check examined, by name in ascending order. */
  get checks(): ReadonlyMap<string, number> {
    return new Map([...this.#checks].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** 16 hex digits. */
  get fingerprint(): string {
    return this.#hash.digest();
  }
}
