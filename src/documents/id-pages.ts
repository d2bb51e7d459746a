/**
 * Pages of the memory of message ids: the marks of a run of turns, as one immutable object, once the instance has no
 * place for them any more (`protocol/message-ids.ts`).
 *
 *   H4  a page is written once, if absent, before the identity drops its marks (P21). Its text is a function of its turns,
 *       so an object that is there with another text is corrupt.
 *   H5  a page never changes, so a node that has it need not read it again: what it remembers is right for good, and what
 *       it has forgotten it reads once more.
 *
 * What a mark means, and which pages are asked, is not known here.
 */
import type { MarkedTurns } from "../protocol/message-ids.ts";
import { err, ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import { type HistoryLayout, runFirst } from "../vocabulary/history-layout.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { CALLER } from "./backoff.ts";
import type { StorePorts } from "./conditional-write.ts";
import type { Keys, Owner } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";
import { corrupt } from "./read.ts";
import { idPageCodec } from "./record-codecs.ts";
import { removeObjects } from "./removal.ts";
import { writeOnce } from "./write-once.ts";

/** Pages that a node remembers, a kilobyte each; with more it forgets those that it has known longest. */
const REMEMBERED = 4_096;

export class IdPages {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  /** Marks by key. */
  readonly #known = new Map<string, string>();

  constructor(ports: StorePorts, keys: Keys) {
    this.#ports = ports;
    this.#keys = keys;
  }

  /** Makes sure that the page is there. */
  async write(instance: Instance, { first, marks }: MarkedTurns): Promise<Result<null, Failure>> {
    const key = this.#keys.idPage(instance, first);
    if (this.#known.has(key)) return ok(null);
    const { id: workflow_id, incarnation } = instance;
    const written = await writeOnce(
      this.#ports,
      key,
      idPageCodec.encode({ workflow_id, incarnation, first, marks }),
    );
    if (!written.ok) return written;
    if (written.value !== null) return err(corrupt(key, "it is there with another content"));
    this.#remember(key, marks);
    return ok(null);
  }

  /** The page that begins with the turn; null when there is none. */
  async read(instance: Instance, first: number): Promise<Result<MarkedTurns | null, Failure>> {
    const key = this.#keys.idPage(instance, first);
    const known = this.#known.get(key);
    if (known !== undefined) return ok({ first, marks: known });
    const read = await readPatiently(this.#ports, key, idPageCodec, CALLER);
    if (!read.ok || read.value === null) return read;
    const { workflow_id, incarnation, marks } = read.value;
    if (workflow_id !== instance.id || incarnation !== instance.incarnation || read.value.first !== first)
      return err(corrupt(key, "it belongs to another instance or page"));
    this.#remember(key, marks);
    return ok({ first, marks });
  }

  /** Removes the pages that end behind `from` and not behind `through`. */
  erase(
    owner: Owner,
    { page_turns: size }: HistoryLayout,
    from: number,
    through: number,
  ): Promise<Result<null, Failure>> {
    const keys: string[] = [];
    for (let first = runFirst(from + 1, size); first + size - 1 <= through; first += size)
      keys.push(this.#keys.idPage(owner, first));
    return removeObjects(this.#ports, keys);
  }

  #remember(key: string, marks: string): void {
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < REMEMBERED) break;
      this.#known.delete(oldest);
    }
    this.#known.set(key, marks);
  }
}
