/**
 * An object store in this process's memory: for tests, examples and a first try.
 *
 * Keeps the current object of each key and nothing else: no versions, no faults, no latency. Answers at once,
 * so every promise is resolved when it is returned and each operation is one step (rule O4 of the port).
 * Nothing survives the process.
 */
import type {
  DeleteCondition,
  DeleteOutcome,
  Etag,
  GetOutcome,
  ListEntry,
  ListOutcome,
  ListRequest,
  ObjectStore,
  PutCondition,
  PutOutcome,
} from "../ports/object-store.ts";
import { type EtagMode, etagOf, type MissingKeyAnswer, refusal } from "../ports/semantics.ts";
import { SortedKeys } from "../std/sorted-keys.ts";

export interface MemoryStoreOptions {
  /** Default: `content-hash`. */
  readonly etags?: EtagMode;
  /** Default: `not-found`. */
  readonly onMissingKey?: MissingKeyAnswer;
}

interface StoredObject {
  readonly body: string;
  readonly etag: Etag;
}

export class MemoryStore implements ObjectStore {
  readonly #etags: EtagMode;
  readonly #onMissingKey: MissingKeyAnswer;
  readonly #objects = new Map<string, StoredObject>();
  readonly #order = new SortedKeys();
  #sequence = 0;

  constructor(options: MemoryStoreOptions = {}) {
    this.#etags = options.etags ?? "content-hash";
    this.#onMissingKey = options.onMissingKey ?? "not-found";
  }

  get(key: string): Promise<GetOutcome> {
    const object = this.#objects.get(key);
    if (object === undefined) return Promise.resolve({ kind: "not-found" });
    return Promise.resolve({ kind: "ok", body: object.body, etag: object.etag });
  }

  put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    const current = this.#objects.get(key);
    const refused = refusal(condition, current?.etag ?? null, this.#onMissingKey);
    if (refused !== null) return Promise.resolve({ kind: refused });
    this.#sequence += 1;
    const etag = etagOf(this.#etags, body, this.#sequence);
    if (current === undefined) this.#order.add(key);
    this.#objects.set(key, { body, etag });
    return Promise.resolve({ kind: "ok", etag });
  }

  delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome> {
    const refused = refusal(condition, this.#objects.get(key)?.etag ?? null, this.#onMissingKey);
    if (refused !== null) return Promise.resolve({ kind: refused });
    if (this.#objects.delete(key)) this.#order.remove(key);
    return Promise.resolve({ kind: "ok" });
  }

  list(request: ListRequest): Promise<ListOutcome> {
    const { prefix, startAfter = null, cursor, limit } = request;
    const page = this.#order.page(prefix, cursor ?? startAfter, limit);
    const entries: ListEntry[] = [];
    for (const key of page.keys) {
      const object = this.#objects.get(key);
      if (object !== undefined) entries.push({ key, etag: object.etag });
    }
    const next = page.truncated ? (page.keys.at(-1) ?? null) : null;
    return Promise.resolve({ kind: "ok", entries, next });
  }
}
