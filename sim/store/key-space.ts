/**
 * What an object store is, as a pure model: keys with the whole chain of their versions, and four operations.
 *
 * Owns the semantics and the record of what the store decided. Knows no time of its own, no network and no
 * fault: whoever delivers a request says when.
 *
 *   V1  A chain only grows; its last version is the current one, and a null body there means the key is gone.
 *   V2  Condition and write are one call, so nothing comes between them (rule O4 of the port).
 *   V3  An operation keeps the verdict, time and version of its first send that was applied. Sent again by a
 *       layer below its sender, it may be refused, or applied once more as a further version of the same
 *       operation: an unconditional put, or an if-match on an etag that the first send reproduced.
 *   V4  A write that its condition allows is throttled, and not applied, when its key has had as many writes within
 *       the last second as the profile allows.
 *
 * The methods that end in "…For" are where a broken store (`broken-key-space.ts`) departs from this one.
 */
import type {
  DeleteCondition,
  DeleteOutcome,
  Etag,
  GetOutcome,
  ListCursor,
  ListEntry,
  ListOutcome,
  ListRequest,
  PutCondition,
  PutOutcome,
  Throttled,
} from "../../src/ports/object-store.ts";
import { etagOf, refusal } from "../../src/ports/semantics.ts";
import { fnv1a } from "../../src/std/hash.ts";
import { compareKeys, SortedKeys } from "../../src/std/sorted-keys.ts";
import type { StoreOperation, Verdict, Version } from "../history/history.ts";
import type { StoreProfile } from "./profiles/profile.ts";

const SECOND_MS = 1_000;
const NO_ETAG: Etag = "";
const NOT_FOUND: { readonly kind: "not-found" } = { kind: "not-found" };
const DELETED: { readonly kind: "ok" } = { kind: "ok" };
const THROTTLED: Throttled = Object.freeze({ kind: "throttled", retryAfterMs: null });

export class KeySpace {
  readonly chains = new Map<string, Version[]>();
  readonly profile: StoreProfile;
  readonly #live = new SortedKeys();
  readonly #names = new Map<string, Etag>();
  #versions = 0;

  constructor(profile: StoreProfile) {
    this.profile = profile;
  }

  /** The current version of the key, or null when it is not there. */
  current(key: string): Version | null {
    const last = this.chains.get(key)?.at(-1);
    return last === undefined || last.body === null ? null : last;
  }

  get(operation: StoreOperation, nowMs: number): GetOutcome {
    const version = this.readFor(operation, nowMs);
    if (version === null || version.body === null) {
      note(operation, nowMs, "absent", null);
      return NOT_FOUND;
    }
    note(operation, nowMs, "served", version.index);
    return { kind: "ok", body: version.body, etag: version.etag };
  }

  put(operation: StoreOperation, nowMs: number, body: string, condition: PutCondition): PutOutcome {
    const refused = this.refusalFor(operation, nowMs, condition);
    if (refused !== null) {
      note(operation, nowMs, refused, null);
      return refused === "not-found" ? NOT_FOUND : { kind: refused };
    }
    if (this.#isTooFast(operation.key, nowMs)) return throttled(operation, nowMs);
    const etag = this.etagFor(operation, nowMs, body, this.#versions + 1);
    if (this.current(operation.key) === null) this.#live.add(operation.key);
    this.#append(operation, nowMs, body, etag);
    return { kind: "ok", etag };
  }

  delete(operation: StoreOperation, nowMs: number, condition: DeleteCondition): DeleteOutcome {
    if (this.profile.deleteConditions === "checked") {
      const refused = this.refusalFor(operation, nowMs, condition);
      if (refused !== null) {
        note(operation, nowMs, refused, null);
        return { kind: refused };
      }
    }
    // A delete of nothing is answered ok and leaves no version: there is nothing that a later read could tell.
    if (this.current(operation.key) === null) {
      note(operation, nowMs, "absent", null);
      return DELETED;
    }
    if (this.#isTooFast(operation.key, nowMs)) return throttled(operation, nowMs);
    this.#live.remove(operation.key);
    this.#append(operation, nowMs, null, NO_ETAG);
    return DELETED;
  }

  list(operation: StoreOperation, nowMs: number, request: ListRequest): ListOutcome {
    const page = this.pageFor(operation, request);
    const entries: ListEntry[] = [];
    for (const key of page.keys) {
      const version = this.current(key);
      if (version !== null) entries.push({ key, etag: version.etag });
    }
    note(operation, nowMs, "served", null);
    return { kind: "ok", entries, next: page.next };
  }

  /** The version that a get sees. */
  protected readFor(operation: StoreOperation, _nowMs: number): Version | null {
    return this.current(operation.key);
  }

  /** Why the write is refused, or null. */
  protected refusalFor(
    operation: StoreOperation,
    _nowMs: number,
    condition: PutCondition | DeleteCondition,
  ): "precondition-failed" | "not-found" | null {
    const current = this.current(operation.key);
    return refusal(condition, current === null ? null : current.etag, this.profile.onMissingKey);
  }

  /** The etag of a body that is about to be written; `sequence` counts the versions of the store. */
  protected etagFor(_operation: StoreOperation, _nowMs: number, body: string, sequence: number): Etag {
    return this.profile.etags === "content-hash"
      ? this.#nameOf(body)
      : etagOf(this.profile.etags, body, sequence);
  }

  /** Stands for a hash of the content: equal bodies have one name. Looking it up is quicker than hashing. */
  #nameOf(body: string): Etag {
    let name = this.#names.get(body);
    if (name === undefined) {
      name = `h${this.#names.size + 1}`;
      this.#names.set(body, name);
    }
    return name;
  }

  protected pageFor(
    _operation: StoreOperation,
    request: ListRequest,
  ): { readonly keys: readonly string[]; readonly next: ListCursor | null } {
    if (this.profile.listOrder === "none") return this.#unorderedPage(request);
    const { prefix, startAfter = null, cursor, limit } = request;
    const { keys, truncated } = this.#live.page(prefix, cursor ?? startAfter, limit);
    return { keys, next: truncated ? (keys.at(-1) ?? null) : null };
  }

  /** An order that has nothing to do with that of the keys, yet is the same for each page of a listing. */
  #unorderedPage({ prefix, startAfter = null, cursor, limit }: ListRequest) {
    const keys: string[] = [];
    for (const [key, chain] of this.chains)
      if (key.startsWith(prefix) && chain.at(-1)?.body !== null)
        if (startAfter === null || compareKeys(key, startAfter) > 0) keys.push(key);
    keys.sort((a, b) => fnv1a(a) - fnv1a(b) || compareKeys(a, b));
    const isAfter = (key: string, other: string) =>
      fnv1a(key) > fnv1a(other) || (fnv1a(key) === fnv1a(other) && compareKeys(key, other) > 0);
    const following = cursor === null ? keys : keys.filter((key) => isAfter(key, cursor));
    const page = following.slice(0, limit);
    return { keys: page, next: following.length > limit ? (page.at(-1) ?? null) : null };
  }

  /** V4: the write that is as many writes back as a second takes lies less than a second back. */
  #isTooFast(key: string, nowMs: number): boolean {
    const limit = this.profile.writesPerSecond;
    if (limit === null) return false;
    const chain = this.chains.get(key);
    const earlier = chain?.[chain.length - limit];
    return earlier !== undefined && nowMs - earlier.atMs < SECOND_MS;
  }

  #append(operation: StoreOperation, nowMs: number, body: string | null, etag: Etag): void {
    this.#versions += 1;
    let chain = this.chains.get(operation.key);
    if (chain === undefined) {
      chain = [];
      this.chains.set(operation.key, chain);
    }
    const index = chain.length;
    chain.push({ key: operation.key, index, body, etag, atMs: nowMs, operation });
    note(operation, nowMs, "applied", index);
  }
}

function throttled(operation: StoreOperation, nowMs: number): Throttled {
  note(operation, nowMs, "throttled", null);
  return THROTTLED;
}

/** Records a decision, unless an earlier send was already applied (V3). */
function note(operation: StoreOperation, nowMs: number, verdict: Verdict, version: number | null): void {
  if (operation.verdict === "applied") return;
  operation.appliedAtMs = nowMs;
  operation.verdict = verdict;
  operation.version = version;
}
