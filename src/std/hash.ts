/**
 * Hashes: SHA-256 for checksums and names that are stored, and a fast rolling hash for fingerprints.
 *
 * The rolling hash is 53 bits of two mixed 32-bit lanes. It only tells two runs apart; it protects nothing.
 */
import { hash } from "node:crypto";

/** SHA-256 of the UTF-8 text, 64 hex digits. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** The first 24 bits of that, four characters of base64url. */
export function shortSha256(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 4);
}

/** 32-bit FNV-1a of the text's UTF-16 code units: a cheap name for a label. */
export function fnv1a(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** A hash over a sequence of numbers, the same on every machine and Node version. */
export class RollingHash {
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;

  /** Mixes in one number; the fraction is dropped and only the low 53 bits count. */
  add(value: number): void {
    const low = value | 0;
    // Nearly every value fits 32 bits, and then the high half is 0.
    const high = low === value ? 0 : Math.trunc(value / 0x1_0000_0000) | 0;
    this.#a = Math.imul(this.#a ^ low, 0x01000193) ^ (this.#b >>> 15);
    this.#b = Math.imul(this.#b ^ high ^ (this.#a >>> 13), 0x85ebca6b) + 0x27d4eb2f;
    this.#a ^= this.#b >>> 16;
  }

  /** 16 bits of the hash so far: enough to see where two sequences part. */
  mark(): number {
    return (this.#a ^ this.#b) & 0xffff;
  }

  /** The hash so far, 16 hex digits. */
  digest(): string {
    return (this.#a >>> 0).toString(16).padStart(8, "0") + (this.#b >>> 0).toString(16).padStart(8, "0");
  }
}
