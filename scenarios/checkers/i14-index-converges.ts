/**
 * I14: the scheduling index finds its way back to the truth.
 *
 * Bound: once the faults are off, the index hides work that an identity has for at most one reconcile interval and
 * the time that two passes of the listing take (`hiddenWithinMs` of the run's setup). Whether the work is due
 * already does not matter: a wrong entry is repaired before it matters or not at all. An entry that promises work
 * too early hides nothing: a claim decides on the identity.
 *
 * Sees a lost wake-up that nothing repairs (B26, B33, B53, B77), also when nobody happened to need it in this run.
 */

import type { Checker, RunHistory } from "../../sim/index.ts";
import type { IndexEntry } from "../../src/index.ts";
import type { Facts } from "./facts.ts";
import type { IdentityVersion } from "./records.ts";
import { Report } from "./report.ts";
import { entryFor, hides, sayTheSame } from "./schedule.ts";

const NAME = "I14-index-converges";

export const indexConverges: Checker<Facts> = {
  name: NAME,
  statement:
    "once the faults are off the scheduling index never hides work for longer than the reconcile interval and two passes, and at the end it is the projection of all identities",
  blind: "work hidden while faults strike",
  check(history, facts) {
    const report = new Report(NAME);
    if (history.healedAtMs === null) return report.finding();
    const entries = facts.records.index.at(-1)?.value;
    for (const [id, chain] of facts.records.identities) {
      report.examine();
      hiddenTooLong(id, chain, history, history.healedAtMs, facts, report);
      const last = chain.at(-1);
      if (last === undefined) continue;
      const due = entryFor(last.value, last.stamp.sequence);
      const entry = entries?.get(id);
      if (entry === undefined || !sayTheSame(entry, due))
        report.add(
          `at the end the index says ${words(entry)} of ${id}, which is ${words(due)}`,
          facts.decoder.indexKey(),
          history.endedAtMs,
        );
    }
    return report.finding();
  },
};

function words(entry: IndexEntry | undefined): string {
  if (entry === undefined) return "nothing";
  return `${entry.status}${entry.ready_at_ms === null ? "" : `, ready at ${entry.ready_at_ms}`}`;
}

/** Walks both chains through time and measures how long the index hid work after the heal. */
function hiddenTooLong(
  id: string,
  chain: readonly IdentityVersion[],
  history: RunHistory,
  healedAtMs: number,
  facts: Facts,
  report: Report,
): void {
  const { index } = facts.records;
  const { hiddenWithinMs } = facts.setup;
  const { endedAtMs } = history;
  let entry: IndexEntry | undefined;
  let readyAtMs: number | null = null;
  /** Since when the work is hidden; null: none is. */
  let sinceMs: number | null = null;
  let i = currentAt(chain, healedAtMs);
  let j = currentAt(index, healedAtMs);
  for (let atMs = healedAtMs; ; ) {
    for (; i < chain.length && (chain[i]?.version.atMs ?? 0) <= atMs; i++) {
      const at = chain[i];
      if (at !== undefined) readyAtMs = entryFor(at.value, at.stamp.sequence).ready_at_ms;
    }
    for (; j < index.length && (index[j]?.version.atMs ?? 0) <= atMs; j++) entry = index[j]?.value.get(id);
    if (!hides(entry, readyAtMs)) sinceMs = null;
    else sinceMs ??= atMs;
    if (atMs >= endedAtMs) return;
    atMs = Math.min(chain[i]?.version.atMs ?? endedAtMs, index[j]?.version.atMs ?? endedAtMs);
    if (sinceMs === null || atMs - sinceMs <= hiddenWithinMs) continue;
    const message = `the index hid work of ${id} that is ready at ${readyAtMs} from ${sinceMs} to ${atMs}, longer than ${hiddenWithinMs}`;
    report.add(message, facts.decoder.indexKey(), atMs);
    return;
  }
}

/** The place of the version that was current at a time; 0 when there was none. */
function currentAt(chain: readonly { readonly version: { readonly atMs: number } }[], atMs: number): number {
  let at = 0;
  while (at + 1 < chain.length && (chain[at + 1]?.version.atMs ?? 0) <= atMs) at++;
  return at;
}
