/**
 * The figures of many runs, added up.
 *
 *   T1  The combined fingerprint is the sum of a hash of each run's fingerprint, so two campaigns with the same runs
 *       have the same one, and the fingerprints of the parts of a campaign add up to that of the whole.
 */
import { RollingHash } from "../../src/std/hash.ts";
import { FAULT_KINDS, type FaultKind } from "../history/history.ts";
import type { MadeRun } from "./campaign-plan.ts";
import type { PointCounts } from "./fault-points.ts";

/** The figures of one scenario. */
export interface ScenarioTally {
  readonly runs: number;
  readonly failures: number;
}

export class Tally {
  runs = 0;
  storeOps = 0;
  events = 0;
  virtualMs = 0;
  failures = 0;
  readonly #profiles = new Map<string, number>();
  readonly #faults = new Map<FaultKind, number>();
  readonly #checks = new Map<string, number>();
  readonly #points = new Map<string, number>();
  readonly #scenarios = new Map<string, ScenarioTally>();
  #fingerprint = ZERO_FINGERPRINT;

  add(result: MadeRun): void {
    const { stats } = result;
    this.runs++;
    this.storeOps += stats.storeOps;
    this.events += stats.events;
    this.virtualMs += stats.virtualMs;
    const failed = result.outcome.kind === "pass" ? 0 : 1;
    this.failures += failed;
    const { runs, failures } = this.#scenarios.get(result.scenario) ?? { runs: 0, failures: 0 };
    this.#scenarios.set(result.scenario, { runs: runs + 1, failures: failures + failed });
    this.#profiles.set(stats.profile, (this.#profiles.get(stats.profile) ?? 0) + 1);
    for (const [kind, n] of stats.faults) this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + n);
    for (const [name, n] of stats.checks) this.#checks.set(name, (this.#checks.get(name) ?? 0) + n);
    if (result.points !== undefined)
      for (const [point, n] of result.points) this.#points.set(point, (this.#points.get(point) ?? 0) + n);
    this.#fingerprint = addFingerprints(this.#fingerprint, hashed(result.fingerprint));
  }

  /** By the scenario's name, in the order in which they were first run. */
  get scenarios(): ReadonlyMap<string, ScenarioTally> {
    return this.#scenarios;
  }

  /** Runs over each store profile, by its name in ascending order. */
  get profiles(): ReadonlyMap<string, number> {
    return ascending(this.#profiles);
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
    return ascending(this.#checks);
  }

  /** Requests by their sort, and how often each kind of fault met them; empty when the runs do not tell. */
  get points(): PointCounts {
    return ascending(this.#points);
  }

  /** 16 hex digits. */
  get fingerprint(): string {
    return this.#fingerprint;
  }
}

function ascending(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const ZERO_FINGERPRINT = "0".repeat(16);

/** T1: the fingerprint of two campaigns together. */
export function addFingerprints(a: string, b: string): string {
  return lane(a, b, 0) + lane(a, b, 8);
}

function lane(a: string, b: string, at: number): string {
  const sum = Number.parseInt(a.slice(at, at + 8), 16) + Number.parseInt(b.slice(at, at + 8), 16);
  return (sum % 0x1_0000_0000).toString(16).padStart(8, "0");
}

function hashed(fingerprint: string): string {
  const hash = new RollingHash();
  hash.add(Number.parseInt(fingerprint.slice(0, 8), 16));
  hash.add(Number.parseInt(fingerprint.slice(8), 16));
  return hash.digest();
}
