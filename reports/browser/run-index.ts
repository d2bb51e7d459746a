/**
 * A recorded run, made ready for questions: which version a key had, who won a race, what a write was based on.
 *
 * Owns every conclusion that a page draws from the record. Conclusions are about who was first, never about who was
 * right: that is the checkers' business.
 *
 *   X1  The rival of a refused write is the operation that made the version which the refusal is about: the one
 *       after the version that its condition names; without such a one, the version that stood there.
 *   X2  The basis of a conditional write is the last read by the same life of the same process that was served
 *       the version which the condition names.
 */
import type { CallData, OperationData, RunData, VersionData } from "../report-data.ts";
import { KeyNames } from "./key-names.ts";

/** A version with its place. */
export interface Placed {
  readonly index: number;
  readonly version: VersionData;
  /** The operation that wrote it. */
  readonly operation: OperationData;
}

export class RunIndex {
  readonly data: RunData;
  readonly names: KeyNames;
  readonly #operations = new Map<number, OperationData>();
  readonly #chains = new Map<number, readonly VersionData[]>();

  constructor(data: RunData) {
    this.data = data;
    this.names = new KeyNames(data.keys);
    for (const op of data.operations) this.#operations.set(op.id, op);
    for (const chain of data.chains) this.#chains.set(chain.key, chain.versions);
  }

  operation(id: number): OperationData | null {
    return this.#operations.get(id) ?? null;
  }

  chainOf(key: number): readonly VersionData[] {
    return this.#chains.get(key) ?? [];
  }

  version(key: number, index: number | null): Placed | null {
    const version = index === null ? undefined : this.chainOf(key)[index];
    const operation = version === undefined ? null : this.operation(version.operation);
    return version === undefined || operation === null || index === null
      ? null
      : { index, version, operation };
  }

  /** The version that the key had when the store looked at the operation; null: there was none yet. */
  before(op: OperationData): Placed | null {
    if (op.verdict === "applied" && op.version !== null) return this.version(op.key, op.version - 1);
    const atMs = op.appliedAtMs ?? op.answeredAtMs ?? op.sentAtMs;
    let found: number | null = null;
    for (const [index, version] of this.chainOf(op.key).entries()) if (version.atMs <= atMs) found = index;
    return this.version(op.key, found);
  }

  /** X1; null: the operation was not refused for what the key held. */
  rivalOf(op: OperationData): Placed | null {
    if (op.verdict !== "precondition-failed" && !(op.verdict === "not-found" && isWrite(op))) return null;
    const named = op.condition?.version ?? null;
    return (named === null ? null : this.version(op.key, named + 1)) ?? this.before(op);
  }

  /** X2. */
  basisOf(op: OperationData): OperationData | null {
    const named = op.condition?.version ?? null;
    if (named === null) return null;
    const reads = this.data.operations.filter(
      (read) =>
        read.id < op.id &&
        read.key === op.key &&
        read.version === named &&
        read.process === op.process &&
        read.incarnation === op.incarnation &&
        read.answeredAtMs !== null,
    );
    return reads.at(-1) ?? null;
  }

  /** The conditional writes that lost to this version. */
  losersTo(op: OperationData): readonly OperationData[] {
    if (op.verdict !== "applied" || op.version === null) return [];
    return this.data.operations.filter(
      (other) => other.key === op.key && other.id !== op.id && this.rivalOf(other)?.operation === op,
    );
  }

  /** The calls that the sender of the operation was serving then, the one that came last in front. */
  servedBy(op: OperationData): readonly CallData[] {
    const open = this.data.calls.filter(
      ({ to, sentAtMs, answeredAtMs }) =>
        to === op.process && sentAtMs <= op.sentAtMs && (answeredAtMs ?? Infinity) >= op.sentAtMs,
    );
    return open.reverse();
  }

  /** The keys that were written, or asked for by name. */
  get objectKeys(): readonly number[] {
    const keys = new Set<number>(this.#chains.keys());
    for (const op of this.data.operations) if (op.kind !== "list") keys.add(op.key);
    return [...keys].sort((a, b) => a - b);
  }

  /** The key that a finding names: as a whole, or by a part of it as an id; the most written one of these. */
  keyNamed(text: string | null): number | null {
    if (text === null || text === "") return null;
    const whole = this.data.keys.indexOf(text);
    if (whole !== -1) return whole;
    const isNamed = (key: number): boolean => (this.data.keys[key] ?? "").includes(text);
    const named = this.objectKeys.filter(isNamed);
    named.sort((a, b) => this.chainOf(b).length - this.chainOf(a).length);
    return named[0] ?? null;
  }
}

export function isWrite(op: OperationData): boolean {
  return op.kind === "put" || op.kind === "delete";
}
