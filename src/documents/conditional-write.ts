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
 *
 * Does not own what is decided (`protocol`), nor which object is written (its callers).
 * Source: catalogue part 4 and part 5 rules 1, 2; B01, B06, B11, B12, B24; I01, I05, I21.
 */
import type { Bell } from "../ports/bell.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import {
  type Etag,
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
import { type Read, readingOf } from "./read.ts";
import { meaningOf } from "./status-table.ts";

export interface StorePorts {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly trace: Trace;
  /** Absent: nobody on this node waits to be told of work. */
  readonly bell?: Bell;
}

/** A version of an object as it was read. */
export interface Loaded<Document> extends Stamped<Document> {
  readonly etag: Etag;
}

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
}

type Step<Document, Reply> = End<Document, Reply> | Question<Document> | Write<Document, Reply>;

/** Carries one command to the object under `key`. Answers within `patience.tries` tries and one more read. */
export function conditionalWrite<Document, Reply>(
  ports: StorePorts,
  key: string,
  codec: Codec<Document>,
  patience: Patience,
  decide: Decide<Document, Reply>,
): Promise<Result<Settled<Document, Reply>, Failure>> {
  return new Attempt(ports, key, codec, decide).run(patience);
}

/** Waits for the store and for the decision in one place, `run`; what follows from each answer is plain code. */
class Attempt<Document, Reply> {
  readonly #ports: StorePorts;
  readonly #key: string;
  readonly #codec: Codec<Document>;
  readonly #decide: Decide<Document, Reply>;
  #unsettled: readonly Unsettled<Document, Reply>[] = [];
  /** An own write's fate can no longer be read from the object: too much was written since. */
  #blind = false;
  #refusals = 0;

  constructor(ports: StorePorts, key: string, codec: Codec<Document>, decide: Decide<Document, Reply>) {
    this.#ports = ports;
    this.#key = key;
    this.#codec = codec;
    this.#decide = decide;
  }

  /** Each try: one read, one decision, at most one write. */
  async run(patience: Patience): Promise<Result<Settled<Document, Reply>, Failure>> {
    const { store } = this.#ports;
    for (let tried = 0; tried < patience.tries; tried++) {
      let step: Step<Document, Reply> = this.#met(
        readingOf(await store.get(this.#key), this.#key, this.#codec),
      );
      if (step.kind === "decide") {
        const decision = this.#decide(step.current, step.moment);
        step = this.#decided(step.current, decision instanceof Promise ? await decision : decision);
      }
      if (step.kind === "write") {
        const { own, condition } = step;
        const body = this.#codec.encode(own.stamp, own.value);
        step = this.#answered(step, await store.put(this.#key, body, condition));
      }
      if (step.kind === "done") return step.result;
      if (step.waitMs !== null && tried + 1 < patience.tries)
        await backOff(this.#ports, patience, tried, step.waitMs);
    }
    return this.#lastLook();
  }

  #met(read: Read<Stamped<Document>>): End<Document, Reply> | Question<Document> {
    if (read.kind === "unread") return { kind: "again", waitMs: read.waitMs };
    if (read.kind === "corrupt") return this.#done(err(this.#unlessOpen(read.failure)));
    const current = loadedFrom(read);
    const own = this.#settle(current);
    if (own !== null) return this.#done(ok(own));
    const sequence = (current?.stamp.sequence ?? 0) + 1;
    return { kind: "decide", current, moment: { now_ms: this.#ports.clock.wallMs(), sequence } };
  }

  #decided(
    current: Loaded<Document> | null,
    decision: Decision<Document, Reply>,
  ): End<Document, Reply> | Write<Document, Reply> {
    if (decision.kind === "write") return this.#write(current, decision.next, { value: decision.reply });
    if (this.#unsettled.length > 0 && current !== null) return this.#write(current, current.value, null);
    if (decision.kind === "refuse") return this.#done(err(this.#unlessOpen(decision.failure)));
    if (decision.kind === "nothing" && this.#blind) return this.#done(err(this.#unlessOpen(this.#late())));
    return this.#answer(current, decision.reply);
  }

  /** The tries are used up: one more read, if an own write is unsettled, and then what to say (W4). */
  async #lastLook(): Promise<Result<Settled<Document, Reply>, Failure>> {
    if (this.#unsettled.length > 0) {
      const read = readingOf(await this.#ports.store.get(this.#key), this.#key, this.#codec);
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
  ): Write<Document, Reply> {
    const stamp = nextStamp(base?.stamp ?? null, this.#ports.ids.next());
    const condition = base === null ? IF_ABSENT : ifMatch(base.etag);
    return { kind: "write", own: { stamp, base, value, reply }, condition };
  }

  #answered({ own, condition }: Write<Document, Reply>, outcome: PutOutcome): End<Document, Reply> {
    const meaning = meaningOf(outcome, condition);
    if (meaning.kind === "applied") {
      // The version that every unsettled write needs is gone (W2). A barrier leaves the decision to be made again.
      this.#unsettled = [];
      if (own.reply === null) return { kind: "again", waitMs: null };
      return this.#done(ok(settled(own, own.reply.value, own)));
    }
    this.#unsettled = [...this.#unsettled, own];
    if (meaning.kind === "unknown") return { kind: "again", waitMs: meaning.waitMs };
    this.#refusals += 1;
    // Somebody else was first: look at once. Met again, the key is contended: stand back.
    return { kind: "again", waitMs: this.#refusals === 1 ? null : 0 };
  }

  /** Finds an own write that happened, and forgets those that cannot happen any more (W2). */
  #settle(current: Loaded<Document> | null): Settled<Document, Reply> | null {
    for (const own of this.#unsettled)
      if (own.reply !== null && current !== null && carries(current.stamp, own.stamp.write_id))
        return settled(own, own.reply.value, current);
    for (const own of this.#unsettled)
      if (own.reply !== null && isHidden(own.stamp, current?.stamp ?? null)) this.#blind = true;
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

function nextStamp(before: WriteStamp | null, writeId: string): WriteStamp {
  if (before === null) return { sequence: 1, write_id: writeId, lineage: [] };
  const lineage = [before.write_id, ...before.lineage].slice(0, LINEAGE_LENGTH);
  return { sequence: before.sequence + 1, write_id: writeId, lineage };
}

function carries(stamp: WriteStamp, writeId: string): boolean {
  return stamp.write_id === writeId || stamp.lineage.includes(writeId);
}

/** Whether the object has moved on so far that its lineage would not show the write. */
function isHidden(own: WriteStamp, current: WriteStamp | null): boolean {
  if (current === null) return own.sequence > 1;
  return current.sequence - own.sequence > current.lineage.length;
}
