/**
 * What a node knows of the history of its instances beyond what their identities say: hints, kept until an identity says
 * the same.
 *
 *   K1  what is noted here was there in the store when it was noted, for good: segments are written once, and what is
 *       erased is not asked for again. So an old note is true, and only behind the times.
 *   K2  a note that is lost costs a request that is sent again and finds everything done.
 */
import type { Instance } from "../vocabulary/instance.ts";

export interface KnownMove {
  /** Turns 1 to this are in segments, and the ends of work that somebody waits for are told. */
  readonly through: number;
  /** The segments of turns 1 to this are gone. */
  readonly erasedThrough: number;
}

/** Lives that a node remembers; with more it forgets all of them (K2). */
const REMEMBERED = 10_000;
const NOTHING: KnownMove = { through: 0, erasedThrough: 0 };

export class KnownMoves {
  readonly #known = new Map<string, KnownMove>();

  of({ incarnation }: Instance): KnownMove {
    return this.#known.get(incarnation) ?? NOTHING;
  }

  note({ incarnation }: Instance, { through = 0, erasedThrough = 0 }: Partial<KnownMove>): void {
    const before = this.#known.get(incarnation) ?? NOTHING;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(incarnation, {
      through: Math.max(before.through, through),
      erasedThrough: Math.max(before.erasedThrough, erasedThrough),
    });
  }

  /** Nothing needs to be remembered that the identity says itself. */
  forget(instance: Instance): void {
    const known = this.#known.get(instance.incarnation);
    if (known === undefined) return;
    const { history_through, history_erased_through } = instance;
    if (known.through <= history_through && known.erasedThrough <= history_erased_through)
      this.#known.delete(instance.incarnation);
  }
}
