/**
 * I15: nothing is removed that anybody still needs.
 *
 *   V1  identities, the scheduling index and heads are never removed (B31, B48).
 *   V2  a history object is removed only when its turn was pruned, or its life ended, before the request was sent; a
 *       record of the message-ID index only when no kept turn is of its generation (B69, B70).
 *   V3  a blob is removed only when its tag was pruned and no entry kept it, or its life ended (B11, B47).
 *   V4  what an identity drops is all that tells of a turn from then on: its history object, its receipt and its record
 *       are there until the turn is pruned or its life ends.
 *
 * Held are the requests to remove, not only what they did: one that was lost would have done it.
 */
import type { Checker, RunHistory, StoreOperation } from "../../sim/index.ts";
import type { Change } from "./changes.ts";
import type { Facts } from "./facts.ts";
import { generationOf, type Life, prunedAt, tagOf } from "./lifelines.ts";
import { Report } from "./report.ts";

const NAME = "I15-gc-safe";

export const gcSafe: Checker<Facts> = {
  name: NAME,
  statement:
    "no identity is ever removed; a history object, a record of the message-ID index or a blob only after its turn was pruned or its life ended; until then what an identity drops is in history with its receipt and its record",
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
  const turn = /\/turns\/(\d+)\.json$/.exec(key)?.[1];
  if (turn !== undefined)
    return now.history_pruned_through >= Number(turn) ? null : "whose turn was not pruned";
  const blob = /\/blobs\/.*\/(\d{12}-[^/]+)\.json$/.exec(key)?.[1];
  if (blob !== undefined) {
    const reference = `blob:${blob}`;
    if (tagOf(reference) > now.history_pruned_through) return "whose tag was not pruned";
    return now.blobs[reference] === undefined ? null : "which is still named";
  }
  const generation = Number(/\/messages\/g(\d+)\//.exec(key)?.[1] ?? 0);
  return generation < now.message_index.generation - 1 ? null : "whose generation has kept turns";
}

/** V4. */
function kept(
  change: Change & { kind: "moved" },
  life: Life,
  { chains }: RunHistory,
  facts: Facts,
  report: Report,
): void {
  const { number, message_id, last_attempt } = change.turn;
  if (life.ended !== null || prunedAt(life.chain, number) !== null) return;
  report.examine();
  const where = `${life.name}: turn ${number} was dropped and`;
  const key = facts.decoder.turnKey(life.name, number);
  const object = facts.records.turns.get(key)?.at(-1);
  if (object === undefined || chains.get(key)?.at(-1)?.body === null)
    report.at(change.at.version, `${where} its history object is not there at the end`);
  else if (object.content.turn.last_attempt?.token !== last_attempt?.token)
    report.at(object.version, `${where} its history object does not know the attempt that ended it`);
  const generation = generationOf(change.before?.value ?? change.at.value, number);
  const record = facts.decoder.messageKey(life.name, message_id, generation);
  if (chains.get(record)?.at(-1)?.body == null)
    report.at(change.at.version, `${where} its message ${message_id} is not in the message-ID index`);
}
