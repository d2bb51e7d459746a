/**
 * I25: a life of an instance begins, ends and begins again, and none meets another.
 *
 *   V1  a tombstone lies between two lives, erased before the next begins; life numbers rise by one, incarnations differ.
 *   V2  tokens and effect ids belong to one life (I03 across lives; B32).
 *   V3  what lies beside an identity belongs to the life that its key names.
 *   V4  an ended life is noted as erased by the end of the run, and then nothing is left of what was there when it ended.
 *       What lands after the tombstone is garbage under keys that nobody reads.
 *   V5  a deletion is acknowledged as this call's own at most as often as lives ended.
 *   V6  a turn that is answered was in a life that was there at some time of the call, and not pruned: so is every
 *       acknowledged message.
 *   V7  the index entry of a life that ended does not come back once it was removed (B33).
 *
 * Source: seed 000 "Message API" (delete); catalogue B18, B31, B48, B49.
 */

import type { CallRecord, Checker, RunHistory } from "../../sim/index.ts";
import type { IndexEntry } from "../../src/index.ts";
import type { Facts } from "./facts.ts";
import { between, type Life } from "./lifelines.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

const NAME = "I25-lives";

export const lives: Checker<Facts> = {
  name: NAME,
  statement:
    "a later life of an instance begins after an erased tombstone and never meets the turns, tokens, effect ids or objects of the one before, of which nothing is left; a deletion is acknowledged to one call",
  blind: "what landed after the tombstone of its life; lists of instances",
  check(history, facts) {
    const report = new Report(NAME);
    const known = facts.lives;
    for (const id of facts.records.lifelines.keys()) succession(id, facts, report);
    apart(known, facts, report);
    objects(known, facts, report);
    for (const life of known.values()) if (life.ended !== null) leftovers(life, history, facts, report);
    deletions(known, history, facts, report);
    entries(facts, report);
    for (const record of history.calls) answeredTurn(record, known, facts, report);
    return report.finding();
  },
};

/** V1. */
function succession(id: string, facts: Facts, report: Report): void {
  let before = { life: 0, deleted: true, erased: true };
  const incarnations = new Set<string>();
  for (const { value, version, deleted } of facts.records.lifelines.get(id) ?? []) {
    report.examine();
    const { life } = value;
    const erased = "erased" in value && value.erased;
    const begins = life !== before.life;
    if (begins && life !== before.life + 1)
      report.at(version, `${id}: life ${life} follows life ${before.life}`);
    if (begins && !(before.deleted && before.erased))
      report.at(version, `${id}: life ${life} begins before the one before is erased`);
    if (begins && deleted) report.at(version, `${id}: life ${life} ended before it began`);
    if (!begins && before.deleted && !deleted)
      report.at(version, `${id}: life ${life} came back after its end`);
    if (!begins && before.erased && !erased) report.at(version, `${id}: life ${life} is no more erased`);
    if (!deleted && begins && "incarnation" in value) {
      if (incarnations.has(value.incarnation))
        report.at(version, `${id}: two lives have the incarnation ${value.incarnation}`);
      incarnations.add(value.incarnation);
    }
    before = { life, deleted, erased };
  }
}

/** V2. */
function apart(known: ReadonlyMap<string, Life>, facts: Facts, report: Report): void {
  const lifeOfToken = new Map<string, string>();
  for (const { name, chain } of known.values())
    for (const { value, version } of chain)
      for (const { holder } of value.turns) {
        if (holder === null) continue;
        const other = lifeOfToken.get(holder.token);
        if (other !== undefined && other !== name)
          report.at(version, `${name} and ${other} have one token, ${holder.token}`);
        lifeOfToken.set(holder.token, name);
      }
  const lifeOfEffect = new Map<string, string>();
  for (const { effectId, token, atMs } of facts.setup.effects) {
    report.examine();
    const life = lifeOfToken.get(token);
    const other = lifeOfEffect.get(effectId);
    if (life === undefined) continue;
    if (other !== undefined && other !== life)
      report.add(`${life} and ${other} have one effect id, ${effectId}`, null, atMs);
    lifeOfEffect.set(effectId, life);
  }
}

/** V3. */
function objects(known: ReadonlyMap<string, Life>, facts: Facts, report: Report): void {
  const { segments, idPages, blobs } = facts.records;
  for (const beside of [...[...segments.values(), ...idPages.values()].flat(), ...blobs.values()]) {
    report.examine();
    const { version, incarnation } = beside;
    const life = known.get(facts.decoder.ownerOf(version.key) ?? "");
    if (life?.chain[0]?.value.incarnation !== incarnation)
      report.at(version, `${version.key} holds what belongs to another life of its instance`);
  }
}

/** V4. */
function leftovers(life: Life, { chains, healedAtMs }: RunHistory, facts: Facts, report: Report): void {
  if (healedAtMs === null || life.ended === null) return;
  report.examine();
  if (life.erased === null) {
    report.at(life.ended.version, `${life.name} ended and was never noted as erased`);
    return;
  }
  const erasedAtMs = life.erased.version.atMs;
  const endedAtMs = life.ended.version.atMs;
  for (const [key, chain] of chains) {
    if (facts.decoder.ownerOf(key) !== life.name) continue;
    report.examine();
    const last = chain.at(-1);
    if (last !== undefined && last.body !== null && last.atMs < endedAtMs)
      report.at(last, `${life.name} was noted as erased at ${erasedAtMs} and ${key} is still there`);
  }
}

/** V5. */
function deletions(
  known: ReadonlyMap<string, Life>,
  { calls }: RunHistory,
  facts: Facts,
  report: Report,
): void {
  const acknowledged = new Map<string, number>();
  for (const { operation, request, reply, answeredAtMs } of calls) {
    if (operation !== "deleteInstance" || !isObject(request) || !isObject(reply)) continue;
    if (!isObject(reply.value) || reply.value.deleted !== true) continue;
    report.examine();
    const id = String(request.workflow_id);
    const count = (acknowledged.get(id) ?? 0) + 1;
    acknowledged.set(id, count);
    const ended = [...known.values()].filter((life) => life.id === id && life.ended !== null).length;
    if (count > ended)
      report.add(
        `${id} was deleted ${count} times by answer, and ${ended} lives ended`,
        facts.decoder.identityKey(id),
        answeredAtMs,
      );
  }
}

/** V7. */
function entries(facts: Facts, report: Report): void {
  const removedBy = new Map<string, number>();
  let before: ReadonlyMap<string, IndexEntry> = new Map();
  for (const { value, version } of facts.records.index) {
    for (const id of before.keys()) {
      if (value.has(id)) continue;
      const lifeline = facts.records.lifelines.get(id) ?? [];
      const tomb = lifeline.findLast((one) => one.deleted && one.version.atMs <= version.atMs);
      if (tomb === undefined)
        report.at(version, `${id} left the scheduling index although nobody deleted it`);
      else removedBy.set(id, tomb.stamp.sequence);
    }
    for (const [id, entry] of value) {
      if (before.has(id)) continue;
      report.examine();
      const by = removedBy.get(id);
      if (by !== undefined && entry.sequence <= by)
        report.at(
          version,
          `${id} came back to the scheduling index from its sequence ${entry.sequence}, and was deleted at ${by}`,
        );
    }
    before = value;
  }
}

/** V6. */
function answeredTurn(
  record: CallRecord,
  known: ReadonlyMap<string, Life>,
  facts: Facts,
  report: Report,
): void {
  const { reply, sentAtMs, answeredAtMs } = record;
  if (!isObject(reply) || reply.ok !== true || !isObject(reply.value) || answeredAtMs === null) return;
  const turn = isObject(reply.value.turn) ? reply.value.turn : reply.value;
  const { workflow_id: id, number, message_id } = turn;
  if (typeof id !== "string" || typeof number !== "number" || typeof message_id !== "string") return;
  report.examine();
  for (const life of known.values()) {
    if (life.id !== id) continue;
    const toMs = Math.min(answeredAtMs, life.ended?.version.atMs ?? answeredAtMs);
    const there = between(life.chain, sentAtMs, toMs);
    const kept = there.some(({ value }) => value.history_pruned_through < number);
    if (kept && facts.turn(life.name, number)[0]?.turn.message_id === message_id) return;
  }
  report.add(
    `${record.operation} (call ${record.id}) was answered with turn ${number} of ${id}, message ${message_id}, which no life that was there then had, or it was pruned`,
    facts.decoder.identityKey(id),
    answeredAtMs,
  );
}
