/**
 * A store on the bench: requests within a budget, sent again while there is no answer, and what each key must hold.
 *
 *   B1  no more than `budget` requests in all; the last `RESERVE` of them are for clearing away.
 *   B2  a write without an answer is looked for before it is sent again, so the bench knows of each write whether it
 *       took place. Only a store that never answers is given up.
 *   B3  a store that throttles writes to a key is given its time from then on.
 */
import type { Clock } from "../ports/clock.ts";
import type {
  DeleteCondition,
  DeleteOutcome,
  Etag,
  GetOutcome,
  ListOutcome,
  ListRequest,
  ObjectStore,
  PutCondition,
  PutOutcome,
  Throttled,
  UnknownOutcome,
} from "../ports/object-store.ts";

/** Requests that a probe may send when nobody says otherwise. */
export const BUDGET = 40;
const RESERVE = 5;
/** How long a key rests between writes, once the store has throttled; the strictest stores take one a second. */
const REST_MS = 1_100;
const RETRY_MS = 200;

/**
 * The store did not answer as often as the budget allows. Thrown, because it ends every check at once, and made a
 * value by the probe.
 */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

/** A write whose outcome is known. */
export type KnownPut =
  | { readonly kind: "ok"; readonly etag: Etag }
  | { readonly kind: "refused"; readonly answer: string };

export class ProbeBench {
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  readonly #prefix: string;
  /** When each key was written last. */
  readonly #writtenAtMs = new Map<string, number>();
  readonly #there = new Set<string>();
  readonly #budget: number;
  #sent = 0;
  #most: number;
  #throttles = false;
  /** What the store said when it last left a request open. */
  #excuse = "";

  constructor(store: ObjectStore, clock: Clock, prefix: string, budget: number = BUDGET) {
    this.#store = store;
    this.#budget = budget;
    this.#most = budget - RESERVE;
    this.#clock = clock;
    this.#prefix = prefix;
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#sent;
  }

  /** Keys that may be there: of which a write was answered otherwise than with a refusal, and no delete with ok. */
  get written(): readonly string[] {
    return [...this.#there];
  }

  /** Whether the store has asked to slow down. */
  get throttles(): boolean {
    return this.#throttles;
  }

  async get(key: string): Promise<GetOutcome & { readonly kind: "ok" | "not-found" }> {
    for (;;) {
      this.#spend();
      const outcome = await this.#store.get(this.#prefix + key);
      if (outcome.kind === "ok" || outcome.kind === "not-found") return outcome;
      await this.#pause(outcome);
    }
  }

  /** B2. No other write may have this body. */
  async put(key: string, body: string, condition: PutCondition): Promise<KnownPut> {
    for (;;) {
      const outcome = await this.putOnce(key, body, condition);
      if (outcome.kind === "ok") return outcome;
      if (outcome.kind === "precondition-failed" || outcome.kind === "not-found")
        return { kind: "refused", answer: outcome.kind };
      await this.#pause(outcome);
      const seen = await this.get(key);
      if (seen.kind === "ok" && seen.body === body) return { kind: "ok", etag: seen.etag };
    }
  }

  /** One request, whatever its answer. */
  async putOnce(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    await this.#rest(key);
    this.#spend();
    const outcome = await this.#store.put(this.#prefix + key, body, condition);
    this.#written(key, outcome.kind);
    if (outcome.kind !== "precondition-failed" && outcome.kind !== "not-found") this.#there.add(key);
    return outcome;
  }

  async delete(key: string, condition: DeleteCondition): Promise<"gone" | "refused"> {
    for (;;) {
      await this.#rest(key);
      this.#spend();
      const outcome: DeleteOutcome = await this.#store.delete(this.#prefix + key, condition);
      this.#written(key, outcome.kind);
      if (outcome.kind === "ok") {
        this.#there.delete(key);
        return "gone";
      }
      if (outcome.kind === "precondition-failed" || outcome.kind === "not-found") return "refused";
      await this.#pause(outcome);
    }
  }

  /** A page of the keys of the bench, named as on the bench. */
  async list(request: Omit<ListRequest, "prefix">) {
    for (;;) {
      this.#spend();
      const outcome: ListOutcome = await this.#store.list({ ...request, prefix: this.#prefix });
      if (outcome.kind === "ok") {
        const keys = outcome.entries.map(({ key }) => key.slice(this.#prefix.length));
        return { keys, next: outcome.next };
      }
      await this.#pause(outcome);
    }
  }

  /** From now on the reserve may be used, too. */
  openReserve(): void {
    this.#most = this.#budget;
  }

  #spend(): void {
    if (this.#sent >= this.#most)
      throw new Unanswered(`the store left too many requests without an answer${this.#excuse}`);
    this.#sent += 1;
  }

  #written(key: string, answer: string): void {
    if (answer === "throttled") this.#throttles = true;
    this.#writtenAtMs.set(key, this.#clock.monotonicMs());
  }

  /** B3. */
  async #rest(key: string): Promise<void> {
    const writtenAtMs = this.#writtenAtMs.get(key);
    if (!this.#throttles || writtenAtMs === undefined) return;
    const leftMs = writtenAtMs + REST_MS - this.#clock.monotonicMs();
    if (leftMs > 0) await this.#clock.sleep(leftMs);
  }

  async #pause(open: { readonly kind: "conflict" } | Throttled | UnknownOutcome): Promise<void> {
    this.#excuse = `; the last time: ${open.kind === "unknown-outcome" ? open.detail : open.kind}`;
    await this.#clock.sleep((open.kind === "throttled" ? open.retryAfterMs : null) ?? RETRY_MS);
  }
}
