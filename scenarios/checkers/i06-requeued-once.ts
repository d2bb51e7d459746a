/**
 * I06: what a turn sends back is one message, at its time, as often as the engine promises and no more.
 *
 *   R1  a message is known by its id, which is made of turn and key: it enters `deferred` once and leaves it once.
 *   R2  its count goes up by one from the message of the turn that sent it, so a chain of them has three at most.
 *   R4  those that become turns in one write do so in the order in which they are due.
 *   R3  a clock is bounded by what the writing node showed between the version before and the sending of the write.
 *
 * What is sent back is computed again with the pure functions of the workload (`againOf`).
 *
 * Looks at the deferred messages of each version and at what the workers were told. That a message comes to be worked on
 * is for the scenario's end, which no deferred message outlives.
 */
import type { Checker } from "../../sim/index.ts";
import type { DeferredMessage, Turn } from "../../src/index.ts";
import { againOf, isParentPayload } from "../workloads/family.ts";
import type { Facts } from "./facts.ts";
import { clockOf, isOver, type Pair, pairsOf, turnAt, turnIn } from "./family-versions.ts";
import type { IdentityVersion } from "./records.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";
import { isObject } from "./shapes.ts";

const NAME = "I06-requeued-once";
const DELAYS_MS = [60_000, 240_000, 960_000];

export const requeuedOnce: Checker<Facts> = {
  name: NAME,
  statement:
    "what a turn sends back under one key is one message, stored while the turn is held, due after 1, 4 or 16 minutes by its count and never a fourth time, and becomes one turn, not before it is due and not behind one that is due later",
  blind:
    "messages of more than one key in a turn; a due time that is wrong by less than the deciding node's clock is known",
  check(history, facts) {
    const report = new Report(NAME);
    for (const [id, chain] of facts.records.identities) {
      const sent = new Map<string, DeferredMessage>();
      for (const pair of pairsOf(chain)) write(id, pair, sent, facts, report);
      completions(id, chain, sent, report);
    }
    for (const { operation, request, reply, outcome, answeredAtMs } of history.calls) {
      if (operation !== "requeue" || outcome !== "answered" || !isObject(reply) || reply.ok !== true)
        continue;
      if (isObject(request) && isObject(reply.value))
        told(request, reply.value, answeredAtMs ?? 0, facts, report);
    }
    return report.finding();
  },
};

/** One write: messages that came, stayed, and became turns. */
function write(
  id: string,
  pair: Pair,
  sent: Map<string, DeferredMessage>,
  facts: Facts,
  report: Report,
): void {
  const { a, b } = pair;
  const bad = (what: string): void => report.at(b.version, `${id}: ${what}`);
  const [leastMs, mostMs] = clockOf(pair, facts);
  for (const message of b.value.deferred) {
    const was = a.value.deferred.find((one) => one.id === message.id);
    if (was !== undefined && !same(was, message)) bad(`${message.id} changed while it was deferred`);
    if (was !== undefined) continue;
    report.examine();
    if (sent.has(message.id)) bad(`${message.id} was sent back a second time`);
    sent.set(message.id, message);
    const wrong = strange(message, pair, leastMs, mostMs);
    if (wrong !== null) bad(wrong);
  }
  const dueFirst = (one: DeferredMessage, other: DeferredMessage) => one.due_at_ms - other.due_at_ms;
  let lastNumber = 0;
  for (const message of [...a.value.deferred].sort(dueFirst)) {
    if (b.value.deferred.some((one) => one.id === message.id)) continue;
    report.examine();
    const turns = b.value.turns.filter((turn) => turn.message_id === message.id);
    if (turns.length !== 1 || (turns[0]?.number ?? 0) < a.value.next_turn)
      bad(`${message.id} is no longer deferred and became ${turns.length} turns`);
    else if (!same(turns[0]?.message, message.message))
      bad(`${message.id} became a turn with another message`);
    const number = turns[0]?.number ?? lastNumber;
    if (number < lastNumber) bad(`${message.id} became turn ${number} behind one that is due later`);
    lastNumber = number;
    if (message.due_at_ms > mostMs)
      bad(
        `${message.id} became a turn when the node's clock showed at most ${mostMs}; it is due at ${message.due_at_ms}`,
      );
  }
}

/** What is wrong with a message that a turn sends back in this write. */
function strange(message: DeferredMessage, { a, b }: Pair, leastMs: number, mostMs: number): string | null {
  const { id, origin, due_at_ms, received_at_ms } = message;
  const turn = turnIn(b, origin.turn ?? 0);
  const held = turnIn(a, origin.turn ?? 0)?.holder?.token;
  if (turn === null || held === undefined || turn.holder?.token !== held)
    return `${id} was stored while nobody held turn ${origin.turn}`;
  if (!id.startsWith(`requeue-${turn.number}-`) || origin.kind !== "requeue")
    return `${id} says that it comes from turn ${turn.number}`;
  const attempt = countOf(turn) + 1;
  const delayMs = DELAYS_MS[attempt - 1];
  if (origin.attempt !== attempt || delayMs === undefined)
    return `${id} is try ${origin.attempt} instead of ${attempt}`;
  if (due_at_ms !== received_at_ms + delayMs)
    return `${id} waits ${due_at_ms - received_at_ms} ms in try ${attempt}`;
  if (received_at_ms < leastMs || received_at_ms > mostMs) return `${id} was received when no clock said so`;
  return null;
}

function countOf({ origin }: Turn): number {
  return origin?.kind === "requeue" ? (origin.attempt ?? 0) : 0;
}

/** A worker completes only after it was told that its message is there. */
function completions(
  id: string,
  chain: readonly IdentityVersion[],
  sent: ReadonlyMap<string, DeferredMessage>,
  report: Report,
): void {
  for (const { a, b } of pairsOf(chain))
    for (const turn of b.value.turns) {
      const was = turnIn(a, turn.number);
      if (turn.status !== "completed" || was === null || isOver(was) || !isParentPayload(turn.message))
        continue;
      if (turn.message.again === 0 || countOf(turn) >= DELAYS_MS.length) continue;
      report.examine();
      const message = sent.get(`requeue-${turn.number}-again`);
      if (message === undefined)
        report.at(b.version, `${id}: turn ${turn.number} completed and its message is lost`);
      else if (!same(message.message, againOf(turn.message)))
        report.at(b.version, `${id}: turn ${turn.number} sent back another message than asked`);
    }
}

/** The answer to a worker: what it says is stored, or it was right to give up. */
function told(
  request: { readonly [field: string]: unknown },
  view: { readonly [field: string]: unknown },
  atMs: number,
  facts: Facts,
  report: Report,
): void {
  const { workflow_id: id, turn: number, key } = request;
  if (typeof id !== "string" || typeof number !== "number") return;
  report.examine();
  const chain = facts.records.identities.get(id) ?? [];
  const turn = turnAt(chain, number, atMs);
  const due = turn === null ? 0 : countOf(turn) + 1;
  const where = `${id}: turn ${number} was told that its message`;
  const say = (what: string): void => report.add(`${where} ${what}`, facts.decoder.identityKey(id), atMs);
  if (view.attempt !== due) say(`is try ${String(view.attempt)}; it is try ${due}`);
  if (view.due_at_ms === null) {
    if (due <= DELAYS_MS.length) say(`is given up in try ${due}`);
    return;
  }
  const stored = chain
    .flatMap(({ value }) => value.deferred)
    .find((one) => one.id === `requeue-${number}-${String(key)}` && one.due_at_ms === view.due_at_ms);
  if (stored === undefined) say(`is due at ${String(view.due_at_ms)}; there is none such`);
}
