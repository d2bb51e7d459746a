/**
 * A run's history, made of the logs of its processes and of the objects that are there at the end.
 *
 * The same shape as the simulator's, so that the same checkers read it. Pure: lines in, history out.
 *
 *   H1  everything is on one axis: milliseconds since the start of the run, as R2 of `log-lines.ts` says.
 *   H2  what the record itself shows to be wrong (versions without an author, objects that were lost, holes in a log)
 *       is no part of the history's shape: it is told beside it, as `strange`, and `recorded` reports it.
 */
import type { Checker, RunHistory, Version, Violation } from "../../sim/index.ts";
import type { Effect } from "../systems/outside.ts";
import { falseAbsences, versionsOf } from "./applied-times.ts";
import { readCalls, readEffects, readIncidents } from "./calls.ts";
import { byKey, chainOf, type FinalObject, KeyRecord, NOBODY } from "./chains.ts";
import type { ProcessLog } from "./log-lines.ts";
import { readStore } from "./operations.ts";

export interface RunRecord {
  readonly history: RunHistory;
  readonly effects: readonly Effect[];
  /** H2. */
  readonly strange: readonly string[];
}

export interface RunEnds {
  /** When the faults were switched off; null: they never were. */
  readonly healedAtMs: number | null;
  readonly endedAtMs: number;
  /** Every object of the store at the end; null: nobody looked. */
  readonly objects: readonly FinalObject[] | null;
}

export function recordOf(logs: readonly ProcessLog[], ends: RunEnds): RunRecord {
  const { healedAtMs, endedAtMs, objects } = ends;
  const { observed, holes } = readStore(logs);
  const strange: string[] = [...holes];
  const keys = new Map(byKey(observed));
  for (const { key } of objects ?? []) if (!keys.has(key)) keys.set(key, new KeyRecord(key));
  const finals = new Map((objects ?? []).map((object) => [object.key, object]));
  const chains = new Map<string, readonly Version[]>();
  for (const [key, record] of keys) {
    const final = objects === null ? undefined : (finals.get(key) ?? null);
    const links = chainOf(record, final, (what) => strange.push(what));
    const versions = versionsOf(record, links, endedAtMs);
    if (versions.length > 0) chains.set(key, versions);
  }
  const operations = observed.map(({ operation }) => operation);
  const calls = readCalls(logs, strange);
  const incidents = readIncidents(logs);
  const history: RunHistory = { operations, chains, calls, incidents, healedAtMs, endedAtMs };
  strange.push(...falseAbsences(history));
  return { history, effects: readEffects(logs, calls), strange };
}

const NAME = "I23-recorded";

/** Holds the store itself, where nobody can watch it: what was seen of it has one explanation. */
export const recorded: Checker<{ readonly strange: readonly string[] }> = {
  name: NAME,
  statement:
    "each version that anybody saw was written by a request in the logs, a version is not replaced twice, what is there at the end is the last version of its key, and no read finds nothing where something was",
  blind: "versions that nobody saw; objects under keys that no process asked for until the end",
  check(history, { strange }) {
    const violations: Violation[] = strange.map((message) => ({
      invariant: NAME,
      message,
      key: null,
      atMs: null,
    }));
    let examined = 0;
    for (const chain of history.chains.values())
      for (const { operation } of chain) examined += operation.process === NOBODY ? 0 : 1;
    return { examined, violations };
  },
};
