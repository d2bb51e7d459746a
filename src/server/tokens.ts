/**
 * Bearer tokens: who asks.
 *
 *   api       an ordinary key: everything but the reserved types and ids
 *   console   a person: may also send to, signal, control and delete reserved instances
 *   operator  the operator's own workers: everything
 *
 * Digests are compared, each of them and to their end, so the time tells nothing about a token. With no token set,
 * everybody is an ordinary key. Source: contract section 1; seed 000 "LBB's own workflow types".
 */
import { sha256 } from "../std/hash.ts";
import type { Caller } from "../vocabulary/caller.ts";

export interface TokenOptions {
  readonly api?: string;
  readonly console?: string;
  readonly operator?: string;
}

export class Tokens {
  readonly #known: readonly (readonly [digest: string, caller: Caller])[];

  constructor({ api, console, operator }: TokenOptions) {
    const given = [
      [api, "key"],
      [console, "person"],
      [operator, "own"],
    ] as const;
    this.#known = given.flatMap(([token, caller]) =>
      token === undefined ? [] : [[sha256(token), caller] as const],
    );
  }

  /** Null: the header names no known token. */
  callerOf(authorization: string | undefined): Caller | null {
    if (this.#known.length === 0) return "key";
    const digest = sha256(/^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "");
    let found: Caller | null = null;
    for (const [known, caller] of this.#known) if (isSame(known, digest)) found = caller;
    return found;
  }
}

function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
