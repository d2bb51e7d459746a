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
 */
import type {
  DeleteCondition,
  DeleteOutcome,
  Etag,
  GetOutcome,
  ListEntry,
  ListOutcome,
  ListRequest,
  PutCondition,
  PutOutcome,
} from "../../src/ports/object-store.ts";
import { type EtagMode, type MissingKeyAnswer, refusal } from "../../src/ports/semantics.ts";
import { SortedKeys } from "../../src/std/sorted-keys.ts";
import type { StoreOperation, Verdict, Version } from "../history/history.ts";

/** How this store behaves where stores differ (catalogue F07, F09). */
export interface StoreProfile {
  readonly etags: EtagMode;
  readonly onMissingKey: MissingKeyAnswer;
  /** `ignored`: deletes whatever the condition says, as Ceph does. */
  readonly deleteConditions: "checked" | "ignored";
}

const NO_ETAG: Etag = "";
const NOT_FOUND: { readonly kind: "not-found" } = { kind: "not-found" };
const DELETED: { readonly kind: "ok" } = { kind: "ok" };

export class KeySpace {
  readonly chains = new Map<string, Version[]>();
  readonly #profile: StoreProfile;
  readonly #live = new SortedKeys();
  readonly #names = new Map<string, Etag>();
  #versions = 0;

  constructor(profile: StoreProfile) {
    this.#profile = profile;
  }

  /** The current version of the key, or null when it is not there. */
  current(key: string): Version | null {
    const last = this.chains.get(key)?.at(-1);
    return last === undefined || last.body === null ? null : last;
  }

  get(operation: StoreOperation, nowMs: number): GetOutcome {
    const version = this.current(operation.key);
    if (version === null || version.body === null) {
      note(operation, nowMs, "absent", null);
      return NOT_FOUND;
    }
    note(operation, nowMs, "served", version.index);
    return { kind: "ok", body: version.body, etag: version.etag };
  }

  put(operation: StoreOperation, nowMs: number, body: string, condition: PutCondition): PutOutcome {
    const current = this.current(operation.key);
    const refused = refusal(condition, current === null ? null : current.etag, this.#profile.onMissingKey);
    if (refused !== null) {
      note(operation, nowMs, refused, null);
      return refused === "not-found" ? NOT_FOUND : { kind: refused };
    }
    const etag = this.#profile.etags === "content-hash" ? this.#nameOf(body) : `g${this.#versions + 1}`;
    if (current === null) this.#live.add(operation.key);
    this.#append(operation, nowMs, body, etag);
    return { kind: "ok", etag };
  }

  delete(operation: StoreOperation, nowMs: number, condition: DeleteCondition): DeleteOutcome {
    const current = this.current(operation.key);
    if (this.#profile.deleteConditions === "checked") {
      const refused = refusal(condition, current === null ? null : current.etag, this.#profile.onMissingKey);
      if (refused !== null) {
        note(operation, nowMs, refused, null);
        return { kind: refused };
      }
    }
    // A delete of nothing is answered ok and leaves no version: there is nothing that a later read could tell.
    if (current === null) {
      note(operation, nowMs, "absent", null);
      return DELETED;
    }
    this.#live.remove(operation.key);
    this.#append(operation, nowMs, null, NO_ETAG);
    return DELETED;
  }

  list(operation: StoreOperation, nowMs: number, request: ListRequest): ListOutcome {
    const page = this.#live.page(request.prefix, request.cursor, request.limit);
    const entries: ListEntry[] = [];
    for (const key of page.keys) {
      const version = this.current(key);
      if (version !== null) entries.push({ key, etag: version.etag });
    }
    note(operation, nowMs, "served", null);
    return { kind: "ok", entries, next: page.truncated ? (page.keys.at(-1) ?? null) : null };
  }

  /** Stands for a hash of the content: equal bodies have one name. A map is quicker than a hash that nobody reads. */
  #nameOf(body: string): Etag {
    let name = this.#names.get(body);
    if (name === undefined) {
      name = `h${this.#names.size + 1}`;
      this.#names.set(body, name);
    }
    return name;
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

/** Records a decision, unless an earlier send was already applied (V3). */
function note(operation: StoreOperation, nowMs: number, verdict: Verdict, version: number | null): void {
  if (operation.verdict === "applied") return;
  operation.appliedAtMs = nowMs;
  operation.verdict = verdict;
  operation.version = version;
}
