/**
 * Which of the engine's objects a key is. Knows the keys of the stored format and nothing of how they are built.
 */

export type Place =
  | { readonly kind: "identity"; readonly id: string }
  | { readonly kind: "identities" }
  | { readonly kind: "index" }
  | { readonly kind: "history"; readonly id: string }
  | { readonly kind: "blobs"; readonly id: string }
  | { readonly kind: "elsewhere" };

/** Whole, or a shard of it. */
const INDEX = /\/state\/index(?:\/\d+-\d+)?\.json$/;
const IDENTITY = /\/state\/instances\/([^/]+)\.json$/;
const LIFE = /\/(history|blobs)\/i-([^/@]+)/;

/** The place behind a key, or a prefix of keys. */
export function placeOf(key: string): Place {
  if (INDEX.test(key)) return { kind: "index" };
  const identity = IDENTITY.exec(key)?.[1];
  if (identity !== undefined) return { kind: "identity", id: identity };
  if (key.endsWith("/state/instances/")) return { kind: "identities" };
  const [, room, owner] = LIFE.exec(key) ?? [];
  if (owner === undefined) return { kind: "elsewhere" };
  return { kind: room === "blobs" ? "blobs" : "history", id: owner };
}
