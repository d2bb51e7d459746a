/**
 * The verdict over a real run: every checker of the simulator, over the history that its logs tell.
 *
 *   V1  all checkers run, those of the store and those of the engine; `LEFT_OUT` names what is not judged and why.
 *   V2  bounds on time are those of the simulator and as much again as a loaded machine may take: `hiddenWithinMs`.
 */
import { type Checker, type Finding, STORE_CHECKERS } from "../../sim/index.ts";
import { Facts } from "../checkers/facts.ts";
import { ENGINE_CHECKERS } from "../checkers/index.ts";
import { Decoder, type Space } from "../checkers/records.ts";
import type { Workload } from "../workloads/workload.ts";
import { type RunRecord, recorded } from "./run-history.ts";

/** Invariants that are not held over a real run, and why. */
export const LEFT_OUT: ReadonlyMap<string, string> = new Map();

export interface Judged {
  readonly space: Space;
  readonly workload: Workload;
  /** Wall time at 0 of the run's axis, of a clock that is right. */
  readonly epochMs: number;
  /** V2. */
  readonly hiddenWithinMs: number;
}

export function checkersOfChaos(): readonly Checker<never>[] {
  return [recorded, ...STORE_CHECKERS, ...ENGINE_CHECKERS].filter(({ name }) => !LEFT_OUT.has(name));
}

export function check(record: RunRecord, judged: Judged): ReadonlyMap<string, Finding> {
  const { history, effects } = record;
  const findings = new Map<string, Finding>();
  findings.set(recorded.name, recorded.check(history, record));
  for (const checker of STORE_CHECKERS) findings.set(checker.name, checker.check(history, null));
  const { space, workload, epochMs, hiddenWithinMs } = judged;
  const setup = { space, workload, effects, damaged: [], epochMs, hiddenWithinMs };
  const facts = new Facts(history, setup, new Decoder(space));
  for (const checker of ENGINE_CHECKERS)
    if (!LEFT_OUT.has(checker.name)) findings.set(checker.name, checker.check(history, facts));
  return findings;
}
