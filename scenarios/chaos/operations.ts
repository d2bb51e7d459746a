/**
 * The requests to the store, read back from the logs of all processes and put in the order of their sending.
 *
 *   Q1  what the store did and what the sender was told are kept apart: the first decides the chains, the second what
 *       callers could know.
 *   Q2  a body that a log left out is the one that it told before for this key and etag.
 *   Q3  an answer without a request, and a line that cannot be read, is a hole in the record, and is told as one.
 */
import type { StoreOperation } from "../../sim/index.ts";
import type { LoggedOutcome, ProcessLog } from "./log-lines.ts";

export type StoreOutcome = NonNullable<StoreOperation["outcome"]>;

/** A request and what the store did with it, as far as anybody saw. */
export interface Observed {
  readonly operation: StoreOperation;
  /** Null: nobody saw what it did. */
  did: StoreOutcome | null;
  didAtMs: number | null;
}

export interface ObservedStore {
  /** In the order of sending. */
  readonly observed: readonly Observed[];
  /** Q3. */
  readonly holes: readonly string[];
}

export function readStore(logs: readonly ProcessLog[]): ObservedStore {
  const holes: string[] = [];
  const drafts: { readonly observed: Observed; readonly log: ProcessLog }[] = [];
  for (const log of logs) {
    for (const line of log.unreadable)
      holes.push(`line ${line} of the log of ${log.process}, life ${log.incarnation}, cannot be read`);
    drafts.push(...[...readOne(log, holes).values()].map((observed) => ({ observed, log })));
  }
  drafts.sort((a, b) => a.observed.operation.sentAtMs - b.observed.operation.sentAtMs);
  const observed = drafts.map((draft, at) => numbered(draft.observed, at + 1));
  return { observed, holes };
}

/** The requests of one life, by the id that its log gives them. */
function readOne(log: ProcessLog, holes: string[]): Map<number, Observed> {
  const requests = new Map<number, Observed>();
  const bodies = new Map<string, string>();
  const { process, incarnation } = log;
  for (const line of log.lines) {
    if (line.e === "store-sent") {
      const { at, op, key, condition, body } = line;
      const operation: StoreOperation = {
        id: 0,
        process,
        incarnation,
        kind: op,
        key,
        condition,
        body,
        sentAtMs: at,
        appliedAtMs: null,
        verdict: null,
        version: null,
        answeredAtMs: null,
        outcome: null,
        faults: [],
      };
      requests.set(line.id, { operation, did: null, didAtMs: null });
      continue;
    }
    if (line.e !== "store-did" && line.e !== "store-told") continue;
    const request = requests.get(line.id);
    if (request === undefined) {
      holes.push(`${process}, life ${incarnation}, was answered request ${line.id}, which is not in its log`);
      continue;
    }
    const outcome = line.outcome === null ? request.did : whole(line.outcome, request.operation, bodies);
    if (line.e === "store-did") {
      request.did = outcome;
      request.didAtMs = line.at;
    } else {
      request.operation.outcome = outcome;
      request.operation.answeredAtMs = line.at;
      request.operation.faults = line.faults;
    }
  }
  return requests;
}

/** Q2. */
function whole(outcome: LoggedOutcome, { kind, key, body }: StoreOperation, bodies: Map<string, string>) {
  if (outcome.kind !== "ok" || !("etag" in outcome)) return outcome;
  const name = `${outcome.etag} ${key}`;
  if (kind === "put" && body !== null) bodies.set(name, body);
  if (!("body" in outcome)) return outcome;
  if (outcome.body !== null) {
    bodies.set(name, outcome.body);
    return { ...outcome, body: outcome.body };
  }
  return { ...outcome, body: bodies.get(name) ?? "" };
}

function numbered(observed: Observed, id: number): Observed {
  return { ...observed, operation: { ...observed.operation, id } };
}
