/**
 * Whether what the callers of each instance saw can be explained by the reference model.
 *
 * One instance at a time: an instance's calls touch no other one, so a run is linearizable when each instance is.
 */
import type { RunHistory } from "../../sim/index.ts";
import { observe } from "./calls-of-instance.ts";
import type { ModelState } from "./model.ts";
import { type InstanceOperation, operationsOf } from "./operations.ts";
import { linearize } from "./search.ts";

/** Attempts to place an operation, for each instance of a run. A history without a fault needs one for each call. */
export const MOST_STEPS = 20_000;

export interface InstanceVerdict {
  readonly id: string;
  /** Operations that had to be placed. */
  readonly operations: number;
  readonly kind: "linearizable" | "undecided" | "not-linearizable";
  /** Of a history that has no order: the operations of which one had to come next. */
  readonly stuck: readonly InstanceOperation[];
}

const ABSENT: ModelState = "absent";

export function judgeInstances(history: RunHistory, mostSteps = MOST_STEPS): readonly InstanceVerdict[] {
  const verdicts: InstanceVerdict[] = [];
  const { byInstance, silentClaimsMs } = observe(history);
  for (const [id, { calls }] of byInstance) {
    const operations = operationsOf(calls, silentClaimsMs);
    const verdict = linearize(operations, ABSENT, mostSteps);
    const stuck = verdict.kind === "not-linearizable" ? named(verdict.stuck, operations) : [];
    verdicts.push({ id, operations: operations.length, kind: verdict.kind, stuck });
  }
  return verdicts;
}

function named(
  stuck: readonly unknown[],
  operations: readonly InstanceOperation[],
): readonly InstanceOperation[] {
  return operations.filter((operation) => stuck.includes(operation));
}
