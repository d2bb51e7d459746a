/**
 * Instances in the store: the identity object, its history and its index entry, kept together.
 *
 *   D1  the identity is written first; index and history follow a commit and never precede it.
 *   D2  a commit is answered whatever becomes of what follows it: an interrupted move is finished by the next
 *       operation, a missed index entry by the periodic listing.
 *   D3  at most `MAX_UNMOVED` finished turns stay in an identity: then it first moves them (catalogue I17).
 *   D4  an identity object holds the instance that its key names, or it is corrupt.
 */
import { type Decision, type Moment, refuse } from "../protocol/decision.ts";
import { assertInstance, unmovedTurns } from "../protocol/inbox.ts";
import { isRescheduled } from "../protocol/schedule.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { CALLER } from "./backoff.ts";
import type { Codec, Codecs, Stamped } from "./codec.ts";
import { conditionalWrite, type Settled, type StorePorts } from "./conditional-write.ts";
import type { History } from "./history.ts";
import type { Keys } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";
import { entryOf, type IndexObject } from "./scheduling-index.ts";

const MAX_UNMOVED = 8;

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

  constructor(ports: StorePorts, keys: Keys, codecs: Codecs, history: History, index: IndexObject) {
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
    this.#history = history;
    this.#index = index;
  }

  async load(id: string): Promise<Result<Stamped<Instance>, Failure>> {
    const read = await readPatiently(this.#ports, this.#keys.instance(id), this.#codecOf(id), CALLER);
    if (!read.ok) return read;
    return read.value === null ? err(notFound(id)) : ok(read.value);
  }

  /** Creates the instance, or decides on the one that is there. */
  async create<Reply>(
    id: string,
    decide: (instance: Instance | null, moment: Moment) => Decision<Instance, Reply>,
  ): Promise<Result<Settled<Instance, Reply>, Failure>> {
    const key = this.#keys.instance(id);
    const settled = await conditionalWrite(this.#ports, key, this.#codecOf(id), CALLER, (current, moment) =>
      decide(current?.value ?? null, moment),
    );
    if (settled.ok) await this.follow(settled.value);
    return settled;
  }

  /** Carries the command to the instance, then does what follows a commit. */
  async change<Reply>(
    id: string,
    command: Command<Reply>,
  ): Promise<Result<Settled<Instance, Reply>, Failure>> {
    const key = this.#keys.instance(id);
    const settled = await conditionalWrite(
      this.#ports,
      key,
      this.#codecOf(id),
      CALLER,
      async (current, moment) => {
        if (current === null) return refuse(notFound(id));
        if (unmovedTurns(current.value).length >= MAX_UNMOVED) return this.#moveFirst(current.value);
        const decision = await command(current.value, moment);
        if (decision.kind === "write") assertInstance(decision.next);
        return decision;
      },
    );
    if (settled.ok) await this.follow(settled.value);
    return settled;
  }

  /** After a commit: the index entry when the schedule changed, and the move of finished turns (D1, D2). */
  async follow<Reply>(settled: Settled<Instance, Reply>): Promise<void> {
    const { value, stamp, before, wrote } = settled;
    const moving = this.#history.move(value);
    if (wrote && (before === null || isRescheduled(before, value)))
      this.#tell(
        "index-not-mended",
        value,
        await this.#index.mend(new Map([[value.id, entryOf(value, stamp)]])),
      );
    this.#tell("turns-not-moved", value, await moving);
  }

  /** What follows a commit may fail without anybody being answered so; the log hears of it. */
  #tell(event: string, instance: Instance, result: Result<unknown, Failure>): void {
    if (result.ok) return;
    this.#ports.trace.emit(event, { instance: instance.id, code: result.error.code });
  }

  /** A body of another instance, copied here by mistake, is not this one's: what follows would write there (D4). */
  #codecOf(id: string): Codec<Instance> {
    const codec = this.#codecs.instance;
    return {
      encode: (stamp, value) => codec.encode(stamp, value),
      decode: (body) => {
        const decoded = codec.decode(body);
        return decoded.ok && decoded.value.value.id !== id ? err("it belongs to another instance") : decoded;
      },
    };
  }

  async #moveFirst(instance: Instance): Promise<Decision<Instance, never>> {
    const moved = await this.#history.move(instance);
    if (!moved.ok && moved.error.kind === "corrupt") return refuse(moved.error);
    const message = `the history of instance ${instance.id} is behind; repeat the request after a while`;
    return refuse(failure("unavailable", "history_behind", message));
  }
}

function notFound(id: string): Failure {
  const message = `instance ${id} does not exist; create it first`;
  return failure("not-found", "instance_not_found", message, "id");
}
