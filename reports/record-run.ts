/**
 * A run's history as the data of a page.
 *
 * Owns the tables of texts and which version each condition names. Judges nothing: verdict and origin are given.
 * Of an answer only its kind is kept: the body that a read was served is that of the version it names.
 *
 *   K1  The same history gives the same data, whatever else was recorded before.
 *   K2  An etag that several versions share (equal bodies) names the latest of them that the store had when it
 *       looked at the request.
 */
import type { CallRecord, RunHistory, StoreOperation, Version } from "../sim/history/history.ts";
import type {
  CallData,
  ChainData,
  ConditionData,
  OperationData,
  RunData,
  RunOrigin,
  VerdictData,
} from "./report-data.ts";

/** The run under the name that tells it from its neighbours on a page. */
export function recordRun(
  name: string,
  origin: RunOrigin,
  verdict: VerdictData,
  history: RunHistory,
): RunData {
  const bodies = new TextTable();
  const keys = new TextTable();
  const { scenario, claim, seed, planted, fingerprint, draws, facts, again } = origin;
  const operations = history.operations.map((op) => recordOperation(op, history, bodies, keys));
  const chains = [...history.chains].map(([key, chain]) => recordChain(key, chain, bodies, keys));
  const calls = history.calls.map((call) => recordCall(call, bodies));
  const incidents = history.incidents.map(({ atMs, kind, process, detail }) => ({
    atMs,
    kind,
    process,
    detail,
  }));
  const { healedAtMs, endedAtMs } = history;
  const recorded = { operations, chains, calls, incidents, healedAtMs, endedAtMs };
  const told = { name, scenario, claim, seed, planted, fingerprint, draws, facts, again, verdict };
  return { ...told, bodies: bodies.texts, keys: keys.texts, ...recorded };
}

/** Texts by number, each once, in the order of their first use. */
class TextTable {
  readonly texts: string[] = [];
  readonly #indices = new Map<string, number>();

  indexOf(text: string): number {
    let index = this.#indices.get(text);
    if (index === undefined) {
      index = this.texts.length;
      this.texts.push(text);
      this.#indices.set(text, index);
    }
    return index;
  }

  indexOrNull(text: string | null): number | null {
    return text === null ? null : this.indexOf(text);
  }
}

function recordOperation(
  op: StoreOperation,
  history: RunHistory,
  bodies: TextTable,
  keys: TextTable,
): OperationData {
  const { id, process, incarnation, kind, sentAtMs, appliedAtMs, verdict, version, answeredAtMs } = op;
  const { outcome } = op;
  return {
    id,
    process,
    incarnation,
    kind,
    key: keys.indexOf(op.key),
    condition: recordCondition(op, history.chains.get(op.key) ?? []),
    body: bodies.indexOrNull(op.body),
    sentAtMs,
    appliedAtMs,
    verdict,
    version,
    answeredAtMs,
    told: outcome === null ? null : outcome.kind,
    listed: outcome !== null && "entries" in outcome ? outcome.entries.length : null,
    faults: [...op.faults],
  };
}

function recordCondition(op: StoreOperation, chain: readonly Version[]): ConditionData | null {
  const { condition } = op;
  if (condition === null || condition.kind === "none") return null;
  if (condition.kind !== "if-match") return { kind: condition.kind, etag: null, version: null };
  return { kind: condition.kind, etag: condition.etag, version: namedVersion(op, condition.etag, chain) };
}

/** K2. */
function namedVersion(op: StoreOperation, etag: string, chain: readonly Version[]): number | null {
  const wrote = op.verdict === "applied" && op.version !== null ? op.version : chain.length;
  const lookedAtMs = op.appliedAtMs ?? op.sentAtMs;
  for (let index = wrote - 1; index >= 0; index--) {
    const version = chain[index];
    if (version !== undefined && version.etag === etag && version.atMs <= lookedAtMs) return index;
  }
  return null;
}

function recordChain(key: string, chain: readonly Version[], bodies: TextTable, keys: TextTable): ChainData {
  const versions = chain.map(({ body, etag, atMs, operation }) => ({
    body: bodies.indexOrNull(body),
    etag,
    atMs,
    operation: operation.id,
  }));
  return { key: keys.indexOf(key), versions };
}

/** A reply that was never learned, and one that holds nothing, are told apart: the first is null here. */
function recordCall(call: CallRecord, bodies: TextTable): CallData {
  const { id, from, fromIncarnation, to, operation, sentAtMs, answeredAtMs, outcome } = call;
  const reply = outcome === "answered" ? bodies.indexOf(textOf(call.reply)) : null;
  const request = bodies.indexOf(textOf(call.request));
  const faults = [...call.faults];
  return {
    id,
    from,
    fromIncarnation,
    to,
    operation,
    request,
    sentAtMs,
    answeredAtMs,
    outcome,
    reply,
    faults,
  };
}

/** As JSON; `undefined`, which is none, as null. */
function textOf(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
