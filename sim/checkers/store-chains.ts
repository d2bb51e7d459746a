/**
 * I23: each key's chain of versions obeys the conditions of the writes that made it, and reads see it.
 *
 * Holds the harness as much as a system: whether writes are compared and set in one step is what everything else
 * is proved from. A read is judged at the moment it was served; of two versions of one millisecond it may have seen
 * either.
 *
 * Under a store profile that ignores conditions this checker must find violations: that shows that the profile is
 * on, not that the system under test is wrong.
 */
import type { RunHistory, StoreOperation, Version } from "../history/history.ts";
import type { Checker, Finding, Violation } from "./checker.ts";

const NAME = "I23-store-chains";

export const storeChains: Checker<unknown> = {
  name: NAME,
  statement:
    "a conditional write extends exactly the version that it names, a create only an absent key, time never goes back along a chain, and a read answers the version that was current when it was served",
  blind: "deletes, whose conditions a store may ignore, and listings, which are hints",
  check(history): Finding {
    const violations: Violation[] = [];
    let examined = 0;
    for (const chain of history.chains.values()) {
      let before: Version | null = null;
      for (const version of chain) {
        examined++;
        const wrong = misplaced(before, version);
        if (wrong !== null) violations.push(violation(version, wrong));
        before = version;
      }
    }
    for (const operation of history.operations) {
      if (operation.kind !== "get" || operation.outcome?.kind !== "ok") continue;
      examined++;
      const wrong = misread(operation, history);
      if (wrong !== null)
        violations.push({ invariant: NAME, message: wrong, key: operation.key, atMs: operation.appliedAtMs });
    }
    return { examined, violations };
  },
};

function misplaced(before: Version | null, version: Version): string | null {
  if (version.index !== (before === null ? 0 : before.index + 1))
    return "stands at a wrong place in its chain";
  if (before !== null && version.atMs < before.atMs) return "is older than its predecessor";
  const { kind, condition } = version.operation;
  if (kind !== "put") return null;
  const present = before !== null && before.body !== null;
  if (condition?.kind === "if-absent" && present) return "was created over an object that was there";
  if (condition?.kind === "if-match" && !(present && before.etag === condition.etag))
    return "was written over a version that its condition did not name";
  return null;
}

function misread(operation: StoreOperation, history: RunHistory): string | null {
  const { outcome, version: index, key, appliedAtMs } = operation;
  if (outcome?.kind !== "ok" || !("body" in outcome) || index === null || appliedAtMs === null) return null;
  const chain = history.chains.get(key) ?? [];
  const read = chain[index];
  const next = chain[index + 1];
  if (read === undefined || read.body !== outcome.body || read.etag !== outcome.etag)
    return `${named(operation)} answered something that was never stored`;
  if (read.atMs > appliedAtMs || (next !== undefined && next.atMs < appliedAtMs))
    return `${named(operation)} answered version ${index}, which was not current at ${appliedAtMs}`;
  return null;
}

function named({ id, process, key }: StoreOperation): string {
  return `read ${id} of ${process} of ${key}`;
}

function violation(version: Version, what: string): Violation {
  const message = `version ${version.index} of ${version.key}, by ${version.operation.process}, ${what}`;
  return { invariant: NAME, message, key: version.key, atMs: version.atMs };
}
