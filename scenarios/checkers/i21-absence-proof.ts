/**
 * I21: "not found" is an answer about the store, not about a read that failed.
 *
 * Whoever is told that an instance or turn does not exist may create it, or give up for good. So at some moment of
 * the call it must not have existed (B11, B12, B19, B25). Nothing is ever deleted here, so what was there when the
 * call was sent is there.
 */
import type { CallRecord, Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { prunedAt } from "./lifelines.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

const NAME = "I21-absence-proof";

export const absenceProof: Checker<Facts> = {
  name: NAME,
  statement:
    "a call is answered not-found only when the instance, or the turn that it names, was not stored when it was sent, or was deleted or pruned by then",
  blind: "absence that a node concludes and tells nobody; lists, which prove nothing and are not asked to",
  check(history, facts) {
    const report = new Report(NAME);
    for (const record of history.calls) {
      const { reply, request } = record;
      if (!isObject(request)) continue;
      const refused = isObject(reply) && reply.ok === false && isObject(reply.error);
      report.examine();
      if (refused && isObject(reply.error) && reply.error.kind === "not-found")
        absent(record, request, facts, report);
    }
    return report.finding();
  },
};

function absent(
  record: CallRecord,
  request: { readonly [field: string]: unknown },
  facts: Facts,
  report: Report,
): void {
  const id = String(request.workflow_id ?? request.id);
  const { turn } = request;
  const { sentAtMs } = record;
  const since =
    typeof turn === "number"
      ? facts.turn(id, turn)[0]?.version.atMs
      : facts.records.identities.get(id)?.[0]?.version.atMs;
  if (since === undefined || since >= sentAtMs) return;
  if (isGone(id, turn, record.answeredAtMs ?? Number.POSITIVE_INFINITY, facts)) return;
  const what = typeof turn === "number" ? `turn ${turn} of ${id}` : id;
  report.add(
    `${what} is stored since ${since}, and ${record.to} answered at ${record.answeredAtMs} that it does not exist (call ${record.id}, ${record.operation})`,
    facts.decoder.identityKey(id),
    record.answeredAtMs,
  );
}

/** Whether by then a life of the instance had ended, or the turn had been pruned. */
function isGone(id: string, turn: unknown, byMs: number, facts: Facts): boolean {
  for (const life of facts.lives.values())
    if (life.id === id && life.ended !== null && life.ended.version.atMs <= byMs) return true;
  const atMs = typeof turn === "number" ? prunedAt(facts.records.identities.get(id) ?? [], turn) : null;
  return atMs !== null && atMs <= byMs;
}
