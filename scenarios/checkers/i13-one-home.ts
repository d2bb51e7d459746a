/**
 * I13: where a turn lives. In the identity up to its move, in history from then on, in both in between; the
 * identity is the authority until it drops the turn, and history is written before that and never again.
 *
 *   M1  order is what the store applied first. Two writes of one millisecond are ordered by when they were sent: a
 *       node sends the dropping write only after history has answered, so a sound order is never misjudged.
 *   M2  a turn and its message-ID entry are two objects, and each has to be there before the drop (B43, B77).
 *   M3  an object of history has one version, ever, whoever wrote it and however often (B18). A record of the
 *       message-ID index is replaced only when its turn is pruned, by that of a later turn.
 */
import type { Checker, Version } from "../../sim/index.ts";
import type { Change } from "./changes.ts";
import type { Facts } from "./facts.ts";
import { isOver } from "./kinds.ts";
import { generationOf, prunedAt } from "./lifelines.ts";
import type { IdentityVersion, MessageObject, TurnObject } from "./records.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";

const NAME = "I13-one-home";

export const oneHome: Checker<Facts> = {
  name: NAME,
  statement:
    "a turn that the identity drops is in history by then with its message-ID entry, exactly as it finished; history is written once, right, and only for finished turns; at the end no finished turn is left to move",
  blind: "history that nobody wrote for a turn that the identity still holds",
  check(history, facts) {
    const report = new Report(NAME);
    for (const changes of facts.changes.values())
      for (const change of changes) if (change.kind === "moved") moved(change, facts, report);
    for (const objects of facts.records.turns.values()) turnObject(objects, facts, report);
    for (const objects of facts.records.messages.values()) messageObject(objects, facts, report);
    if (history.healedAtMs !== null) leftBehind(facts, report);
    return report.finding();
  },
};

/** Whether the store applied `a` before `b`. In one millisecond, the order of sending decides. */
function precedes(a: Version, b: Version): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.operation.id < b.operation.id);
}

function moved(change: Change & { kind: "moved" }, facts: Facts, report: Report): void {
  report.examine();
  const { version, value } = change.at;
  const { number, message_id } = change.turn;
  const where = `${value.id}: turn ${number}`;
  const object = facts.records.turns.get(facts.decoder.turnKey(value.id, number))?.[0];
  if (object === undefined || !precedes(object.version, version))
    report.at(version, `${where} was dropped by the identity before it was in history`);
  else if (!same(object.content.turn, change.turn))
    report.at(object.version, `${where} is in history with other content than it finished with`);
  const recordKey = facts.decoder.messageKey(
    value.id,
    message_id,
    generationOf(change.before?.value ?? value, number),
  );
  const entry = facts.records.messages.get(recordKey)?.find(({ content }) => content.turn === number);
  if (entry === undefined || !precedes(entry.version, version))
    report.at(version, `${where} was dropped before the message-ID index named it`);
}

function turnObject(objects: readonly TurnObject[], facts: Facts, report: Report): void {
  const [object] = objects;
  if (object === undefined) return;
  report.examine();
  const { version, workflowId, incarnation, content } = object;
  const where = `${workflowId}: turn ${content.number} in history`;
  const kept = prunedAt(chainOf(workflowId, facts), content.number) === null;
  if (objects.length > 1 && kept && facts.lives.get(workflowId)?.ended === null)
    report.at(version, `${where} was written ${objects.length} times`);
  if (version.key !== facts.decoder.turnKey(workflowId, content.number))
    report.at(version, `${where} stands under the key of another turn`);
  if (incarnation !== incarnationOf(workflowId, facts))
    report.at(version, `${where} belongs to another life of the id`);
  const finished = facts.turn(workflowId, content.number).at(-1);
  if (finished === undefined || !precedes(finished.version, version))
    report.at(version, `${where} was written before the turn finished`);
  else if (!same(finished.turn, content.turn)) report.at(version, `${where} differs from how it finished`);
}

function messageObject(objects: readonly MessageObject[], facts: Facts, report: Report): void {
  let before: number | null = null;
  for (const { version, workflowId, incarnation, content } of objects) {
    report.examine();
    // What lands late, after its turn was pruned or its life ended, is garbage that nobody reads.
    if (content.turn === before && isGarbage(version, workflowId, before, facts)) continue;
    const where = `${workflowId}: message ${content.messageId} in the message-ID index`;
    if (before !== null && content.turn <= before)
      report.at(version, `${where} names turn ${content.turn} after turn ${before}`);
    const prunedAtMs = before === null ? null : prunedAt(chainOf(workflowId, facts), before);
    if (before !== null && (prunedAtMs === null || prunedAtMs > version.atMs))
      report.at(version, `${where} was written again while turn ${before} was kept`);
    before = content.turn;
    const generation = Number(/\/messages\/g(\d+)\//.exec(version.key)?.[1] ?? 0);
    if (version.key !== facts.decoder.messageKey(workflowId, content.messageId, generation))
      report.at(version, `${where} stands under the key of another message`);
    if (incarnation !== incarnationOf(workflowId, facts))
      report.at(version, `${where} belongs to another life of the id`);
    if (facts.turn(workflowId, content.turn)[0]?.turn.message_id !== content.messageId)
      report.at(version, `${where} points to turn ${content.turn}, which is not its turn`);
  }
}

function isGarbage(version: Version, id: string, turn: number, facts: Facts): boolean {
  const prunedAtMs = prunedAt(chainOf(id, facts), turn);
  return (prunedAtMs !== null && prunedAtMs <= version.atMs) || facts.lives.get(id)?.ended !== null;
}

function chainOf(id: string, facts: Facts): readonly IdentityVersion[] {
  return facts.records.identities.get(id) ?? [];
}

function incarnationOf(id: string, facts: Facts): string | undefined {
  return facts.records.identities.get(id)?.[0]?.value.incarnation;
}

function leftBehind(facts: Facts, report: Report): void {
  for (const [id, chain] of facts.records.identities) {
    if (facts.lives.get(id)?.ended !== null) continue;
    const last = chain.at(-1);
    // A turn that was cancelled behind one that is not finished stays with it.
    const [turn] = last?.value.turns ?? [];
    if (last !== undefined && turn !== undefined && isOver(turn))
      report.at(last.version, `${id}: turn ${turn.number} finished and never moved to history`);
  }
}
