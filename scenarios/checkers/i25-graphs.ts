/**
 * I25 for graphs: an epoch begins, ends and is followed by the next, and none meets another.
 *
 *   V1  epochs rise by one, and the next begins only over a head that says that the one before is erased.
 *   V2  once a deletion is answered, no instance of the epoch is written any more but for its erasure; what was created
 *       too late for the deletion is taken back by who created it.
 *   V3  a turn that is answered was in an epoch that was live at some time of the call.
 *   V4  when the head says that an epoch is erased, every instance that it had when it was retired is a tombstone with
 *       nothing left.
 *
 * Source: seed 000 "Storage, recovery and erasure"; catalogue B49.
 */
import type { CallRecord, RunHistory } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { between } from "./lifelines.ts";
import { type HeadVersion, headsOf } from "./records.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

export const GRAPHS = {
  name: "I25-graphs",
  statement:
    "the next epoch of a graph begins when the one before is erased; after a deletion was answered nothing of its epoch is written or answered any more",
  blind: "what was created after its epoch was retired by a node that died before it could take it back",
};

/** One epoch with what is known of it. */
interface Epoch {
  readonly facts: Facts;
  readonly begunMs: number;
  readonly retiredMs: number | null;
  readonly erased: HeadVersion | null;
  /** When a deletion was answered first, after it was retired. */
  readonly deletedMs: number | null;
}

/** `facts`: those of each epoch, by its number as text. */
export function checkGraphs(history: RunHistory, headKey: string, facts: ReadonlyMap<string, Facts>) {
  const report = new Report(GRAPHS.name);
  const heads = headsOf(history.chains.get(headKey) ?? []);
  succession(heads, report);
  const epochs = [...facts].map(([epoch, one]) => epochOf(Number(epoch), heads, history, one));
  for (const epoch of epochs) {
    afterTheEnd(epoch, report);
    if (epoch.erased !== null) leftovers(epoch, epoch.erased, report);
  }
  for (const record of history.calls) answeredTurn(record, epochs, report);
  return report.finding();
}

function epochOf(epoch: number, heads: readonly HeadVersion[], { calls }: RunHistory, facts: Facts): Epoch {
  const own = heads.filter((head) => head.epoch === epoch);
  const retiredMs = own.find(({ live }) => !live)?.version.atMs ?? null;
  let deletedMs: number | null = null;
  for (const { operation, reply, answeredAtMs, sentAtMs } of calls) {
    if (operation !== "deleteGraph" || !isObject(reply) || reply.ok !== true) continue;
    if (answeredAtMs === null || retiredMs === null || sentAtMs < retiredMs) continue;
    deletedMs = Math.min(deletedMs ?? answeredAtMs, answeredAtMs);
  }
  const begunMs = own[0]?.version.atMs ?? 0;
  return { facts, begunMs, retiredMs, erased: own.find(({ erased }) => erased) ?? null, deletedMs };
}

/** V1. */
function succession(heads: readonly HeadVersion[], report: Report): void {
  let before = { epoch: 0, live: false, erased: true };
  for (const { version, epoch, live, erased } of heads) {
    report.examine();
    if (epoch !== before.epoch && epoch !== before.epoch + 1)
      report.at(version, `epoch ${epoch} follows epoch ${before.epoch}`);
    if (epoch !== before.epoch && !before.erased)
      report.at(version, `epoch ${epoch} begins before epoch ${before.epoch} is erased`);
    if (epoch === before.epoch && live && !before.live)
      report.at(version, `epoch ${epoch} came back after its end`);
    before = { epoch, live, erased };
  }
}

/** V2. */
function afterTheEnd({ facts, deletedMs }: Epoch, report: Report): void {
  if (deletedMs === null) return;
  for (const [id, lifeline] of facts.records.lifelines)
    for (const [at, { version, deleted }] of lifeline.entries()) {
      report.examine();
      const created = at === 0;
      if (!deleted && !created && version.atMs > deletedMs && !lifeline[at - 1]?.deleted)
        report.at(version, `${id} was written after the deletion of its graph was answered at ${deletedMs}`);
    }
}

/** V4. */
function leftovers({ facts, retiredMs }: Epoch, { version: note }: HeadVersion, report: Report): void {
  for (const [id, lifeline] of facts.records.lifelines) {
    report.examine();
    const last = lifeline.findLast(({ version }) => version.atMs <= note.atMs);
    const begun = lifeline.find(({ value }) => value.life === last?.value.life);
    if (begun === undefined || last === undefined || retiredMs === null) continue;
    // Created too late, be it over a tombstone: taken back by who created it.
    if (begun.version.atMs >= retiredMs) continue;
    if (!("erased" in last.value && last.value.erased))
      report.at(last.version, `${id} is not erased although its epoch is said to be`);
  }
}

/** V3. */
function answeredTurn(record: CallRecord, epochs: readonly Epoch[], report: Report): void {
  const { reply, sentAtMs, answeredAtMs } = record;
  if (!isObject(reply) || reply.ok !== true || !isObject(reply.value) || answeredAtMs === null) return;
  const turn = isObject(reply.value.turn) ? reply.value.turn : reply.value;
  const { workflow_id: id, number, message_id } = turn;
  if (typeof id !== "string" || typeof number !== "number") return;
  report.examine();
  for (const { facts, begunMs, deletedMs } of epochs) {
    if (begunMs > answeredAtMs || (deletedMs !== null && deletedMs < sentAtMs)) continue;
    for (const life of facts.lives.values()) {
      const toMs = Math.min(answeredAtMs, life.ended?.version.atMs ?? answeredAtMs);
      if (life.id !== id || between(life.chain, sentAtMs, toMs).length === 0) continue;
      if (facts.turn(life.name, number)[0]?.turn.message_id === message_id) return;
    }
  }
  report.add(
    `${record.operation} (call ${record.id}) was answered with turn ${number} of ${id}, which no epoch had that was live then`,
    null,
    answeredAtMs,
  );
}
