/**
 * I13: where a turn lives. In the identity up to its move, in history from then on, in both in between; the
 * identity is the authority until it drops the turn, and history is written before that and never again.
 *
 *   M1  order is what the store applied first. Two writes of one millisecond are ordered by when they were sent: a
 *       node sends the dropping write only after history has answered, so a sound order is never misjudged.
 *   M2  a turn is in just one segment, which is whole: its turns follow each other and are of one block.
 *   M3  an object of history has one version, ever, whoever wrote it and however often (B18).
 *   M4  the message id of each moved turn that is kept has its mark, at its place: in the identity, or on a page that was
 *       written before the identity dropped it (B43, B77).
 */
import type { Checker, Version } from "../../sim/index.ts";
import type { Change } from "./changes.ts";
import type { Facts } from "./facts.ts";
import { firstMarked, MARK_CHARS, markOf, runEnd, runStart } from "./homes.ts";
import { isOver } from "./kinds.ts";
import { prunedAt } from "./lifelines.ts";
import type { HistoryObject, IdentityVersion, IdPageObject, SegmentObject } from "./records.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";

const NAME = "I13-one-home";

export const oneHome: Checker<Facts> = {
  name: NAME,
  statement:
    "a turn that the identity drops is in one segment of history by then, exactly as it finished, and its message id is remembered at its place; history is written once, right, and only for finished turns; at the end no full block and no owed reply is left to move",
  blind:
    "history that nobody wrote for a turn that the identity still holds; turns that stay although they are too long",
  check(history, facts) {
    const report = new Report(NAME);
    for (const changes of facts.changes.values())
      for (const change of changes) if (change.kind === "moved") moved(change, facts, report);
    for (const objects of facts.records.segments.values()) segmentObject(objects, facts, report);
    for (const objects of facts.records.idPages.values()) pageObject(objects, facts, report);
    for (const [id, chain] of facts.records.identities) remembered(id, chain, facts, report);
    if (history.healedAtMs !== null) leftBehind(facts, report);
    return report.finding();
  },
};

/** Whether the store applied `a` before `b`. In one millisecond, the order of sending decides. */
function precedes(a: Version, b: Version): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.operation.id < b.operation.id);
}

/** M1, and what the segment says. */
function moved(change: Change & { kind: "moved" }, facts: Facts, report: Report): void {
  report.examine();
  const { version, value } = change.at;
  const { number } = change.turn;
  const where = `${value.id}: turn ${number}`;
  const object = facts.homes.segment(value.id, number);
  if (object === null || !precedes(object.version, version))
    report.at(version, `${where} was dropped by the identity before it was in history`);
  else if (!same(turnIn(object, number), change.turn))
    report.at(object.version, `${where} is in history with other content than it finished with`);
}

/** The turn as it stands in the segment. */
function turnIn({ content }: SegmentObject, number: number) {
  return content.turns.find((turn) => turn.number === number);
}

/** M2, M3. */
function segmentObject(objects: readonly SegmentObject[], facts: Facts, report: Report): void {
  const [object] = objects;
  if (object === undefined) return;
  report.examine();
  const { version, workflowId: id, content } = object;
  const { first, turns } = content;
  const where = `${id}: the segment from turn ${first}`;
  writtenOnce(objects, turns.at(-1)?.number ?? first, where, facts, report);
  const size = sizes(id, facts)?.segment_turns ?? 1;
  if (turns.length === 0 || turns.some(({ number }, at) => number !== first + at))
    report.at(version, `${where} has turns that do not follow each other from there`);
  if (turns.some(({ number }) => number > runEnd(first, size)))
    report.at(version, `${where} goes on behind the end of its block`);
  const garbage = isGarbage(version, id, turns.at(-1)?.number ?? first, facts);
  for (const turn of turns) {
    const finished = facts.turn(id, turn.number).at(-1);
    if (finished === undefined || !isOver(finished.turn) || !precedes(finished.version, version))
      report.at(version, `${where} was written before turn ${turn.number} finished`);
    else if (!same(finished.turn, turn))
      report.at(version, `${where} has turn ${turn.number} otherwise than it finished`);
    if (!garbage && facts.homes.segment(id, turn.number)?.version.key !== version.key)
      report.at(version, `${where} has turn ${turn.number}, which is in another segment`);
  }
}

/** M3, M4. */
function pageObject(objects: readonly IdPageObject[], facts: Facts, report: Report): void {
  const [object] = objects;
  if (object === undefined) return;
  report.examine();
  const { version, workflowId: id, content } = object;
  const { first, marks } = content;
  const size = sizes(id, facts)?.page_turns ?? 1;
  const where = `${id}: the page of message ids from turn ${first}`;
  writtenOnce(objects, first + size - 1, where, facts, report);
  if (runStart(first, size) !== first || marks.length !== size * MARK_CHARS)
    report.at(version, `${where} is not that of ${size} turns`);
  for (let turn = first; turn < first + size; turn++)
    if (
      marks.slice((turn - first) * MARK_CHARS, (turn - first + 1) * MARK_CHARS) !== dueMark(id, turn, facts)
    )
      report.at(version, `${where} does not have the mark of turn ${turn} at its place`);
}

/** M3. What lands late, after its turns were pruned or its life ended, is garbage that nobody reads. */
function writtenOnce(
  objects: readonly HistoryObject<unknown>[],
  lastTurn: number,
  where: string,
  facts: Facts,
  report: Report,
): void {
  const [object] = objects;
  if (object === undefined) return;
  const { version, workflowId: id, incarnation } = object;
  const again = objects.slice(1).find((one) => !isGarbage(one.version, id, lastTurn, facts));
  if (again !== undefined) report.at(again.version, `${where} was written ${objects.length} times`);
  if (incarnation !== chainOf(id, facts)[0]?.value.incarnation)
    report.at(version, `${where} belongs to another life of the id`);
}

/** Whether nobody could read it any more when it was written. */
function isGarbage(version: Version, id: string, turn: number, facts: Facts): boolean {
  const prunedAtMs = prunedAt(chainOf(id, facts), turn);
  return (prunedAtMs !== null && prunedAtMs <= version.atMs) || facts.lives.get(id)?.ended !== null;
}

/** M4, for each version that says something else of its moved turns than the one before. */
function remembered(id: string, chain: readonly IdentityVersion[], facts: Facts, report: Report): void {
  let before = { ids: "", through: 0, first: 1 };
  for (const at of chain) {
    const { history_ids: ids, history_through: through, history_pruned_through: pruned } = at.value;
    if (ids === before.ids && through === before.through) continue;
    report.examine();
    const first = firstMarked(at);
    for (let turn = Math.max(1, first); turn <= through; turn++)
      if (
        ids.slice((turn - first) * MARK_CHARS, (turn - first + 1) * MARK_CHARS) !== dueMark(id, turn, facts)
      )
        report.at(at.version, `${id} does not have the mark of the message of turn ${turn} at its place`);
    for (let turn = Math.max(before.first, pruned + 1); turn < first; turn++) {
      const page = facts.homes.page(id, turn);
      if (page === null || !precedes(page.version, at.version))
        report.at(at.version, `${id} forgot the message of turn ${turn} before it was on a page`);
    }
    before = { ids, through, first };
  }
}

/** The mark that the message of the turn has; null: no such turn was seen. */
function dueMark(id: string, turn: number, facts: Facts): string | null {
  const message = facts.turn(id, turn)[0]?.turn.message_id;
  return message === undefined ? null : markOf(message);
}

function chainOf(id: string, facts: Facts): readonly IdentityVersion[] {
  return facts.records.identities.get(id) ?? [];
}

/** How the history of that life is cut. */
function sizes(id: string, facts: Facts) {
  return chainOf(id, facts)[0]?.value.history_layout;
}

/** Turns that were cancelled behind one that is not finished stay with it, and so does what does not fill a block. */
function leftBehind(facts: Facts, report: Report): void {
  for (const [id, chain] of facts.records.identities) {
    if (facts.lives.get(id)?.ended !== null) continue;
    const last = chain.at(-1);
    if (last === undefined) continue;
    const { turns, history_layout } = last.value;
    const open = turns.findIndex((turn) => !isOver(turn));
    for (const turn of open < 0 ? turns : turns.slice(0, open)) {
      const owed = turn.reply_to !== null && turn.continued_to === null;
      if (owed || turn.number % history_layout.segment_turns === 0)
        report.at(last.version, `${id}: turn ${turn.number} finished and never moved to history`);
    }
  }
}
