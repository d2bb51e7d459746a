/**
 * Broken stores: a key space with one defect each. Each departure from the contract is counted where it has effect.
 *
 *   B1  The chains keep the truth: what a reader or writer was wrongly told is in its outcome, not in the chain.
 *   B2  What varies (which replica, which way) is drawn; 0 is the right behaviour (K2).
 *   B3  Nothing else is wrong: without its trigger a broken store is the sound one that it is made of.
 *
 * Not covered: conditions that are skipped only while the store has lost some of its machines, and bodies that are
 * cut short and answered as whole, which the checksum of every object shows.
 */
import type {
  DeleteCondition,
  Etag,
  ListCursor,
  ListRequest,
  PutCondition,
} from "../../src/ports/object-store.ts";
import { refusal } from "../../src/ports/semantics.ts";
import { fnv1a } from "../../src/std/hash.ts";
import type { FaultKind, StoreOperation, Version } from "../history/history.ts";
import type { ChoiceSource } from "../kernel/choice.ts";
import { KeySpace } from "./key-space.ts";
import type { StoreProfile } from "./profiles/profile.ts";

/** Between the check of a condition and the write, or until one endpoint hears of the other's writes. */
const GAP_MS = 20;
/** How old a stale read is at most. */
const STALE_MS = 500;
/** How long a reader's cache holds. */
const CACHE_MS = 3_000;
const TICK_MS = 1_000;

type Refusal = "precondition-failed" | "not-found" | null;

/** A key space with the profile's defect; a plain one when there is none. */
export function keySpaceOf(
  profile: StoreProfile,
  choices: ChoiceSource,
  struck: (kind: FaultKind) => void,
): KeySpace {
  switch (profile.defect) {
    case null:
      return new KeySpace(profile);
    case "conditions-ignored":
    case "conditions-not-atomic":
    case "conditions-per-endpoint":
    case "recreate-refused":
    case "missing-key-creates":
      return new LooseConditions(profile, struck);
    case "etag-by-mtime":
      return new MtimeEtags(profile, struck);
    case "stale-reads":
    case "stale-reads-of-others":
      return new StaleReads(profile, choices, struck);
    case "list-skips":
    case "list-repeats":
      return new RaggedPages(profile, struck);
  }
}

/** Conditions that are not what the contract says. */
class LooseConditions extends KeySpace {
  readonly #struck: (kind: FaultKind) => void;

  constructor(profile: StoreProfile, struck: (kind: FaultKind) => void) {
    super(profile);
    this.#struck = struck;
  }

  protected override refusalFor(
    operation: StoreOperation,
    nowMs: number,
    condition: PutCondition | DeleteCondition,
  ): Refusal {
    const right = super.refusalFor(operation, nowMs, condition);
    const given = this.#given(operation, nowMs, condition, right);
    if (given !== right)
      this.#struck(this.profile.defect === "missing-key-creates" ? "F07-status" : "F08-condition");
    return given;
  }

  #given(
    operation: StoreOperation,
    nowMs: number,
    condition: PutCondition | DeleteCondition,
    right: Refusal,
  ): Refusal {
    const chain = this.chains.get(operation.key) ?? [];
    switch (this.profile.defect) {
      case "conditions-ignored":
        return null;
      case "missing-key-creates":
        return condition.kind === "if-match" && this.current(operation.key) === null ? null : right;
      case "recreate-refused":
        return condition.kind === "if-absent" && chain.at(-1)?.body === null ? "precondition-failed" : right;
      case "conditions-not-atomic":
        return this.#against(
          lastBy(chain, (version) => version.atMs <= nowMs - GAP_MS),
          condition,
        );
      default: {
        // What an endpoint wrote itself it knows at once, what the other one wrote only later.
        const endpoint = endpointOf(operation);
        const isKnown = (version: Version) =>
          version.atMs <= nowMs - GAP_MS || endpointOf(version.operation) === endpoint;
        return this.#against(lastBy(chain, isKnown), condition);
      }
    }
  }

  #against(known: Version | null, condition: PutCondition | DeleteCondition): Refusal {
    const etag = known === null || known.body === null ? null : known.etag;
    return refusal(condition, etag, this.profile.onMissingKey);
  }
}

/** Etags made of the second and the length of a write. */
class MtimeEtags extends KeySpace {
  readonly #struck: (kind: FaultKind) => void;

  constructor(profile: StoreProfile, struck: (kind: FaultKind) => void) {
    super(profile);
    this.#struck = struck;
  }

  protected override etagFor(operation: StoreOperation, nowMs: number, body: string): Etag {
    const etag = `m${Math.trunc(nowMs / TICK_MS)}-${body.length}`;
    const current = this.current(operation.key);
    if (current?.etag === etag && current.body !== body) this.#struck("F09-etag-alias");
    return etag;
  }
}

/** Reads from a replica or a cache that is behind. */
class StaleReads extends KeySpace {
  readonly #choices: ChoiceSource;
  readonly #struck: (kind: FaultKind) => void;
  /** Until when a reader's cache of a key holds, and since when it does. */
  readonly #cached = new Map<string, number>();

  constructor(profile: StoreProfile, choices: ChoiceSource, struck: (kind: FaultKind) => void) {
    super(profile);
    this.#choices = choices;
    this.#struck = struck;
  }

  protected override readFor(operation: StoreOperation, nowMs: number): Version | null {
    const current = super.readFor(operation, nowMs);
    const seen =
      this.profile.defect === "stale-reads"
        ? this.#fromReplica(operation, nowMs)
        : this.#fromCache(operation, nowMs);
    const given = seen === null || seen.body === null ? null : seen;
    if (given !== current) this.#struck("F10-stale-read");
    return given;
  }

  /** One of two replicas: the second is behind by up to half a second. */
  #fromReplica(operation: StoreOperation, nowMs: number): Version | null {
    const chain = this.chains.get(operation.key) ?? [];
    if (this.#choices.choose(2, "store-replica") === 0) return chain.at(-1) ?? null;
    return lastBy(chain, (version) => version.atMs <= nowMs - STALE_MS);
  }

  /** Its own writes a reader sees at once, those of others when its cache of the key has run out. */
  #fromCache(operation: StoreOperation, nowMs: number): Version | null {
    const { process, key } = operation;
    const chain = this.chains.get(key) ?? [];
    const cache = `${process} ${key}`;
    const sinceMs = this.#cached.get(cache);
    if (sinceMs === undefined || nowMs - sinceMs >= CACHE_MS) {
      this.#cached.set(cache, nowMs);
      return chain.at(-1) ?? null;
    }
    return lastBy(chain, (version) => version.atMs <= sinceMs || version.operation.process === process);
  }
}

/** Pages whose edges do not meet. */
class RaggedPages extends KeySpace {
  readonly #struck: (kind: FaultKind) => void;

  constructor(profile: StoreProfile, struck: (kind: FaultKind) => void) {
    super(profile);
    this.#struck = struck;
  }

  protected override pageFor(
    operation: StoreOperation,
    request: ListRequest,
  ): { readonly keys: readonly string[]; readonly next: ListCursor | null } {
    const { cursor, limit } = request;
    if (cursor === null) return super.pageFor(operation, request);
    this.#struck("F11-list");
    if (this.profile.defect === "list-skips") {
      const skipped = super.pageFor(operation, { ...request, limit: 1 });
      if (skipped.next === null) return { keys: [], next: null };
      return super.pageFor(operation, { ...request, cursor: skipped.next });
    }
    const page = super.pageFor(operation, request);
    return { keys: [cursor, ...page.keys].slice(0, limit + 1), next: page.next };
  }
}

/** The newest version of those that hold; null: none does. */
function lastBy(chain: readonly Version[], holds: (version: Version) => boolean): Version | null {
  for (let i = chain.length - 1; i >= 0; i--) {
    const version = chain[i];
    if (version !== undefined && holds(version)) return version;
  }
  return null;
}

/** Each process speaks to one of two endpoints. */
function endpointOf({ process }: StoreOperation): number {
  return fnv1a(process) % 2;
}
