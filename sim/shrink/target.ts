/**
 * What a smaller run must show to count: the same failure.
 *
 *   T1  A broken invariant is told by its name: the one that the first run put in front.
 *   T2  A crash is told by its error without numbers and names in quotes, an escape by its call, because all
 *       crashes share one name.
 *
 * Not covered: two bugs that break one invariant. A shrunk run may then show the other one.
 */
import { brokenInvariants, type Outcome } from "../runner/index.ts";

/** A failure by which runs are compared; null for an outcome that cannot be shrunk: a pass or a divergence. */
export function targetOf(outcome: Outcome): string | null {
  if (outcome.kind === "pass" || outcome.kind === "divergence") return null;
  return detailOf(outcome) ?? brokenInvariants(outcome)[0] ?? null;
}

/** Whether this outcome shows the failure. */
export function shows(outcome: Outcome, target: string): boolean {
  return detailOf(outcome) === target || brokenInvariants(outcome).includes(target);
}

function detailOf(outcome: Outcome): string | null {
  if (outcome.kind === "escape") return `escape ${outcome.call}`;
  if (outcome.kind !== "crash") return null;
  return `crash ${outcome.error.replaceAll(/"[^"]*"|'[^']*'|[0-9]+/g, "…")}`;
}
