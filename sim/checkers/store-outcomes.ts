/**
 * I01 for the store itself: what senders were told of their writes is what happened to them.
 *
 * Holds the simulated store and its faults, not the system under test: a store that lied would make every other
 * finding worthless.
 */
import type { RunHistory, StoreOperation, Version } from "../history/history.ts";
import type { Checker, Finding, Violation } from "./checker.ts";

const NAME = "I01-store-outcomes";

export const storeOutcomes: Checker<unknown> = {
  name: NAME,
  statement:
    "a write that was answered ok is in its key's chain exactly once, and one that was refused on its only send never is",
  blind:
    "writes without an answer, throttled ones and those that a layer sent again: they may be there or not",
  check(history): Finding {
    const violations: Violation[] = [];
    const applied = versionsByOperation(history, violations);
    let examined = 0;
    for (const operation of history.operations) {
      if (operation.kind !== "put" || operation.outcome === null) continue;
      examined++;
      const wrong = problem(operation, applied.get(operation));
      if (wrong !== null) violations.push(violation(operation, wrong));
    }
    return { examined, violations };
  },
};

/** The version that each operation made, the last one of two; an operation that may not make two is a violation. */
function versionsByOperation(history: RunHistory, violations: Violation[]): Map<StoreOperation, Version> {
  const applied = new Map<StoreOperation, Version>();
  for (const chain of history.chains.values())
    for (const version of chain) {
      const { operation } = version;
      if (applied.has(operation) && !mayRepeat(operation, chain[version.index - 1]))
        violations.push(violation(operation, "was applied twice"));
      applied.set(operation, version);
    }
  return applied;
}

/** Whether the condition of a layer's second send held again, over what the key was just before it. */
function mayRepeat({ condition, faults }: StoreOperation, before: Version | undefined): boolean {
  if (!faults.includes("F04-hidden-retry")) return false;
  if (condition?.kind === "none") return true;
  return condition?.kind === "if-absent" && before?.body === null;
}

function problem(operation: StoreOperation, version: Version | undefined): string | null {
  switch (operation.outcome?.kind) {
    case "ok":
      if (version === undefined) return "was answered ok and was never applied";
      if (version.key !== operation.key || version.body !== operation.body)
        return "was answered ok and something else was applied";
      return null;
    case "precondition-failed":
    case "not-found":
    case "conflict":
      if (version === undefined || operation.faults.includes("F04-hidden-retry")) return null;
      return `was answered ${operation.outcome.kind} and was applied as version ${version.index}`;
    default:
      return null;
  }
}

function violation(operation: StoreOperation, what: string): Violation {
  const { id, process, key, sentAtMs } = operation;
  return { invariant: NAME, message: `write ${id} of ${process} to ${key} ${what}`, key, atMs: sentAtMs };
}
