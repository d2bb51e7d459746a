/**
 * One logical write of one object: load, decide, write on a condition, and settle what an answer did not tell.
 *
 *   W1  every write is conditional on the very version that the decision was made from.
 *   W2  a write whose outcome is unknown is settled only by finding its write id in the object or its lineage
 *       (it happened), or by a later version of the object whose lineage would show it and does not (it cannot
 *       happen any more, because the version it needs is gone).
 *   W3  a refusal, or an answer that needs no write, is given only when no own write can still land. If one can, a
 *       barrier write (the same value, a new stamp) first makes it impossible. That a command had no effect is not
 *       said either when an own write has dropped out of the lineage.
 *   W4  when the tries are used up with an own write unsettled, the answer is `unknown-outcome`; with none, it is
 *       `unavailable`: nothing was done and nothing will be.
 *   W5  an object that does not open is left as it is.
 *   W6  the first write may go out on a version that the node remembers, without a read. Nothing else is decided on a
 *       remembered version: what is answered or refused follows from one that this call has read.
 *   W7  a write that leaves no mark of its call is not decided anew when an own one has dropped out of the lineage: it
 *       would be done twice. What came of it is unknown then.
 *
 * Does not own what is decided (`protocol`), nor which object is written (its callers).
 * Source: catalogue part 4 and part 5 rules 1, 2; B01, B06, B11, B12, B24; I01, I05, I21.
 */
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import {
  type Etag,
  type GetOutcome,
  IF_ABSENT,
  ifMatch,
  type ObjectStore,
  type PutCondition,
  type PutOutcome,
} from "../ports/object-store.ts";
import type { Random } from "../ports/random.ts";
import type { Trace } from "../ports/trace.ts";
import type { Decision, Moment } from "../protocol/decision.ts";
import { present } from "../std/assert.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { LINEAGE_LENGTH, type WriteStamp } from "../vocabulary/instance.ts";
import { backOff, type Patience } from "./backoff.ts";
import type { Codec, Stamped } from "./codec.ts";
import type { KeyPace } from "./key-pace.ts";
import { type Read, readingOf } from "./read.ts";
import { meaningOf } from "./status-table.ts";

export interface StorePorts {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly trace: Trace;
  /** Absent: writes of a key keep no distance. */
  readonly pace?: KeyPace;
}

/** A version of an object as it was read. */
export interface Loaded<Document> extends Stamped<Document> {
  readonly etag: Etag;
}

/** The versions that a node remembers (`known-versions.ts`). `chars` is the length of the body. */
export interface Memory<Document> {
  /** The version to go out on without a read; null: read first. */
  recall(key: string): Loaded<Document> | null;
  wrote(key: string, version: Loaded<Document>, chars: number): void;
  /** Null: there is no object. */
  read(key: string, version: Loaded<Document> | null, chars: number): void;
  /** A write went out and is not known to have happened; `refused`: on a remembered version that is not the present one. */
  forget(key: string, refused: boolean): void;
}

/** A node that remembers nothing. */
export const NO_MEMORY: Memory<never> = {
  recall: () => null,
  wrote: () => undefined,
  read: () => undefined,
  forget: () => undefined,
};

/** Decides on what is stored now (null: nothing is). May read other objects; may be asked several times. */
export type Decide<Document, Reply> = (
  current: Loaded<Document> | null,
  moment: Moment,
) => Promise<Decision<Document, Reply>> | Decision<Document, Reply>;

/** What a settled write answers, with the version it was decided on or wrote. */
export interface Settled<Document, Reply> {
  readonly reply: Reply;
  readonly stamp: WriteStamp;
  readonly value: Document;
  /** Whether this call wrote the object. */
  readonly wrote: boolean;
  /** The value before this call's write; null when it wrote nothing or created the object. */
  readonly before: Document | null;
  /** The last version that the call saw: later than its own when that was found in the lineage. */
  readonly latest: Stamped<Document>;
}

/** An own write that may have happened or may still happen. */
interface Unsettled<Document, Reply> {
  readonly stamp: WriteStamp;
  readonly base: Loaded<Document> | null;
  readonly value: Document;
  /** Null for a barrier write, which answers nobody. */
  readonly reply: { readonly value: Reply } | null;
}

/** What a try comes to. */
type End<Document, Reply> =
  | { readonly kind: "done"; readonly result: Result<Settled<Document, Reply>, Failure> }
  | { readonly kind: "again"; readonly waitMs: number | null };

/** What was read is to be decided on. */
interface Question<Document> {
  readonly kind: "decide";
  readonly current: Loaded<Document> | null;
  readonly moment: Moment;
}

/** What was decided is to be written. */
interface Write<Document, Reply> {
  readonly kind: "write";
  readonly own: Unsettled<Document, Reply>;
  readonly condition: PutCondition;
  readonly body: string;
}

type Step<Document, Reply> = End<Document, Reply> | Question<Document> | Write<Document, Reply>;

/** Carries one command to the object under `key`. Answers within `patience.tries` tries and one more read. */
export function conditionalWrite<Document, Reply>(
  ports: StorePorts,
  key: string,
  codec: Codec<Document>,
  patience: Patience,
  decide: Decide<Document, Reply>,
  memory: Memory<Document> = NO_MEMORY,
): Promise<Result<Settled<Document, Reply>, Failure>> {
  return new Attempt(ports, key, codec, decide, memory).run(patience);
}

/** Waits for the store and for the decision in one place, `run`; what follows from each answer is plain code. */
class Attempt<Document, Reply> {
  readonly #ports: StorePorts;
  readonly #key: string;
  readonly #codec: Codec<Document>;
  readonly #decide: Decide<Document, Reply>;
  readonly #memory: Memory<Document>;
  #unsettled: readonly Unsettled<Document, Reply>[] = [];
  /** An own write's fate can no longer be read from the object: too much was written since. */
  #blind = false;
  #refusals = 0;

  constructor(
    ports: StorePorts,
    key: string,
    codec: Codec<Document>,
    decide: Decide<Document, Reply>,
    memory: Memory<Document>,
  ) {
    this.#ports = ports;
    this.#key = key;
    this.#codec = codec;
    this.#decide = decide;
    this.#memory = memory;
  }

  /** Each try: one read, one decision, at most one write. The first goes without the read when it can (W6). */
  async run(patience: Patience): Promise<Result<Settled<Document, Reply>, Failure>> {
    const { store, clock, pace } = this.#ports;
    let known = this.#memory.recall(this.#key);
    /** Whether this call holds a place among the writes of the key. */
    let hasPlace = false;
    for (let tried = 0; tried < patience.tries; tried++) {
      const remembered = known;
      known = null;
      let step: Step<Document, Reply> =
        remembered === null ? this.#met(await this.#look()) : this.#question(remembered);
      if (step.kind === "decide") {
        const asked = this.#decide(step.current, step.moment);
        let decision = asked instanceof Promise ? await asked : asked;
        const restMs = decision.kind === "write" && !hasPlace ? this.#restMs() : 0;
        hasPlace ||= decision.kind === "write";
        if (restMs > 0) {
          await clock.sleep(restMs);
          // Somebody of this node was first: a write on that version would be refused, and the place lost. It is kept.
          if (pace?.isPast(this.#key, step.current?.etag ?? null) === true) {
            tried--;
            continue;
          }
          step = this.#question(step.current);
          decision = await this.#decide(step.current, step.moment);
        }
        if (remembered !== null && decision.kind !== "write") {
          tried--;
          continue;
        }
        step = this.#decided(step.current, decision);
      }
      if (step.kind === "write") {
        const { body, condition } = step;
        const outcome = await store.put(this.#key, body, condition);
        pace?.answered(this.#key, outcome, clock.monotonicMs());
        hasPlace = false;
        step = this.#answered(step, outcome, remembered !== null);
      }
      if (step.kind === "done") {
        if (hasPlace) pace?.gaveUp(this.#key);
        return step.result;
      }
      if (step.waitMs !== null && tried + 1 < patience.tries)
        await backOff(this.#ports, patience, tried, step.waitMs);
    }
    if (hasPlace) pace?.gaveUp(this.#key);
    return this.#lastLook();
  }

  /** Writes of a key keep their distance: how long this one has to wait. What is written after that is decided anew. */
  #restMs(): number {
    const { clock, pace } = this.#ports;
    return pace?.waitMs(this.#key, clock.monotonicMs()) ?? 0;
  }

  async #look(): Promise<Read<Stamped<Document>>> {
    const { store, clock, pace } = this.#ports;
    const outcome = await store.get(this.#key);
    if (outcome.kind === "ok") pace?.found(this.#key, outcome.etag, clock.monotonicMs());
    return remembering(this.#key, outcome, this.#codec, this.#memory);
  }

  #met(read: Read<Stamped<Document>>): End<Document, Reply> | Question<Document> {
    if (read.kind === "unread") return { kind: "again", waitMs: read.waitMs };
    if (read.kind === "corrupt") return this.#done(err(this.#unlessOpen(read.failure)));
    const current = loadedFrom(read);
    const own = this.#settle(current);
    return own === null ? this.#question(current) : this.#done(ok(own));
  }

  #question(current: Loaded<Document> | null): Question<Document> {
    const sequence = (current?.stamp.sequence ?? 0) + 1;
    return { kind: "decide", current, moment: { now_ms: this.#ports.clock.wallMs(), sequence } };
  }

  #decided(
    current: Loaded<Document> | null,
    decision: Decision<Document, Reply>,
  ): End<Document, Reply> | Write<Document, Reply> {
    if (decision.kind === "write") {
      if (decision.unmarked === true && this.#blind) return this.#done(err(this.#unlessOpen(this.#late())));
      return this.#write(current, decision.next, { value: decision.reply }, decision.sequence);
    }
    if (this.#unsettled.length > 0 && current !== null) return this.#write(current, current.value, null);
    if (decision.kind === "refuse") return this.#done(err(this.#unlessOpen(decision.failure)));
    if (decision.kind === "nothing" && this.#blind) return this.#done(err(this.#unlessOpen(this.#late())));
    return this.#answer(current, decision.reply);
  }

  /** The tries are used up: one more read, if an own write is unsettled, and then what to say (W4). */
  async #lastLook(): Promise<Result<Settled<Document, Reply>, Failure>> {
    if (this.#unsettled.length > 0) {
      const read = await this.#look();
      const known = read.kind === "found" || read.kind === "absent";
      const own = known ? this.#settle(loadedFrom(read)) : null;
      if (own !== null) return ok(own);
    }
    return err(this.#unlessOpen(this.#late()));
  }

  #late(): Failure {
    const message = `${this.#key} could not be written in time; repeat the request after a while`;
    return failure("unavailable", "store_unavailable", message);
  }

  #write(
    base: Loaded<Document> | null,
    value: Document,
    reply: { readonly value: Reply } | null,
    sequence = (base?.stamp.sequence ?? 0) + 1,
  ): Write<Document, Reply> {
    const stamp = nextStamp(base?.stamp ?? null, sequence, this.#ports.ids.next());
    const condition = base === null ? IF_ABSENT : ifMatch(base.etag);
    const body = this.#codec.encode(stamp, value);
    return { kind: "write", own: { stamp, base, value, reply }, condition, body };
  }

  #answered(
    { own, condition, body }: Write<Document, Reply>,
    outcome: PutOutcome,
    remembered: boolean,
  ): End<Document, Reply> {
    const meaning = meaningOf(outcome, condition);
    if (meaning.kind === "applied") {
      const { stamp, value } = own;
      this.#memory.wrote(this.#key, { stamp, value, etag: meaning.etag }, body.length);
      // The version that every unsettled write needs is gone (W2). A barrier leaves the decision to be made again.
      this.#unsettled = [];
      if (own.reply === null) return { kind: "again", waitMs: null };
      return this.#done(ok(settled(own, own.reply.value, own)));
    }
    this.#unsettled = [...this.#unsettled, own];
    this.#memory.forget(this.#key, remembered && meaning.kind === "refused");
    if (meaning.kind === "unknown") return { kind: "again", waitMs: meaning.waitMs };
    // What was remembered was old: that is no race lost.
    if (!remembered) this.#refusals += 1;
    // Somebody else was first: look at once. Met again, the key is contended: stand back.
    return { kind: "again", waitMs: this.#refusals <= 1 ? null : 0 };
  }

  /** Finds an own write that happened, and forgets those that cannot happen any more (W2). */
  #settle(current: Loaded<Document> | null): Settled<Document, Reply> | null {
    for (const own of this.#unsettled)
      if (own.reply !== null && current !== null && carries(current.stamp, own.stamp.write_id))
        return settled(own, own.reply.value, current);
    for (const own of this.#unsettled)
      if (own.reply !== null && isHidden(own.base?.stamp ?? null, current?.stamp ?? null)) this.#blind = true;
    this.#unsettled = this.#unsettled.filter((own) => (own.base?.etag ?? null) === (current?.etag ?? null));
    return null;
  }

  #answer(current: Loaded<Document> | null, reply: Reply): End<Document, Reply> {
    const latest = present(current, "the document that an answer was read from");
    const { stamp, value } = latest;
    return this.#done(ok({ reply, stamp, value, wrote: false, before: null, latest }));
  }

  #done(result: Result<Settled<Document, Reply>, Failure>): End<Document, Reply> {
    return { kind: "done", result };
  }

  /** The failure, unless an own write is unsettled: then nothing can be promised (W3, W4). */
  #unlessOpen(settledFailure: Failure): Failure {
    if (this.#unsettled.length === 0 && !this.#blind) return settledFailure;
    this.#ports.trace.emit("write-unsettled", { key: this.#key });
    const message = `whether ${this.#key} was written is not known; repeat the same request`;
    return failure("unknown-outcome", "outcome_unknown", message);
  }
}

/** What the store answered to a read, remembered if it tells what is stored. */
export function remembering<Document>(
  key: string,
  outcome: GetOutcome,
  codec: Codec<Document>,
  memory: Memory<Document>,
): Read<Stamped<Document>> {
  const read = readingOf(outcome, key, codec);
  if (read.kind === "found" || read.kind === "absent")
    memory.read(key, loadedFrom(read), outcome.kind === "ok" ? outcome.body.length : 0);
  return read;
}

/** What was read, as a version to write on; null: there is none. */
function loadedFrom<Document>(read: Read<Stamped<Document>>): Loaded<Document> | null {
  if (read.kind !== "found") return null;
  const { stamp, value } = read.document;
  return { stamp, value, etag: read.etag };
}

function settled<Document, Reply>(
  own: Unsettled<Document, Reply>,
  reply: Reply,
  { stamp, value }: Stamped<Document>,
): Settled<Document, Reply> {
  const before = own.base?.value ?? null;
  return { reply, stamp: own.stamp, value: own.value, wrote: true, before, latest: { stamp, value } };
}

function nextStamp(before: WriteStamp | null, sequence: number, writeId: string): WriteStamp {
  if (before === null) return { sequence, write_id: writeId, lineage: [] };
  const lineage = [before.write_id, ...before.lineage].slice(0, LINEAGE_LENGTH);
  return { sequence, write_id: writeId, lineage };
}

function carries(stamp: WriteStamp, writeId: string): boolean {
  return stamp.write_id === writeId || stamp.lineage.includes(writeId);
}

/** Whether the object has moved on so far from the version of a write that its lineage would not show that write. */
function isHidden(base: WriteStamp | null, current: WriteStamp | null): boolean {
  if (current === null) return base !== null;
  // What follows a version that is shown is shown, too; so is everything by a lineage that is not full.
  return current.lineage.length >= LINEAGE_LENGTH && !(base !== null && carries(current, base.write_id));
}
