/**
 * The calls of senders, people and workers, and the effects of steps, read back from their logs.
 *
 *   C1  calls are numbered in the order of their sending.
 *   C2  repeats of one request are one value: who compares requests by identity sees that nothing new was asked.
 *   C3  an effect that does not know its attempt's token gets that of the last claim of the turn that its worker was
 *       given before.
 *   C4  a call of which the log has only the sending stays without an outcome: its caller died, or the run was over.
 *
 * What is asked and answered is not looked at here: the checkers' own reader of calls does that.
 */
import type { CallRecord, Incident } from "../../sim/index.ts";
import { isObject } from "../checkers/shapes.ts";
import type { Effect } from "../systems/outside.ts";
import type { ProcessLog } from "./log-lines.ts";

export function readCalls(logs: readonly ProcessLog[], holes: string[]): readonly CallRecord[] {
  const drafts: CallRecord[] = [];
  const requests = new Map<string, unknown>();
  for (const { process, incarnation, lines } of logs) {
    const own = new Map<number, CallRecord>();
    for (const line of lines) {
      if (line.e === "call-sent") {
        const name = `${line.operation} ${JSON.stringify(line.request)}`;
        if (!requests.has(name)) requests.set(name, line.request);
        const draft: CallRecord = {
          id: 0,
          from: process,
          fromIncarnation: incarnation,
          to: line.to,
          operation: line.operation,
          request: requests.get(name),
          sentAtMs: line.at,
          repliedAtMs: null,
          answeredAtMs: null,
          outcome: null,
          reply: undefined,
          faults: [],
        };
        own.set(line.id, draft);
      } else if (line.e === "call-told") {
        const draft = own.get(line.id);
        if (draft === undefined) {
          holes.push(
            `${process}, life ${incarnation}, was answered call ${line.id}, which is not in its log`,
          );
          continue;
        }
        const { at: answeredAtMs, outcome, reply, faults } = line;
        own.set(line.id, { ...draft, answeredAtMs, outcome, reply, faults });
      }
    }
    drafts.push(...own.values());
  }
  drafts.sort((a, b) => a.sentAtMs - b.sentAtMs);
  return drafts.map((draft, at) => ({ ...draft, id: at + 1 }));
}

export function readIncidents(logs: readonly ProcessLog[]): readonly Incident[] {
  const incidents: Incident[] = [];
  for (const { lines } of logs)
    for (const line of lines)
      if (line.e === "incident") {
        const { at: atMs, kind, process, detail } = line;
        incidents.push({ atMs, kind, process, detail });
      }
  return incidents.sort((a, b) => a.atMs - b.atMs);
}

export function readEffects(logs: readonly ProcessLog[], calls: readonly CallRecord[]): readonly Effect[] {
  const claims = claimsByTurn(calls);
  const effects: Effect[] = [];
  for (const { process, incarnation, lines } of logs)
    for (const line of lines) {
      if (line.e !== "effect") continue;
      const { at: atMs, effectId, workflowId, turn, key, worker } = line;
      const claim = (claims.get(`${workflowId} ${turn}`) ?? []).findLast(
        ({ record }) =>
          record.from === process &&
          record.fromIncarnation === incarnation &&
          (record.answeredAtMs ?? Number.POSITIVE_INFINITY) <= atMs,
      );
      const token = line.token !== "" ? line.token : (claim?.token ?? "");
      effects.push({ effectId, workflowId, turn, key, worker, token, atMs });
    }
  return effects.sort((a, b) => a.atMs - b.atMs);
}

interface Claimed {
  readonly record: CallRecord;
  readonly token: string;
}

/** The claims that were given each turn, in the order of sending. */
function claimsByTurn(calls: readonly CallRecord[]): ReadonlyMap<string, readonly Claimed[]> {
  const claims = new Map<string, Claimed[]>();
  for (const record of calls) {
    const { operation, reply } = record;
    if (operation !== "claim" || !isObject(reply) || !isObject(reply.value)) continue;
    const { token, turn } = reply.value;
    if (!isObject(turn) || typeof token !== "string") continue;
    const name = `${String(turn.workflow_id)} ${String(turn.number)}`;
    const known = claims.get(name);
    if (known === undefined) claims.set(name, [{ record, token }]);
    else known.push({ record, token });
  }
  return claims;
}
