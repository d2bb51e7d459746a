/**
 * The history of an instance: moves finished turns into segments, erases what is pruned, and finds turns again.
 *
 *   H6  segments and pages are known to be written, and the ends of work that somebody waits for are told (P72), before
 *        the identity drops a turn (P21). Until a parent has taken the end or refused it for good, the turn stays.
 *   H7  objects are erased only when the identity that was read says that their turns are pruned (P86); that they are gone
 *        is noted with a later write.
 *   H8  what the node knows to be written is dropped by the next command's write (`carried`), by a write of its own only
 *        where a parent was told, and by the periodic listing. A mover that finds that life over with its write takes back
 *        its segments: the keys of that life are never used again, so it can take nothing else.
 *   H9  a turn or page that is not where the identity said was pruned meanwhile, or its instance was deleted; if the
 *        identity as it is now says neither, the object is lost, which is corruption.
 *
 * An interrupted move leaves the turns in the identity; the next operation on the instance, or the periodic listing,
 * moves them again. Source: seed 000 "Storage, recovery and erasure"; catalogue I13, I21, E16.
 */
import { nothing, refuse, write } from "../protocol/decision.ts";
import { dueThrough, segmentsOf, withoutMoved } from "../protocol/history-move.ts";
import { unmovedTurns } from "../protocol/inbox.ts";
import {
  type MarkedTurns,
  markOf,
  marksHere,
  pagesAway,
  pagesLeaving,
  turnsMarked,
} from "../protocol/message-ids.ts";
import { owesEnd, owesReply } from "../protocol/reply.ts";
import { erasableThrough, type Retention } from "../protocol/retention.ts";
import { inParallel } from "../std/parallel.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { runFirst, runsThrough } from "../vocabulary/history-layout.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { type Identity, isTombstone } from "../vocabulary/tombstone.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { CALLER, HINT } from "./backoff.ts";
import type { BlobObjects } from "./blob-objects.ts";
import type { Codecs } from "./codec.ts";
import { conditionalWrite, type Memory, type StorePorts } from "./conditional-write.ts";
import type { IdPages } from "./id-pages.ts";
import { living } from "./identities.ts";
import type { Keys, Owner } from "./keys.ts";
import { KnownMoves } from "./known-moves.ts";
import { readPatiently } from "./patient-read.ts";
import { corrupt } from "./read.ts";
import type { Segments } from "./segments.ts";

/** Blocks that one move erases at most: more than it can fill, so that an erasure catches up. */
const ERASED_AT_ONCE = 4;
/** Blocks, or pages, that one call reads at a time: as many as the turns of a page of history. */
const READ_AT_ONCE = 50;
export const MOVED_ON = failure(
  "unavailable",
  "history_moved_on",
  "the turn left the history while it was looked up; repeat the request",
);
const GONE = failure("not-found", "instance_not_found", "the instance was deleted while its turns moved");

/** Tells whoever waits for it that the turn has finished; a success when that is done, or nobody can be told any more. */
export type Tell = (instance: Instance, turn: Turn) => Promise<Result<null, Failure>>;

/** By what rules finished turns move, and how long they are kept. */
export interface HistoryRules extends Retention {
  /** Characters of finished turns that may wait for their block to be full; of turns with many steps fewer (P20). */
  readonly history_tail_chars: number;
}

/** The objects that history is made of, and the blobs that go with them. */
export interface HistoryObjects {
  readonly segments: Segments;
  readonly pages: IdPages;
  readonly blobs: BlobObjects;
}

type Done = Result<null, Failure>;
const DONE: Done = ok(null);

/** A move of the turns up to and with `through`. */
interface Moving {
  readonly through: number;
  readonly done: Promise<Done>;
}

export class History {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #codecs: Codecs;
  readonly #objects: HistoryObjects;
  readonly #rules: HistoryRules;
  readonly #tell: Tell;
  readonly #memory: Memory<Identity>;
  readonly #known = new KnownMoves();
  /** Moves that are under way, by the prefix of the history of that life. */
  readonly #moving = new Map<string, Moving>();

  constructor(
    ports: StorePorts,
    keys: Keys,
    codecs: Codecs,
    objects: HistoryObjects,
    rules: HistoryRules,
    tell: Tell,
    memory: Memory<Identity>,
  ) {
    this.#memory = memory;
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
    this.#objects = objects;
    this.#rules = rules;
    this.#tell = tell;
  }

  /**
   * After a commit: moves what is due to move and erases what is pruned. Best effort, as are the other two. Where one is
   * under way that takes the same turns along, and nobody is told of an end, there is nothing to wait for.
   */
  follow(instance: Instance): Done | Promise<Done> {
    const moving = this.#moving.get(this.#keys.history(instance));
    const isUnderWay = moving !== undefined && this.#dueThrough(instance) <= moving.through;
    return isUnderWay && !owesEnd(instance) ? DONE : this.#moveDue(instance);
  }

  /** The same, and waits for it, and drops what has moved with a write of its own. */
  async move(instance: Instance): Promise<Done> {
    const followed = await this.#moveDue(instance);
    if (this.carried(instance) === instance) return followed;
    const dropped = await this.#drop(instance);
    return dropped.ok ? followed : dropped;
  }

  #moveDue(instance: Instance): Done | Promise<Done> {
    this.#known.forget(instance);
    return this.#moveThrough(instance, this.#dueThrough(instance));
  }

  #dueThrough(instance: Instance): number {
    return dueThrough(instance, this.#rules.history_tail_chars);
  }

  /** Waits until this node has no move of that life under way. */
  async rest(life: Owner): Promise<void> {
    const history = this.#keys.history(life);
    while (this.#moving.has(history)) await this.#moving.get(history)?.done;
  }

  /** The same for all lives. */
  async flush(): Promise<void> {
    while (this.#moving.size > 0) await Promise.all([...this.#moving.values()].map(({ done }) => done));
  }

  /** Moves every turn that has finished, due or not. */
  catchUp(instance: Instance): Done | Promise<Done> {
    return this.#moveThrough(instance, unmovedTurns(instance).at(-1)?.number ?? 0);
  }

  /**
   * The instance without the turns that are known to have moved, and with what retention says by now; the very same when
   * nothing is to be changed. For whoever writes it next (P23).
   */
  carried(instance: Instance): Instance {
    const { through, erasedThrough } = this.#known.of(instance);
    const now_ms = this.#ports.clock.wallMs();
    return withoutMoved(instance, through, { retention: this.#rules, now_ms, erased_through: erasedThrough });
  }

  /** Tells the ends of these finished turns to whoever waits for them (P72). */
  async tell(instance: Instance, turns: readonly Turn[]): Promise<Done> {
    for (const turn of turns) {
      if (turn.reply_to === null) continue;
      const told = await this.#tell(instance, turn);
      if (!told.ok) return told;
    }
    return DONE;
  }

  /** One move of an instance at a time; who comes meanwhile waits, and looks again. */
  #moveThrough(instance: Instance, through: number): Done | Promise<Done> {
    const history = this.#keys.history(instance);
    const moving = this.#moving.get(history);
    if (moving !== undefined)
      return moving.done.then((done) => (done.ok ? this.#moveThrough(instance, through) : done));
    const known = this.#known.of(instance);
    const toMove = through > Math.max(instance.history_through, known.through);
    if (!toMove && erasableThrough(instance) <= this.#erasedThrough(instance)) return DONE;
    const done = this.#work(instance, through).finally(() => this.#moving.delete(history));
    this.#moving.set(history, { through, done });
    return done;
  }

  async #work(instance: Instance, through: number): Promise<Done> {
    const [erased, moved] = await Promise.all([this.#erase(instance), this.#moveTurns(instance, through)]);
    return moved.ok ? erased : moved;
  }

  async #moveTurns(instance: Instance, through: number): Promise<Done> {
    const { history_through, turns } = instance;
    const from = Math.max(history_through, this.#known.of(instance).through);
    let end = from;
    for (const segment of segmentsOf(instance, from, through)) {
      const last = await this.#objects.segments.write(instance, segment);
      if (!last.ok) return last;
      end = Math.max(end, last.value);
      // Somebody has seen more of it (H2).
      if (end < (segment.at(-1)?.number ?? end)) break;
    }
    for (const page of pagesLeaving(instance, turns.slice(0, end - history_through))) {
      const there = await this.#objects.pages.write(instance, page);
      if (!there.ok) return there;
    }
    const moved = turns.slice(from - history_through, end - history_through);
    const told = await this.tell(instance, moved);
    if (!told.ok) return told;
    this.#known.note(instance, { through: end });
    return moved.some(owesReply) ? this.#drop(instance) : DONE;
  }

  async #takeBack(instance: Instance): Promise<void> {
    const { history_layout: layout, history_through: from } = instance;
    const { through } = this.#known.of(instance);
    const { segments, pages } = this.#objects;
    await segments.erase(instance, layout, from, through);
    await pages.erase(instance, layout, from, through);
  }

  /** H8. */
  async #drop(instance: Instance): Promise<Done> {
    const { identity } = this.#codecs;
    const key = this.#keys.instance(instance.id);
    let over = false;
    const decide = (current: { readonly value: Identity } | null) => {
      const now = living(current?.value ?? null);
      over = isOver(instance, current?.value ?? null);
      if (now?.incarnation !== instance.incarnation) return refuse(GONE);
      const next = this.carried(now);
      // A version in which nothing is to be dropped may be one that the node remembers: it is read then (W6).
      return next === now ? nothing(null) : write(next, null);
    };
    const dropped = await conditionalWrite<Identity, null>(
      this.#ports,
      key,
      identity,
      HINT,
      decide,
      this.#memory,
    );
    if (dropped.ok) return DONE;
    if (over) await this.#takeBack(instance);
    return dropped;
  }

  #erasedThrough(instance: Instance): number {
    return Math.max(instance.history_erased_through, this.#known.of(instance).erasedThrough);
  }

  /** Erases what the identity has said to be pruned (H7). With each page of turns go the blobs that nothing names. */
  async #erase(instance: Instance): Promise<Done> {
    const { history_layout: layout } = instance;
    const from = this.#erasedThrough(instance);
    const through = Math.min(erasableThrough(instance), from + ERASED_AT_ONCE * layout.segment_turns);
    if (through <= from) return DONE;
    const { segments, pages, blobs } = this.#objects;
    const turnsPage = runsThrough(through, layout.page_turns) > runsThrough(from, layout.page_turns);
    const erased = await Promise.all([
      segments.erase(instance, layout, from, through),
      pages.erase(instance, layout, from, through),
      turnsPage ? blobs.sweep(instance) : DONE,
    ]);
    for (const one of erased) if (!one.ok) return one;
    this.#known.note(instance, { erasedThrough: through });
    return DONE;
  }

  /** A turn that has moved. The caller knows from the identity that it is here: absence is looked into. */
  async turn(instance: Instance, number: number): Promise<Result<Turn, Failure>> {
    const read = await this.turns(instance, number, number);
    if (!read.ok) return read;
    const [turn] = read.value;
    return turn === undefined ? err(MOVED_ON) : ok(turn);
  }

  /** The turns from one number to another, which have all moved. */
  async turns(instance: Instance, from: number, through: number): Promise<Result<readonly Turn[], Failure>> {
    const size = instance.history_layout.segment_turns;
    const blocks: (readonly [from: number, through: number])[] = [];
    for (let first = from; first <= through; first = runFirst(first, size) + size)
      blocks.push([first, Math.min(through, runFirst(first, size) + size - 1)]);
    const read = await inParallel(blocks, READ_AT_ONCE, ([first, last]) =>
      this.#block(instance, first, last),
    );
    const turns: Turn[] = [];
    for (const block of read) {
      if (!block.ok) return block;
      turns.push(...block.value);
    }
    return ok(turns);
  }

  async #block(instance: Instance, from: number, through: number): Promise<Result<readonly Turn[], Failure>> {
    const read = await this.#objects.segments.read(instance, from, through);
    if (!read.ok) return read;
    return read.value === null
      ? err(await this.#missing(instance, from, this.#keys.segment(instance, from)))
      : ok(read.value);
  }

  /** H9. */
  async #missing(instance: Instance, turn: number, object: string): Promise<Failure> {
    const key = this.#keys.instance(instance.id);
    const read = await readPatiently(this.#ports, key, this.#codecs.identity, CALLER);
    if (!read.ok) return read.error;
    const now = living(read.value?.value ?? null);
    if (now?.incarnation !== instance.incarnation || now.history_pruned_through >= turn) return MOVED_ON;
    return corrupt(object, `it is missing although turn ${turn} has moved`);
  }

  /** The kept turn that the message became and that has moved, or null (P87). Reads nothing for most new ids. */
  turnOfMessage(
    instance: Instance,
    messageId: string,
  ): Result<Turn | null, Failure> | Promise<Result<Turn | null, Failure>> {
    const mark = markOf(messageId);
    const here = turnsMarked(marksHere(instance), mark);
    const away = pagesAway(instance);
    return here.length + away.length === 0 ? ok(null) : this.#lookUp(instance, messageId, here, away);
  }

  async #lookUp(
    instance: Instance,
    messageId: string,
    here: readonly number[],
    away: readonly number[],
  ): Promise<Result<Turn | null, Failure>> {
    const marked = [...here];
    for (const page of await inParallel(away, READ_AT_ONCE, (first) => this.#page(instance, first))) {
      if (!page.ok) return page;
      marked.push(...turnsMarked(page.value, markOf(messageId)));
    }
    for (const number of marked) {
      if (number <= instance.history_pruned_through) continue;
      const turn = await this.turn(instance, number);
      if (!turn.ok || turn.value.message_id === messageId) return turn;
    }
    return ok(null);
  }

  async #page(instance: Instance, first: number): Promise<Result<MarkedTurns, Failure>> {
    const read = await this.#objects.pages.read(instance, first);
    if (!read.ok) return read;
    if (read.value !== null) return ok(read.value);
    const last = first + instance.history_layout.page_turns - 1;
    return err(await this.#missing(instance, last, this.#keys.idPage(instance, first)));
  }
}

/** Whether the identity says that this life has ended; that there is none says nothing. */
function isOver({ life }: Instance, identity: Identity | null): boolean {
  if (identity === null) return false;
  return identity.life > life || (identity.life === life && isTombstone(identity));
}
