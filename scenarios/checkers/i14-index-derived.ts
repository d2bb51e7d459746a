/**
 * I14: an entry of the scheduling index says what a committed version of the identity said, never more.
 *
 * This is what makes the index err in the declared direction only: an entry that forgets work which the identity
 * still has can only be older than that work, so the next pass of the listing repairs it. How soon it does is
 * `i14-index-converges.ts`.
 */

import type { Checker } from "../../sim/index.ts";
import type { IndexEntry } from "../../src/index.ts";
import type { Facts } from "./facts.ts";
import { type IdentityVersion, type IndexVersion, isShardOf } from "./records.ts";
import { Report } from "./report.ts";
import { entryFor, sayTheSame } from "./schedule.ts";

const NAME = "I14-index-derived";

export const indexDerived: Checker<Facts> = {
  name: NAME,
  statement:
    "each index entry is the projection of the identity version it names, which was committed before the entry was sent; it is in the shard that its id calls for; an entry never goes back to an older version and never disappears",
  blind: "index writes that were never applied",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const chain of facts.records.shards.values()) derived(chain, facts, report);
    return report.finding();
  },
};

function derived(chain: readonly IndexVersion[], facts: Facts, report: Report): void {
  let before: ReadonlyMap<string, IndexEntry> = new Map();
  for (const at of chain) {
    for (const [id, entry] of at.value) {
      if (facts.setup.damaged.includes(id)) continue;
      const was = before.get(id);
      if (was !== undefined && was.sequence === entry.sequence && sayTheSame(was, entry)) continue;
      report.examine();
      const wrong = problem(id, entry, was, at, facts);
      if (wrong !== null) report.at(at.version, wrong);
    }
    for (const id of before.keys())
      if (!at.value.has(id)) report.at(at.version, `${id} disappeared from the scheduling index`);
    before = at.value;
  }
}

function problem(
  id: string,
  entry: IndexEntry,
  was: IndexEntry | undefined,
  at: IndexVersion,
  facts: Facts,
): string | null {
  const { sentAtMs } = at.version.operation;
  if (!isShardOf(at.version.key, id)) return `${written(id, entry, at)} into another shard than its own`;
  const source = atSequence(facts.records.identities.get(id) ?? [], entry.sequence);
  if (source === null) return `${written(id, entry, at)}, which was never committed`;
  if (source.version.atMs > sentAtMs)
    return `${written(id, entry, at)} at ${sentAtMs}, before that was committed at ${source.version.atMs}`;
  const due = entryFor(source.value, entry.sequence);
  if (!sayTheSame(entry, due))
    return `${written(id, entry, at)} that says ${words(entry)}, and that version says ${words(due)}`;
  if (was !== undefined && was.sequence > entry.sequence)
    return `${written(id, entry, at)} over one from its sequence ${was.sequence}`;
  return null;
}

function written(id: string, entry: IndexEntry, { version }: IndexVersion): string {
  return `${version.operation.process} wrote an index entry for ${id} from its sequence ${entry.sequence}`;
}

function words(entry: IndexEntry): string {
  return `${entry.status}${entry.ready_at_ms === null ? "" : `, ready at ${entry.ready_at_ms}`}`;
}

function atSequence(chain: readonly IdentityVersion[], sequence: number): IdentityVersion | null {
  // Sequences rise by one, so the place is known; a chain that breaks that rule is searched.
  const guess = chain[sequence - (chain[0]?.stamp.sequence ?? 1)];
  if (guess?.stamp.sequence === sequence) return guess;
  return chain.find(({ stamp }) => stamp.sequence === sequence) ?? null;
}
