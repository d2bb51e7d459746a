/**
 * I02: the stamps along each chain of conditionally written objects, identities and the scheduling index.
 *
 * The stamp is what an engine settles unknown outcomes by, so it has to be right in every version: a repeated write
 * id (B07, B08), a sequence that does not rise by one for each command (B13, B23), a lineage that forgets a write (B01).
 * One write is one command, or the messages and signals of several senders, each of which has a sequence of its own.
 * Also tells of every body that is not in the published format or has a wrong checksum.
 */
import type { Checker } from "../../sim/index.ts";
import type { WriteStamp } from "../../src/index.ts";
import type { Facts } from "./facts.ts";
import type { Stamped } from "./records.ts";
import { Report } from "./report.ts";

const NAME = "I02-write-order";
/** How many earlier write ids the format remembers. */
const LINEAGE = 8;

export const writeOrder: Checker<Facts> = {
  name: NAME,
  statement:
    "every stored body is in the format, its sequence is one more than its predecessor's, or as many as senders were heard in the write, its write id is unique, and its lineage names the writes before it",
  blind: "who wrote it",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const { version, reason } of facts.records.unreadable)
      report.at(version, `version ${version.index} of ${version.key} cannot be trusted: ${reason}`);
    const writeIds = new Set<string>();
    const heard = sendersHeard(facts);
    sequencesApart(facts, report);
    for (const chain of facts.records.lifelines.values()) stamps(chain, heard, writeIds, report);
    for (const chain of facts.records.shards.values()) stamps(chain, heard, writeIds, report);
    return report.finding();
  },
};

/** By version of an identity: the messages and signals that came with it. What was deferred comes with a claim. */
function sendersHeard(facts: Facts): ReadonlyMap<unknown, number> {
  const heard = new Map<unknown, number>();
  for (const changes of facts.changes.values())
    for (const change of changes) {
      const message = change.kind === "admitted" && change.continues === null ? change.turn.message_id : null;
      const deferred = change.before?.value.deferred.some(({ id }) => id === message) === true;
      if (change.kind !== "signalled" && (message === null || deferred)) continue;
      heard.set(change.at.version, (heard.get(change.at.version) ?? 0) + 1);
    }
  return heard;
}

/** Messages that came in one write are still told apart by the sequence of their turns. */
function sequencesApart(facts: Facts, report: Report): void {
  const taken = new Map<unknown, Set<number>>();
  for (const changes of facts.changes.values())
    for (const change of changes) {
      if (change.kind !== "admitted") continue;
      const { turn, before, at } = change;
      if (before?.value.deferred.some(({ id }) => id === turn.message_id)) continue;
      const others = taken.get(at.version) ?? new Set();
      report.examine();
      if (others.has(turn.sequence))
        wrong(at, `gives several messages the sequence ${turn.sequence}`, report);
      taken.set(at.version, others.add(turn.sequence));
    }
}

function stamps(
  chain: readonly Stamped<unknown>[],
  heard: ReadonlyMap<unknown, number>,
  writeIds: Set<string>,
  report: Report,
): void {
  let before: Stamped<unknown> | null = null;
  for (const at of chain) {
    report.examine();
    const { sequence, write_id, lineage } = at.stamp;
    const due = before === null ? 1 : before.stamp.sequence + Math.max(1, heard.get(at.version) ?? 1);
    if (sequence !== due) wrong(at, `has sequence ${sequence}, not ${due}`, report);
    if (writeIds.has(write_id)) wrong(at, `repeats the write id ${write_id}`, report);
    writeIds.add(write_id);
    if (!follows(lineage, before?.stamp ?? null))
      wrong(at, "does not name the writes before it in its lineage", report);
    before = at;
  }
}

/** Whether the lineage names the write before, and then what that one named, as far as it is kept. */
function follows(lineage: readonly string[], before: WriteStamp | null): boolean {
  if (before === null) return lineage.length === 0;
  if (lineage.length !== Math.min(before.lineage.length + 1, LINEAGE)) return false;
  return lineage.every((id, i) => id === (i === 0 ? before.write_id : before.lineage[i - 1]));
}

function wrong({ version }: Stamped<unknown>, what: string, report: Report): void {
  report.at(version, `version ${version.index} of ${version.key} ${what}`);
}
