/**
 * Instances in the store: the identity object, its history and its index entry, kept together.
 *
 *   D1  the identity is written first; index and history follow a commit and never precede it.
 *   D2  a commit is answered whatever becomes of what follows it: an interrupted move is finished by the next
 *       operation, a missed index entry by the periodic listing. Nor does its answer wait for a move, unless somebody
 *       is told of an end with it (P72): turns are where they were until it is done.
 *   D3  an identity that is behind with its history is written only without the turns that have moved: the call moves
 *       them first, and is refused as long as that fails (catalogue I17).
 *   D4  an identity object holds the instance that its key names, or it is corrupt.
 *   D5  a call acts on one life of the id: one that has met a life does nothing to the next.
 *   D6  what follows a commit follows from the last version that was seen. Of a tombstone nothing follows but its
 *       erasure: a write that was found in the lineage after a deletion brings nothing back.
 *   D7  a command decides on the instance without the turns that are known to have moved, and its write takes them out
 *       (P23). What it does not write it answers from the instance as it is stored.
 */
import { namingBlobs } from "../protocol/blob-names.ts";
import { type Decision, type Moment, refuse } from "../protocol/decision.ts";
import { deletion } from "../protocol/deletion.ts";
import { isBehind } from "../protocol/history-move.ts";
import { assertInstance } from "../protocol/inbox.ts";
import { owedTurns, owesEnd } from "../protocol/reply.ts";
import { isRescheduled } from "../protocol/schedule.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { HistoryLayout } from "../vocabulary/history-layout.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { type Identity, isTombstone } from "../vocabulary/tombstone.ts";
import { CALLER } from "./backoff.ts";
import type { Codecs, Stamped } from "./codec.ts";
import { conditionalWrite, type Memory, type Settled, type StorePorts } from "./conditional-write.ts";
import type { Erasure } from "./erasure.ts";
import { type Company, GroupCommit, type Question, type Shared } from "./group-commit.ts";
import type { History } from "./history.ts";
import { anotherLife, type Carried, carried, codecOf, living, notFound } from "./identities.ts";
import type { Keys } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";
import { entryOf, type IndexObject } from "./scheduling-index.ts";

/** What a node may save itself; with all of it off it reads before each write and writes for each command. */
export interface Savings {
  /** Whether a write may go out on the version that the node remembers. */
  readonly remember_identities: boolean;
  /** Whether commands that reach the node while it writes their instance share the next write. */
  readonly group_commit: boolean;
  /** Whether the scheduling index hears of a change later, together with others, and not before the change is answered. */
  readonly defer_index: boolean;
}

/** A creation that meets an unfinished erasure finishes it and looks again, this often. */
const ERASURES = 3;
const UNERASED = failure(
  "unavailable",
  "erasure_unfinished",
  "the deletion of the instance that had this id is not finished; repeat the request after a while",
);

/** A command on one instance; may read other objects before it decides. */
export type Command<Reply> = (
  instance: Instance,
  moment: Moment,
) => Promise<Decision<Instance, Reply>> | Decision<Instance, Reply>;

export class Instances {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #codecs: Codecs;
  readonly #history: History;
  readonly #index: IndexObject;
  readonly #erasure: Erasure;
  readonly #memory: Memory<Identity>;
  readonly #commits: GroupCommit<Identity> | null;
  readonly #layout: HistoryLayout;
  /** By incarnation, what a move threw that nobody waited for. */
  readonly #crashed = new Map<string, unknown>();

  constructor(
    ports: StorePorts,
    keys: Keys,
    codecs: Codecs,
    history: History,
    index: IndexObject,
    erasure: Erasure,
    memory: Memory<Identity>,
    { group_commit }: Savings,
    layout: HistoryLayout,
  ) {
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
    this.#history = history;
    this.#index = index;
    this.#erasure = erasure;
    this.#memory = memory;
    this.#commits = group_commit ? new GroupCommit((id, question) => this.#write(id, question)) : null;
    this.#layout = layout;
  }

  /** The instance; a deleted one is not found. */
  async load(id: string): Promise<Result<Stamped<Instance>, Failure>> {
    const read = await this.look(id);
    if (!read.ok) return read;
    const instance = living(read.value?.value ?? null);
    if (read.value === null || instance === null) return err(notFound(id));
    return ok({ stamp: read.value.stamp, value: instance });
  }

  /** What the identity object holds, a tombstone included; null when there is none. */
  look(id: string): Promise<Result<Stamped<Identity> | null, Failure>> {
    return readPatiently(this.#ports, this.#keys.instance(id), codecOf(this.#codecs.identity, id), CALLER);
  }

  /** Creates the instance, or decides on the one that is there. Over a tombstone it first finishes the erasure. */
  async create<Reply>(
    id: string,
    decide: (identity: Identity | null, moment: Moment) => Decision<Instance, Reply>,
  ): Promise<Result<Carried<Reply>, Failure>> {
    let met: number | null = null;
    for (let erasures = 0; ; erasures++) {
      const settled = await this.#write<Reply>(id, (current, moment) => {
        // A life that ended meanwhile may have been this call's own (D5).
        const life = current?.life ?? 0;
        met ??= life;
        if (current !== null && isTombstone(current) && life > met) return refuse(anotherLife(id));
        if (current !== null && isTombstone(current) && !current.erased) return refuse(UNERASED);
        return this.#begun(decide(current, moment));
      });
      if (settled.ok) {
        await this.#follow(settled.value);
        return ok(carried(settled.value));
      }
      if (settled.error !== UNERASED || erasures === ERASURES) return settled;
      const erased = await this.erase(id);
      if (!erased.ok) return erased;
    }
  }

  /** A life begins with the layout that this node is told to use, and keeps it. */
  #begun<Reply>(decision: Decision<Instance, Reply>): Decision<Instance, Reply> {
    if (decision.kind !== "write") return decision;
    return { ...decision, next: { ...decision.next, history_layout: this.#layout } };
  }

  /** Carries the command to the instance, then does what follows a commit. */
  async change<Reply>(
    id: string,
    command: Command<Reply>,
    company: Company = "alone",
  ): Promise<Result<Carried<Reply>, Failure>> {
    let life: number | null = null;
    const settled = await this.#commit<Reply>(id, company, async (current, moment) => {
      const instance = living(current);
      if (instance === null) return refuse(notFound(id));
      life ??= instance.life;
      if (instance.life !== life) return refuse(anotherLife(id));
      let carrying = this.#history.carried(instance);
      if (isBehind(carrying)) {
        const behind = await this.#caughtUp(instance);
        carrying = this.#history.carried(instance);
        if (isBehind(carrying)) return refuse(behind);
      }
      const decision = await decided(carrying, command, moment);
      return decision.kind === "write" || carrying === instance
        ? decision
        : decided(instance, command, moment);
    });
    if (!settled.ok) return settled;
    if (settled.value.leads) await this.#follow(settled.value.settled);
    return ok(carried(settled.value.settled));
  }

  /**
   * Ends the life of the instance and erases it. Answers whether this call ended it; what could not be erased now is
   * erased by whoever meets the tombstone next. `allow` may refuse. Turns that somebody waits for have finished: their
   * ends are told first (P76).
   */
  async delete(id: string, allow: (instance: Instance) => Failure | null): Promise<Result<boolean, Failure>> {
    let life: number | null = null;
    const settled = await this.#write<boolean>(id, async (current, moment) => {
      if (current === null) return refuse(notFound(id));
      life ??= current.life;
      if (current.life !== life) return refuse(anotherLife(id));
      const instance = living(current);
      if (instance === null) return deletion(current, moment);
      const refused = allow(instance);
      if (refused !== null) return refuse(refused);
      const told = await this.#history.tell(instance, owedTurns(instance));
      // A damaged parent hears nothing; that is no reason to keep its child.
      const over = told.ok || told.error.kind === "corrupt";
      return over ? deletion(current, moment) : refuse(told.error);
    });
    if (!settled.ok) return settled.error.code === notFound(id).code ? ok(false) : settled;
    const { latest, reply } = settled.value;
    if (isTombstone(latest.value)) {
      await this.#history.rest(latest.value);
      const erased = await this.#erasure.finish(latest.value, latest.stamp);
      if (!erased.ok) this.#tell("erasure-unfinished", id, erased);
    }
    return ok(reply);
  }

  /** Finishes the erasure of a deleted instance, if one is unfinished. */
  async erase(id: string): Promise<Result<null, Failure>> {
    const read = await this.look(id);
    if (!read.ok) return read;
    if (read.value === null || !isTombstone(read.value.value)) return ok(null);
    return this.#erasure.finish(read.value.value, read.value.stamp);
  }

  /** Carries the question with those of other callers, if that is switched on. */
  async #commit<Reply>(
    id: string,
    company: Company,
    question: Question<Identity, Reply>,
  ): Promise<Result<Shared<Identity, Reply>, Failure>> {
    if (this.#commits !== null) return this.#commits.run(id, company, question);
    const settled = await this.#write(id, question);
    return settled.ok ? ok({ settled: settled.value, leads: true }) : settled;
  }

  #write<Reply>(
    id: string,
    question: Question<Identity, Reply>,
  ): Promise<Result<Settled<Identity, Reply>, Failure>> {
    const codec = codecOf(this.#codecs.identity, id);
    const decide = (current: { readonly value: Identity } | null, moment: Moment) =>
      question(current?.value ?? null, moment);
    return conditionalWrite(this.#ports, this.#keys.instance(id), codec, CALLER, decide, this.#memory);
  }

  /** After a commit: the index entry when the schedule changed, and the move of finished turns (D1, D2, D6). */
  async #follow<Reply>({ value, before, wrote, latest }: Settled<Identity, Reply>): Promise<void> {
    const now = living(latest.value);
    if (now === null) return;
    const crashed = this.#crashed.get(now.incarnation);
    if (this.#crashed.delete(now.incarnation)) throw crashed;
    const moving = this.#history.follow(now);
    const was = living(before);
    const made = living(value);
    if (wrote && made !== null && (was === null || isRescheduled(was, made)))
      this.#tell("index-not-mended", now.id, await this.#index.hear(now.id, entryOf(now, latest.stamp)));
    if (moving instanceof Promise && !owesEnd(now)) void this.#moved(now, moving);
    else this.#tell("turns-not-moved", now.id, await moving);
  }

  /** A move that nobody waits for. */
  async #moved({ id, incarnation }: Instance, moving: Promise<Result<null, Failure>>): Promise<void> {
    try {
      this.#tell("turns-not-moved", id, await moving);
    } catch (error) {
      this.#crashed.set(incarnation, error);
    }
  }

  /** What follows a commit may fail without anybody being answered so; the log hears of it. */
  #tell(event: string, instance: string, result: Result<unknown, Failure>): void {
    if (result.ok) return;
    this.#ports.trace.emit(event, { instance, code: result.error.code });
  }

  /** Moves what can move (D3). Answers what to say if that was not enough. */
  async #caughtUp(instance: Instance): Promise<Failure> {
    await this.#history.rest(instance);
    // What is under way may be enough: who moves what is not due cuts a block in two.
    const isLate = isBehind(this.#history.carried(instance));
    const moved = isLate ? await this.#history.catchUp(instance) : ok(null);
    if (!moved.ok && moved.error.kind === "corrupt") return moved.error;
    const message = `the history of instance ${instance.id} is behind; repeat the request after a while`;
    return failure("unavailable", "history_behind", message);
  }
}

async function decided<Reply>(
  instance: Instance,
  command: Command<Reply>,
  moment: Moment,
): Promise<Decision<Instance, Reply>> {
  const decision = namingBlobs(instance, await command(instance, moment));
  if (decision.kind === "write") assertInstance(decision.next);
  return decision;
}
