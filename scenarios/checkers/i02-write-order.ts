/**
 * I02: the stamps along each chain of conditionally written objects, identities and the scheduling index.
 *
 * The stamp is what an engine settles unknown outcomes by, so it has to be right in every version: a repeated write
 * id (B07, B08), a sequence that does not rise by one (B13, B23), a lineage that forgets a write (B01).
 * Also tells of every body that is not in the published format or has a wrong checksum.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import type { Stamped } from "./records.ts";
import { Report } from "./report.ts";

const NAME = "I02-write-order";
/** How many earlier write ids the format remembers. */
const LINEAGE = 8;

export const writeOrder: Checker<Facts> = {
  name: NAME,
  statement:
    "every stored body is in the format, its sequence is one more than its predecessor's, its write id is unique, and its lineage names the writes before it",
  blind: "who wrote it",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const { version, reason } of facts.records.unreadable)
      report.at(version, `version ${version.index} of ${version.key} cannot be trusted: ${reason}`);
    const writeIds = new Set<string>();
    for (const chain of facts.records.lifelines.values()) stamps(chain, writeIds, report);
    stamps(facts.records.index, writeIds, report);
    return report.finding();
  },
};

function stamps(chain: readonly Stamped<unknown>[], writeIds: Set<string>, report: Report): void {
  let before: Stamped<unknown> | null = null;
  for (const at of chain) {
    report.examine();
    const { sequence, write_id, lineage } = at.stamp;
    const where = `version ${at.version.index} of ${at.version.key}`;
    const due = before === null ? 1 : before.stamp.sequence + 1;
    if (sequence !== due) report.at(at.version, `${where} has sequence ${sequence}, not ${due}`);
    if (writeIds.has(write_id)) report.at(at.version, `${where} repeats the write id ${write_id}`);
    writeIds.add(write_id);
    const older: readonly string[] =
      before === null ? [] : [before.stamp.write_id, ...before.stamp.lineage].slice(0, LINEAGE);
    if (lineage.length !== older.length || older.some((id, i) => lineage[i] !== id))
      report.at(at.version, `${where} does not name the writes before it in its lineage`);
    before = at;
  }
}
