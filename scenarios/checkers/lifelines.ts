/**
 * The lives of the instances of a run, and what retention says about the turns and blobs of each.
 *
 * From the published rules of retention and deletion (`src/protocol/retention.ts`, `deletion.ts`, `blob-names.ts`), by
 * code of its own. Times are those at which the store applied a version. Two things of one millisecond are given the
 * benefit of the doubt, so nothing sound is misjudged.
 */
import { sha256 } from "../../src/std/hash.ts";
import { type IdentityVersion, type LifelineVersion, lifeName, type Records } from "./records.ts";

export interface Life {
  /** As in `Records` (D5). */
  readonly name: string;
  readonly id: string;
  readonly chain: readonly IdentityVersion[];
  /** The tombstone that ended it; null: it goes on. */
  readonly ended: LifelineVersion | null;
  /** The version that says that nothing of it is left. */
  readonly erased: LifelineVersion | null;
}

/** Every life of every instance, by name. */
export function livesOf({ lifelines, identities }: Records): ReadonlyMap<string, Life> {
  const lives = new Map<string, Life>();
  for (const [id, lifeline] of lifelines) {
    const tombs = lifeline.filter(({ deleted }) => deleted);
    for (const life of new Set(lifeline.map(({ value }) => value.life))) {
      const name = lifeName(id, life);
      const own = tombs.filter(({ value }) => value.life === life);
      const erased = own.find(({ value }) => "erased" in value && value.erased) ?? null;
      const chain = identities.get(name) ?? [];
      lives.set(name, { name, id, chain, ended: own[0] ?? null, erased });
    }
  }
  return lives;
}

/** When the turn was pruned; null: never. */
export function prunedAt(chain: readonly IdentityVersion[], turn: number): number | null {
  return chain.find(({ value }) => value.history_pruned_through >= turn)?.version.atMs ?? null;
}

/** The versions that were the last one at some time from `fromMs` to `toMs`, a moment of doubt at each end. */
export function between(
  chain: readonly IdentityVersion[],
  fromMs: number,
  toMs: number,
): readonly IdentityVersion[] {
  return chain.filter(
    ({ version }, at) => version.atMs <= toMs && (chain[at + 1]?.version.atMs ?? toMs) >= fromMs,
  );
}

/** The references of this life's blobs in a value or document. */
export function blobsNamed(value: unknown, incarnation: string): ReadonlySet<string> {
  const mark = sha256(incarnation).slice(0, 8);
  const found = new Set<string>();
  for (const [, reference = ""] of JSON.stringify(value ?? null).matchAll(
    /"(blob:\d{12}-[0-9a-f]{8}-[\w-]+)"/g,
  ))
    if (reference.slice("blob:000000000000-".length).startsWith(mark)) found.add(reference);
  return found;
}

export function tagOf(reference: string): number {
  return Number(reference.slice("blob:".length, "blob:000000000000".length));
}
