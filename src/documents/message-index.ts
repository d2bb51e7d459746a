/**
 * The message-ID index: one small object for each message id whose turn has moved, which names the turn.
 *
 *   H3  a message id that is in no turn of the identity and not found here has no turn that is kept, as long as the
 *       identity has not changed since it was read (the caller's write is conditional on that). A record of a pruned
 *       turn counts as none.
 *   H5  within a live generation nothing is removed. A record of a pruned turn is replaced by that of a later turn with
 *       the same message id, on the condition of the very version that was read: turn numbers only rise under a key.
 *   H6  generations without kept turns are removed whole, by what a listing shows (P87). Nobody asks them any more, so a
 *       record that the listing missed, or that lands late, is found by nobody; it goes with its instance.
 *
 * Generation 0 has the keys of the seed. Source: seed 000 "Storage" and "History retention"; catalogue B31, B69, B70.
 */
import { IF_ABSENT, ifMatch, type PutCondition } from "../ports/object-store.ts";
import { generationOf } from "../protocol/retention.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { CALLER } from "./backoff.ts";
import type { StorePorts } from "./conditional-write.ts";
import type { Keys } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";
import { corrupt } from "./read.ts";
import { messageCodec } from "./record-codecs.ts";
import { listKeys, removeObjects } from "./removal.ts";
import type { MessageRecord } from "./stored-shapes.ts";
import { writeOnce } from "./write-once.ts";

/** Writers of one record at a time: movers of one turn, so few. */
const REPLACEMENTS = 3;

export class MessageIndex {
  readonly #ports: StorePorts;
  readonly #keys: Keys;

  constructor(ports: StorePorts, keys: Keys) {
    this.#ports = ports;
    this.#keys = keys;
  }

  keyOf(instance: Instance, turn: Turn): string {
    return this.#keys.message(instance, generationOf(instance, turn.number), turn.message_id);
  }

  /** Writes the record of a finished turn, over that of a pruned one if there is one (H5). */
  async write(instance: Instance, turn: Turn): Promise<Result<null, Failure>> {
    const key = this.keyOf(instance, turn);
    const { id, incarnation } = instance;
    const body = messageCodec.encode({
      workflow_id: id,
      incarnation,
      message_id: turn.message_id,
      turn: turn.number,
    });
    let condition: PutCondition = IF_ABSENT;
    for (let tried = 0; tried < REPLACEMENTS; tried++) {
      const written = await writeOnce(this.#ports, key, body, condition);
      if (!written.ok) return written;
      if (written.value === null) return ok(null);
      const decoded = messageCodec.decode(written.value.body);
      if (
        !decoded.ok ||
        !isOf(decoded.value, instance, turn.message_id) ||
        decoded.value.turn === turn.number
      )
        return err(corrupt(key, "it is there with another content"));
      // A later turn has the id: this one was pruned long ago, and its mover is late.
      if (decoded.value.turn > turn.number) return ok(null);
      if (decoded.value.turn > instance.history_pruned_through)
        return err(corrupt(key, "it names another turn that is kept"));
      condition = ifMatch(written.value.etag);
    }
    return err(
      failure("unavailable", "store_unavailable", `${key} could not be written; it is written later`),
    );
  }

  /** The number of the kept turn that the message became and that has moved, or null (H3). */
  async turnOf(instance: Instance, messageId: string): Promise<Result<number | null, Failure>> {
    if (instance.history_through === 0) return ok(null);
    const { generation, first_turn } = instance.message_index;
    const before = instance.history_pruned_through < first_turn - 1 ? [generation - 1] : [];
    const found = await Promise.all(
      [generation, ...before].map((one) => this.#read(instance, one, messageId)),
    );
    let newest: number | null = null;
    for (const record of found) {
      if (!record.ok) return record;
      if (record.value !== null && record.value > (newest ?? instance.history_pruned_through))
        newest = record.value;
    }
    return ok(newest);
  }

  async #read(
    instance: Instance,
    generation: number,
    messageId: string,
  ): Promise<Result<number | null, Failure>> {
    const key = this.#keys.message(instance, generation, messageId);
    const read = await readPatiently(this.#ports, key, messageCodec, CALLER);
    if (!read.ok) return read;
    if (read.value === null) return ok(null);
    return isOf(read.value, instance, messageId)
      ? ok(read.value.turn)
      : err(corrupt(key, "it belongs to another instance or message"));
  }

  /** Removes the generations that have no kept turn; answers the first that is left (H6). */
  async erase(instance: Instance): Promise<Result<number, Failure>> {
    const { generation, erased_before } = instance.message_index;
    for (let one = erased_before; one < generation - 1; one++) {
      const listed = await listKeys(this.#ports, this.#keys.messages(instance, one));
      if (!listed.ok) return listed;
      const own = [...listed.value.keys()].filter((key) => this.#keys.isMessage(instance, one, key));
      const removed = await removeObjects(this.#ports, own);
      if (!removed.ok) return removed;
    }
    return ok(Math.max(erased_before, generation - 1));
  }
}

function isOf(record: MessageRecord, instance: Instance, messageId: string): boolean {
  return (
    record.workflow_id === instance.id &&
    record.incarnation === instance.incarnation &&
    record.message_id === messageId
  );
}
