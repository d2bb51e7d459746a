/**
 * History: finished turns as immutable objects, and the message-ID index beside them.
 *
 *   H1  an object here is written once, if absent, and never again. The same turn has the same text whoever moves
 *       it, so two movers cannot disagree; an object that is there with another text is corrupt.
 *   H2  both objects of a turn are known to be written before the identity drops the turn (P21).
 *   H3  a message id that is in no turn of the identity and not under its key here has never been admitted, as
 *       long as the identity has not changed since it was read (the caller's write is conditional on that).
 *   H4  a mover that finds the instance deleted takes back what it has written: the keys of that life are never used
 *       again, so it can take nothing else.
 *
 *   H4  the end of a child's work is told to its parent before the identity drops the turn (P72). Until the parent has
 *        taken it or refused it for good, the move is interrupted.
 *
 * An interrupted move leaves the turn in the identity; the next operation on the instance, or the periodic
 * listing, moves it again. Source: seed 000 "Storage, recovery and erasure"; catalogue I13, I21, E16.
 */
import { refuse } from "../protocol/decision.ts";
import { dropMoved } from "../protocol/history-move.ts";
import { unmovedTurns } from "../protocol/inbox.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { Identity } from "../vocabulary/tombstone.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { CALLER, HINT } from "./backoff.ts";
import { type Codecs, type MessageRecord, messageCodec, type TurnRecord, turnCodec } from "./codec.ts";
import { conditionalWrite, type StorePorts } from "./conditional-write.ts";
import { living } from "./identities.ts";
import type { Keys } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";
import { corrupt } from "./read.ts";
import { removeObjects } from "./removal.ts";
import { writeOnce } from "./write-once.ts";

const GONE = failure("not-found", "instance_not_found", "the instance was deleted while its turns moved");

/** Tells whoever waits for it that the turn has finished; a success when that is done, or nobody can be told any more. */
export type Tell = (instance: Instance, turn: Turn) => Promise<Result<null, Failure>>;

export class History {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #codecs: Codecs;
  readonly #tell: Tell;

  constructor(ports: StorePorts, keys: Keys, codecs: Codecs, tell: Tell) {
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
    this.#tell = tell;
  }

  /** Moves every finished turn out of the identity. Best effort: what fails is done by the next operation. */
  async move(instance: Instance): Promise<Result<null, Failure>> {
    const turns = unmovedTurns(instance);
    const last = turns.at(-1);
    if (last === undefined) return ok(null);
    const written = await Promise.all(turns.map((turn) => this.#writeRecords(instance, turn)));
    const failed = written.find((result) => !result.ok);
    if (failed !== undefined) return failed;
    for (const turn of turns) {
      if (turn.reply_to === null) continue;
      const told = await this.#tell(instance, turn);
      if (!told.ok) return told;
    }
    const key = this.#keys.instance(instance.id);
    const dropped = await conditionalWrite<Identity, null>(
      this.#ports,
      key,
      this.#codecs.identity,
      HINT,
      (current) => {
        const now = living(current?.value ?? null);
        return now?.incarnation === instance.incarnation ? dropMoved(now, last.number) : refuse(GONE);
      },
    );
    if (dropped.ok) return ok(null);
    // H4: written after the deletion, so perhaps after its erasure.
    if (dropped.error === GONE) await removeObjects(this.#ports, this.#recordKeys(instance, turns));
    return dropped;
  }

  #recordKeys(instance: Instance, turns: readonly Turn[]): readonly string[] {
    return turns.flatMap((turn) => [
      this.#keys.turn(instance, turn.number),
      this.#keys.message(instance, turn.message_id),
    ]);
  }

  /** A turn that has moved. The caller knows from the identity that it is here: absence is corruption. */
  async turn(instance: Instance, number: number): Promise<Result<Turn, Failure>> {
    const key = this.#keys.turn(instance, number);
    const read = await readPatiently(this.#ports, key, turnCodec, CALLER);
    if (!read.ok) return read;
    if (read.value === null) return err(corrupt(key, "it is missing although the turn has moved there"));
    const owned = isOf(read.value, instance) && read.value.turn.number === number;
    return owned ? ok(read.value.turn) : err(corrupt(key, "it belongs to another instance or turn"));
  }

  /** The number of the turn that the message became and that has moved, or null (H3). */
  async turnOfMessage(instance: Instance, messageId: string): Promise<Result<number | null, Failure>> {
    if (instance.history_through === 0) return ok(null);
    const key = this.#keys.message(instance, messageId);
    const read = await readPatiently(this.#ports, key, messageCodec, CALLER);
    if (!read.ok) return read;
    if (read.value === null) return ok(null);
    const owned = isOf(read.value, instance) && read.value.message_id === messageId;
    return owned ? ok(read.value.turn) : err(corrupt(key, "it belongs to another instance or message"));
  }

  async #writeRecords(instance: Instance, turn: Turn): Promise<Result<null, Failure>> {
    const owner = { workflow_id: instance.id, incarnation: instance.incarnation };
    const turnRecord: TurnRecord = { ...owner, turn };
    const messageRecord: MessageRecord = { ...owner, message_id: turn.message_id, turn: turn.number };
    const [turnWritten, messageWritten] = await Promise.all([
      this.#writeOnce(this.#keys.turn(instance, turn.number), turnCodec.encode(turnRecord)),
      this.#writeOnce(this.#keys.message(instance, turn.message_id), messageCodec.encode(messageRecord)),
    ]);
    return turnWritten.ok ? messageWritten : turnWritten;
  }

  /** Puts the object if it is absent and makes sure that this very text is there (H1). */
  async #writeOnce(key: string, body: string): Promise<Result<null, Failure>> {
    const written = await writeOnce(this.#ports, key, body);
    if (!written.ok) return written;
    return written.value === null ? ok(null) : err(corrupt(key, "it is there with another content"));
  }
}

function isOf(record: { workflow_id: string; incarnation: string }, instance: Instance): boolean {
  return record.workflow_id === instance.id && record.incarnation === instance.incarnation;
}
