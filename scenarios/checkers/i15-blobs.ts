/**
 * I15 for blobs: what can still be named is there, and what is read is what was put.
 *
 *   V1  a blob that was acknowledged and that a living instance names at the end, in its state, its inbox or a kept turn
 *       of its history, is there (B11, B47).
 *   V2  a blob that is read has the value that was put under its reference.
 *   V3  a name that was refused as given up was given up: its tag was pruned and no entry kept it, at some time of the
 *       call.
 */
import type { CallRecord, Checker, RunHistory } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { between, blobsNamed, type Life, tagOf } from "./lifelines.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";
import { isObject } from "./shapes.ts";

const NAME = "I15-blobs";

export const blobsKept: Checker<Facts> = {
  name: NAME,
  statement:
    "a blob that a living instance names in its state, its inbox or a kept turn is there, with the value that was put; a name is refused only when its blob was given up",
  blind: "blobs that nothing names and that were not swept; values of blobs that were never acknowledged",
  check(history, facts) {
    const report = new Report(NAME);
    const put = new Map<string, unknown>();
    for (const record of history.calls) {
      if (record.operation === "putBlob") remember(record, put);
      if (record.operation === "getBlob") read(record, put, facts, report);
      refusedName(record, facts, report);
    }
    for (const life of facts.lives.values())
      if (life.ended === null) named(life, put, history, facts, report);
    return report.finding();
  },
};

function remember({ request, reply }: CallRecord, put: Map<string, unknown>): void {
  if (isObject(request) && isObject(reply) && isObject(reply.value))
    put.set(String(reply.value.reference), request.value);
}

/** V2. */
function read(
  { request, reply, id, answeredAtMs }: CallRecord,
  put: ReadonlyMap<string, unknown>,
  facts: Facts,
  report: Report,
): void {
  if (!isObject(request) || !isObject(reply) || !isObject(reply.value)) return;
  const reference = String(request.reference);
  if (!put.has(reference)) return;
  report.examine();
  if (!same(put.get(reference), reply.value.value))
    report.add(
      `${reference} was read (call ${id}) with another value than it was put with`,
      facts.decoder.blobKey(String(request.workflow_id), reference),
      answeredAtMs,
    );
}

/** V1. */
function named(
  life: Life,
  put: ReadonlyMap<string, unknown>,
  { chains }: RunHistory,
  facts: Facts,
  report: Report,
): void {
  const last = life.chain.at(-1);
  if (last === undefined) return;
  const { value } = last;
  const documents: unknown[] = [value.state, value.turns, value.deferred];
  for (let turn = value.history_pruned_through + 1; turn <= value.history_through; turn++)
    documents.push(facts.turn(life.name, turn).at(-1)?.turn);
  for (const reference of blobsNamed(documents, value.incarnation)) {
    if (!put.has(reference)) continue;
    report.examine();
    const key = facts.decoder.blobKey(life.name, reference);
    if (chains.get(key)?.at(-1)?.body == null)
      report.at(last.version, `${life.name} names ${reference}, which is not there`);
  }
}

/** V3. */
function refusedName(record: CallRecord, facts: Facts, report: Report): void {
  const { reply, request, sentAtMs, answeredAtMs } = record;
  if (!isObject(reply) || !isObject(reply.error) || reply.error.code !== "blob_gone") return;
  if (!isObject(request) || answeredAtMs === null) return;
  report.examine();
  for (const life of facts.lives.values()) {
    if (life.id !== request.workflow_id) continue;
    for (const { value } of between(life.chain, sentAtMs, answeredAtMs))
      for (const reference of blobsNamed(request, value.incarnation))
        if (tagOf(reference) <= value.history_pruned_through && value.blobs[reference] === undefined) return;
  }
  report.add(
    `call ${record.id} (${record.operation}) was refused for a blob that had not been given up`,
    facts.decoder.identityKey(String(request.workflow_id)),
    answeredAtMs,
  );
}
