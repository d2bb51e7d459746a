/**
 * History: finished turns as immutable objects, with their records in the message-ID index (`message-index.ts`).
 *
 *   H1  an object here is written once, if absent, and never again. The same turn has the same text whoever moves
 *       it, so two movers cannot disagree; an object that is there with another text is corrupt.
 *   H2  both objects of a turn are known to be written before the identity drops the turn (P21).
 *   H4  the end of a child's work is told to its parent before the identity drops the turn (P72). Until the parent has
 *        taken it or refused it for good, the move is interrupted.
 *   H7  objects are erased only when the identity that was read says that they are pruned (P86); that they are gone is
 *       noted with the next move.
 *   H8  a mover that finds the instance deleted takes back what it has written: the keys of that life are never used
 *       again, so it can take nothing else.
 *   H9  a turn that is not where the identity said was pruned meanwhile, or its instance was deleted; if the identity as
 *       it is now says neither, the object is lost, which is corruption.
 *
 * An interrupted move leaves the turn in the identity; the next operation on the instance, or the periodic
 * listing, moves it again. Source: seed 000 "Storage, recovery and erasure"; catalogue I13, I21, E16.
 */
import { nothing, refuse } from "../protocol/decision.ts";
import { dropMoved, isUpkeepDue, type Upkeep } from "../protocol/history-move.ts";
import { unmovedTurns } from "../protocol/inbox.ts";
import { type ErasedHistory, prunableThrough, type Retention } from "../protocol/retention.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { Identity } from "../vocabulary/tombstone.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { CALLER, HINT } from "./backoff.ts";
import type { BlobObjects } from "./blob-objects.ts";
import type { Codecs } from "./codec.ts";
import { conditionalWrite, type Memory, type StorePorts } from "./conditional-write.ts";
import { living } from "./identities.ts";
import type { Keys } from "./keys.ts";
import type { MessageIndex } from "./message-index.ts";
import { readPatiently } from "./patient-read.ts";
import { corrupt } from "./read.ts";
import { turnCodec } from "./record-codecs.ts";
import { removeObjects } from "./removal.ts";
import { writeOnce } from "./write-once.ts";

/** Turns whose objects one move erases at most: more than it can move, so that an erasure catches up. */
const ERASED_AT_ONCE = 16;
export const MOVED_ON = failure(
  "unavailable",
  "history_moved_on",
  "the turn left the history while it was looked up; repeat the request",
);
const GONE = failure("not-found", "instance_not_found", "the instance was deleted while its turns moved");

/** Tells whoever waits for it that the turn has finished; a success when that is done, or nobody can be told any more. */
export type Tell = (instance: Instance, turn: Turn) => Promise<Result<null, Failure>>;

export class History {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #codecs: Codecs;
  readonly #messages: MessageIndex;
  readonly #blobs: BlobObjects;
  readonly #retention: Retention;
  readonly #tell: Tell;
  readonly #memory: Memory<Identity>;

  constructor(
    ports: StorePorts,
    keys: Keys,
    codecs: Codecs,
    messages: MessageIndex,
    blobs: BlobObjects,
    retention: Retention,
    tell: Tell,
    memory: Memory<Identity>,
  ) {
    this.#memory = memory;
    this.#messages = messages;
    this.#blobs = blobs;
    this.#retention = retention;
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
    this.#tell = tell;
  }

  /**
   * Moves every finished turn out of the identity, and prunes and erases what retention no longer keeps. Best effort:
   * what fails is done by the next operation.
   */
  move(instance: Instance): Result<null, Failure> | Promise<Result<null, Failure>> {
    const turns = unmovedTurns(instance);
    if (turns.length === 0 && !this.#isWorkLeft(instance)) return ok(null);
    return this.#moveTurns(instance, turns);
  }

  async #moveTurns(instance: Instance, turns: readonly Turn[]): Promise<Result<null, Failure>> {
    const [erased, ...written] = await Promise.all([
      this.#erase(instance),
      ...turns.map((turn) => this.#writeRecords(instance, turn)),
    ]);
    const failed = written.find((result) => !result.ok);
    if (failed !== undefined) return failed;
    const told = await this.tell(instance, turns);
    if (!told.ok) return told;
    const through = turns.at(-1)?.number ?? instance.history_through;
    const upkeep = { retention: this.#retention, now_ms: this.#ports.clock.wallMs(), erased };
    if (turns.length === 0 && !isUpkeepDue(instance, upkeep)) return ok(null);
    const dropped = await this.#drop(instance, through, upkeep);
    // H8: written after the deletion, so perhaps after its erasure.
    if (!dropped.ok && dropped.error === GONE)
      await removeObjects(this.#ports, this.#recordKeys(instance, turns));
    return dropped.ok ? ok(null) : dropped;
  }

  #isWorkLeft(instance: Instance): boolean {
    const { history_erased_through, history_pruned_through, message_index } = instance;
    if (history_erased_through < history_pruned_through) return true;
    if (message_index.erased_before < message_index.generation - 1) return true;
    const nowMs = this.#ports.clock.wallMs();
    return prunableThrough(instance, this.#retention, nowMs) > history_pruned_through;
  }

  /** Tells the ends of these finished turns to whoever waits for them (H4). */
  async tell(instance: Instance, turns: readonly Turn[]): Promise<Result<null, Failure>> {
    for (const turn of turns) {
      if (turn.reply_to === null) continue;
      const told = await this.#tell(instance, turn);
      if (!told.ok) return told;
    }
    return ok(null);
  }

  #drop(instance: Instance, through: number, upkeep: Upkeep) {
    const { identity } = this.#codecs;
    const key = this.#keys.instance(instance.id);
    const decide = (current: { readonly value: Identity } | null) => {
      const now = living(current?.value ?? null);
      if (now?.incarnation !== instance.incarnation) return refuse(GONE);
      // A version that is older than the one the move began from is one that the node remembers: it is read then (W6).
      return isBehind(now, through) ? nothing(null) : dropMoved(now, through, upkeep);
    };
    return conditionalWrite<Identity, null>(this.#ports, key, identity, HINT, decide, this.#memory);
  }

  /** Erases what the identity has said to be pruned (H7); answers what is known to be gone by now. */
  async #erase(instance: Instance): Promise<ErasedHistory> {
    const { history_erased_through: from, history_pruned_through } = instance;
    const through = Math.min(history_pruned_through, from + ERASED_AT_ONCE);
    const keys = Array.from({ length: through - from }, (_, at) => this.#keys.turn(instance, from + 1 + at));
    const [removed, generationsBefore] = await Promise.all([
      removeObjects(this.#ports, keys),
      this.#eraseGenerations(instance),
    ]);
    return { through: removed.ok ? through : from, generationsBefore };
  }

  /** With a generation of message ids go the blobs that nothing names. */
  async #eraseGenerations(instance: Instance): Promise<number> {
    const { generation, erased_before } = instance.message_index;
    if (erased_before >= generation - 1) return erased_before;
    const [erased, swept] = await Promise.all([this.#messages.erase(instance), this.#blobs.sweep(instance)]);
    return erased.ok && swept.ok ? erased.value : erased_before;
  }

  #recordKeys(instance: Instance, turns: readonly Turn[]): readonly string[] {
    return turns.flatMap((turn) => [
      this.#keys.turn(instance, turn.number),
      this.#messages.keyOf(instance, turn),
    ]);
  }

  /** A turn that has moved. The caller knows from the identity that it is here: absence is looked into. */
  async turn(instance: Instance, number: number): Promise<Result<Turn, Failure>> {
    const key = this.#keys.turn(instance, number);
    const read = await readPatiently(this.#ports, key, turnCodec, CALLER);
    if (!read.ok) return read;
    if (read.value === null) return err(await this.#missing(instance, number));
    const owned = isOf(read.value, instance) && read.value.turn.number === number;
    return owned ? ok(read.value.turn) : err(corrupt(key, "it belongs to another instance or turn"));
  }

  /** H9. */
  async #missing(instance: Instance, number: number): Promise<Failure> {
    const key = this.#keys.instance(instance.id);
    const read = await readPatiently(this.#ports, key, this.#codecs.identity, CALLER);
    if (!read.ok) return read.error;
    const now = living(read.value?.value ?? null);
    if (now?.incarnation !== instance.incarnation || now.history_pruned_through >= number) return MOVED_ON;
    return corrupt(this.#keys.turn(instance, number), "it is missing although the turn has moved there");
  }

  /** The number of the kept turn that the message became and that has moved, or null (H3). */
  turnOfMessage(instance: Instance, messageId: string): Promise<Result<number | null, Failure>> {
    return this.#messages.turnOf(instance, messageId);
  }

  async #writeRecords(instance: Instance, turn: Turn): Promise<Result<null, Failure>> {
    const key = this.#keys.turn(instance, turn.number);
    const { id: workflow_id, incarnation } = instance;
    const [turnWritten, messageWritten] = await Promise.all([
      writeOnce(this.#ports, key, turnCodec.encode({ workflow_id, incarnation, turn })),
      this.#messages.write(instance, turn),
    ]);
    if (!turnWritten.ok) return turnWritten;
    if (turnWritten.value !== null) return err(corrupt(key, "it is there with another content"));
    return messageWritten;
  }
}

/** Whether the turns up to `through` have not all finished yet in this version. */
function isBehind(instance: Instance, through: number): boolean {
  return instance.history_through + unmovedTurns(instance).length < through;
}

function isOf(record: { workflow_id: string; incarnation: string }, instance: Instance): boolean {
  return record.workflow_id === instance.id && record.incarnation === instance.incarnation;
}
