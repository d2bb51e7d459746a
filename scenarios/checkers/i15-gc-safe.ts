/**
 * I15: nothing is removed that anybody still needs.
 *
 *   V1  identities, the scheduling index and heads are never removed (B31, B48).
 *   V2  a segment of history, or a page of message ids, is removed only when every turn of its block or page was pruned,
 *       or its life ended, before the request was sent (B69, B70).
 *   V3  a blob is removed only when its tag was pruned and no entry kept it, or its life ended (B11, B47).
 *   V4  what an identity drops is all that tells of a turn from then on: its segment, its receipt and the mark of its
 *       message are there until the turn is pruned or its life ends.
 *
 * Held are the requests to remove, not only what they did: one that was lost would have done it.
 */
import type { Checker, RunHistory, StoreOperation } from "../../sim/index.ts";
import type { Change } from "./changes.ts";
import type { Facts } from "./facts.ts";
import { firstMarked, runEnd } from "./homes.ts";
import { type Life, prunedAt, tagOf } from "./lifelines.ts";
import type { HistoryObject, SegmentObject } from "./records.ts";
import { Report } from "./report.ts";

const NAME = "I15-gc-safe";

export const gcSafe: Checker<Facts> = {
  name: NAME,
  statement:
    "no identity is ever removed; a segment, a page of message ids or a blob only after its turns were pruned or its life ended; until then what an identity drops is in history with its receipt, and its message is remembered",
  blind: "what ought to have been removed and was not, which the checker of lives holds",
  check(history, facts) {
    const report = new Report(NAME);
    const lives = facts.lives;
    for (const operation of history.operations) {
      if (operation.kind !== "delete" || facts.decoder.isElsewhere(operation.key)) continue;
      report.examine();
      const wrong = removal(operation, lives, facts);
      if (wrong === null) continue;
      const { process, key, sentAtMs } = operation;
      report.add(`${process} asked to remove ${key}, ${wrong}`, key, sentAtMs);
    }
    for (const [name, changes] of facts.changes) {
      const life = lives.get(name);
      for (const change of changes)
        if (change.kind === "moved" && life !== undefined) kept(change, life, history, facts, report);
    }
    return report.finding();
  },
};

/** Why the request to remove it is wrong, or null. */
function removal(
  { key, sentAtMs }: StoreOperation,
  lives: ReadonlyMap<string, Life>,
  facts: Facts,
): string | null {
  const owner = facts.decoder.ownerOf(key);
  if (owner === null) return "which is never removed";
  const life = lives.get(owner);
  if (life === undefined) return "of a life that never was";
  if (life.ended !== null && life.ended.version.atMs <= sentAtMs) return null;
  const now = life.chain.findLast(({ version }) => version.atMs <= sentAtMs)?.value;
  if (now === undefined) return "before its life began";
  const { segment_turns, page_turns } = now.history_layout;
  const segment = /\/segments\/(\d+)\.json$/.exec(key)?.[1];
  if (segment !== undefined)
    return now.history_pruned_through >= runEnd(Number(segment), segment_turns)
      ? null
      : "of whose block a turn was not pruned";
  const blob = /\/blobs\/.*\/(\d{12}-[^/]+)\.json$/.exec(key)?.[1];
  if (blob !== undefined) {
    const reference = `blob:${blob}`;
    if (tagOf(reference) > now.history_pruned_through) return "whose tag was not pruned";
    return now.blobs[reference] === undefined ? null : "which is still named";
  }
  const page = /\/ids\/(\d+)\.json$/.exec(key)?.[1];
  if (page === undefined) return "which nobody knows";
  return now.history_pruned_through >= runEnd(Number(page), page_turns)
    ? null
    : "of whose turns one was not pruned";
}

/** V4. */
function kept(
  change: Change & { kind: "moved" },
  life: Life,
  { chains }: RunHistory,
  facts: Facts,
  report: Report,
): void {
  const { number, last_attempt } = change.turn;
  const last = life.chain.at(-1);
  if (last === undefined || life.ended !== null || prunedAt(life.chain, number) !== null) return;
  report.examine();
  const where = `${life.name}: turn ${number} was dropped and`;
  const isThere = (object: HistoryObject<unknown> | null) =>
    object !== null && chains.get(object.version.key)?.at(-1)?.body !== null;
  const segment = facts.homes.segment(life.name, number);
  if (segment === null || !isThere(segment))
    report.at(change.at.version, `${where} its segment is not there at the end`);
  else if (tokenOf(segment, number) !== last_attempt?.token)
    report.at(segment.version, `${where} its segment does not know the attempt that ended it`);
  if (number < firstMarked(last) && !isThere(facts.homes.page(life.name, number)))
    report.at(change.at.version, `${where} its message ${change.turn.message_id} is not remembered`);
}

function tokenOf({ content }: SegmentObject, number: number): string | undefined {
  return content.turns.find((turn) => turn.number === number)?.last_attempt?.token;
}
