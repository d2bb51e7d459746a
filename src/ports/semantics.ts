/**
 * The rules of the object store that are pure: when a condition refuses a write, and what etag a body gets.
 *
 * Stores that keep their objects themselves (in memory, simulated) use these, so that both mean the same by a
 * condition. Remote stores decide on their own and are held to the contract suite instead.
 */
import { fnv1a, sha256 } from "../std/hash.ts";
import type { DeleteCondition, Etag, PutCondition } from "./object-store.ts";

/**
 * How etags are made. `content-hash`: of the body alone, so equal bodies have equal etags (S3). `counter`: a
 * number that the store never issues twice (generations of GCS). `opaque`: a text in quotes, never issued twice,
 * that shows no order (S3 Express, Azure). Catalogue F09.
 */
export type EtagMode = "content-hash" | "counter" | "opaque";

/** What a store says to an `if-match` on a key that is not there: 404 (AWS) or 412 (Ceph). Catalogue F07. */
export type MissingKeyAnswer = "not-found" | "precondition-failed";

/** The etag of a body; `sequence` is the store's count of versions so far. */
export function etagOf(mode: EtagMode, body: string, sequence: number): Etag {
  if (mode === "content-hash") return sha256(body);
  return mode === "counter"
    ? `g${sequence}`
    : `"0x${fnv1a(`etag ${sequence}`).toString(16)}${sequence.toString(16)}"`;
}

/** Why the condition refuses the write, or null when it holds. `current` is null when the key is not there. */
export function refusal(
  condition: PutCondition | DeleteCondition,
  current: Etag | null,
  onMissingKey: MissingKeyAnswer,
): "precondition-failed" | "not-found" | null {
  if (condition.kind === "none") return null;
  if (condition.kind === "if-absent") return current === null ? null : "precondition-failed";
  if (current === null) return onMissingKey;
  return current === condition.etag ? null : "precondition-failed";
}
