/**
 * The fingerprint of a run: a rolling hash over each draw, each event with its time, and each noted fact.
 *
 *   P1  a step is one draw, one event or one fact; steps are mixed in the order in which they happen;
 *   P2  only names, numbers and virtual time go in, never an address, an order of a set, or real time;
 *   P3  two runs with equal fingerprints took the same steps (up to collisions of the hash).
 *
 * Hashes of labels are kept for the whole process: labels are constant and few (K3). With a `StepLog` each
 * step is also kept in words, so that two runs can be laid side by side.
 */
import { fnv1a, RollingHash } from "../../src/std/hash.ts";
import type { StepLog } from "./step-log.ts";

const LABEL_HASHES = new Map<string, number>();

/** The hash of a constant label. */
export function labelHash(label: string): number {
  const known = LABEL_HASHES.get(label);
  if (known !== undefined) return known;
  const made = fnv1a(label);
  LABEL_HASHES.set(label, made);
  return made;
}

/** Keep the kinds of steps apart where labels, numbers and times are equal. */
const EVENT_SALT = 0x2545f491;
const FACT_SALT = 0x5bd1e995;

export class Fingerprint {
  readonly #hash = new RollingHash();
  readonly #log: StepLog | null;
  #steps = 0;

  constructor(log: StepLog | null = null) {
    this.#log = log;
  }

  /** Steps mixed in so far. */
  get steps(): number {
    return this.#steps;
  }

  draw(label: string, n: number, value: number): void {
    this.#mix(labelHash(label), n, value);
    if (this.#log !== null) this.#log.add({ kind: "draw", label, n, value }, this.digest());
  }

  /** `ownerHash` names the process and its incarnation; 0: none. */
  event(label: string, owner: string | null, ownerHash: number, atMs: number): void {
    this.#mix(labelHash(label) ^ EVENT_SALT, ownerHash, atMs);
    if (this.#log !== null) this.#log.add({ kind: "event", label, owner, atMs }, this.digest());
  }

  /** Something that must be equal in equal runs, for example the hash of a body that was stored. */
  fact(label: string, value: number): void {
    this.#mix(labelHash(label) ^ FACT_SALT, 0, value);
    if (this.#log !== null) this.#log.add({ kind: "fact", label, value }, this.digest());
  }

  /** The hash so far, 16 hex digits. */
  digest(): string {
    return this.#hash.digest();
  }

  /** 16 bits of the hash so far. */
  mark(): number {
    return this.#hash.mark();
  }

  #mix(a: number, b: number, c: number): void {
    this.#steps++;
    this.#hash.add(a);
    this.#hash.add(b);
    this.#hash.add(c);
  }
}
