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
  let entry: IndexEntry | undefined;
  let truth: IndexEntry | null = null;
  let sinceMs: number | null = null;
  for (let i = 0, j = 0; ; ) {
    const atMs = Math.min(
      chain[i]?.version.atMs ?? history.endedAtMs,
      index[j]?.version.atMs ?? history.endedAtMs,
    );
    const hidden = truth !== null && hides(entry, truth);
    if (hidden && sinceMs !== null && atMs - Math.max(sinceMs, healedAtMs) > hiddenWithinMs) {
      report.add(
        `the index hid that ${id} is ${words(truth ?? undefined)} from ${Math.max(sinceMs, healedAtMs)} to ${atMs}, longer than ${hiddenWithinMs}`,
        facts.decoder.indexKey(),
        atMs,
      );
      return;
    }
    if (i >= chain.length && j >= index.length) return;
    for (let at = chain[i]; at !== undefined && at.version.atMs === atMs; at = chain[++i])
      truth = entryFor(at.value, at.stamp.sequence);
    for (let at = index[j]; at !== undefined && at.version.atMs === atMs; at = index[++j])
      entry = at.value.get(id);
    const hides_ = truth !== null && hides(entry, truth);
    if (!hides_) sinceMs = null;
    else sinceMs ??= atMs;
  }
}
