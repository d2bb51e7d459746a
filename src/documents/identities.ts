/**
 * Identities as their readers see them: a tombstone is no instance, and a life is not the next one.
 */
import { inboxHead } from "../protocol/inbox.ts";
import { assert } from "../std/assert.ts";
import { err } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { type Identity, isTombstone } from "../vocabulary/tombstone.ts";
import type { Codec } from "./codec.ts";
import { type Memory, NO_MEMORY, type Settled } from "./conditional-write.ts";
import { KnownVersions } from "./known-versions.ts";

/** The instance that lives there, or null. */
export function living(identity: Identity | null): Instance | null {
  return identity === null || isTombstone(identity) ? null : identity;
}

export function notFound(id: string): Failure {
  const message = `instance ${id} does not exist; create it first`;
  return failure("not-found", "instance_not_found", message, "id");
}

/**
 * The same call has met two lives of the id. What it wrote to the first, if it did, is gone with it; it must not be
 * done again to the second.
 */
export function anotherLife(id: string): Failure {
  const message = `instance ${id} was deleted and created again while the request was on its way; repeat it if it is meant for the new one`;
  return failure("unavailable", "instance_recreated", message);
}

/** A settled write of an instance, by a command that only ever answers about one that lives. */
export type Carried<Reply> = Omit<Settled<Instance, Reply>, "latest">;

export function carried<Reply>(settled: Settled<Identity, Reply>): Carried<Reply> {
  const { reply, stamp, value, wrote, before } = settled;
  assert(!isTombstone(value), "a command was carried to an instance that lives");
  return { reply, stamp, value, wrote, before: living(before) };
}

/** A body of another instance, copied here by mistake, is not this one's: what follows would write there (D4). */
export function codecOf(codec: Codec<Identity>, id: string): Codec<Identity> {
  return {
    encode: (stamp, value) => codec.encode(stamp, value),
    decode: (body) => {
      const decoded = codec.decode(body);
      return decoded.ok && decoded.value.value.id !== id ? err("it belongs to another instance") : decoded;
    },
  };
}

/** What a node remembers of identities; nothing when that is switched off. */
export function memoryOf({
  remember_identities,
}: {
  readonly remember_identities: boolean;
}): Memory<Identity> {
  return remember_identities ? new KnownVersions(holdingOf) : NO_MEMORY;
}

/** Held by a worker an identity is mostly written by the node that serves it, and else by any (K3). */
function holdingOf(identity: Identity): number {
  const head = isTombstone(identity) ? null : inboxHead(identity);
  return head === null || head.holder === null ? 0 : 1;
}
