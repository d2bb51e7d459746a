/**
 * An instance's versions side by side, for the checkers of families: what one write did to a document.
 */
import type { Turn } from "../../src/index.ts";
import type { Facts } from "./facts.ts";
import type { IdentityVersion } from "./records.ts";

/** Two versions of an identity that follow each other. */
export interface Pair {
  readonly a: IdentityVersion;
  readonly b: IdentityVersion;
}

export function pairsOf(chain: readonly IdentityVersion[]): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const [at, b] of chain.entries()) {
    const a = chain[at - 1];
    if (a !== undefined) pairs.push({ a, b });
  }
  return pairs;
}

/** The turn in this version; null: it has not come or has moved to history. */
export function turnIn(version: IdentityVersion, number: number): Turn | null {
  const { turns, history_through } = version.value;
  return turns[number - history_through - 1] ?? null;
}

/** The turn as it was at the time: a moved one as it was last. */
export function turnAt(chain: readonly IdentityVersion[], number: number, atMs: number): Turn | null {
  let found: Turn | null = null;
  for (const version of chain) {
    if (version.version.atMs > atMs) break;
    found = turnIn(version, number) ?? found;
  }
  return found;
}

export function isOver(turn: Turn): boolean {
  return turn.status === "completed" || turn.status === "cancelled" || turn.skipped;
}

/** The least and the most that the writing node's clock showed when it decided on `b`. */
export function clockOf({ a, b }: Pair, facts: Facts): readonly [leastMs: number, mostMs: number] {
  const { process, sentAtMs } = b.version.operation;
  return facts.clocks.shown(process, Math.min(a.version.atMs, sentAtMs), sentAtMs);
}
