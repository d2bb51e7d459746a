/**
 * Blobs: values too large for a step's output, kept in objects of their own and named by a text in its place.
 *
 *   blob:000000000007-1f0c9a3b-4Zt…
 *        tag          mark     unique id
 *
 * The tag is the number of the next turn when the blob was put. The mark tells the life of an instance that it belongs
 * to: the same text in a document of another instance, or of a later life, is only text. Source: seed 000 "Blobs".
 */
import { sha256 } from "../std/hash.ts";

const TAG_DIGITS = 12;
const MARK_CHARS = 8;
export const BLOB_PREFIX = "blob:";
const REFERENCE = /^blob:(\d{12})-([0-9a-f]{8})-([A-Za-z0-9_-]{1,64})$/;

export interface Blob {
  /** The text that names it. */
  readonly reference: string;
  readonly tag: number;
  readonly mark: string;
}

/** The mark of the blobs of one life. */
export function blobMark(incarnation: string): string {
  return sha256(incarnation).slice(0, MARK_CHARS);
}

export function blobReference(tag: number, incarnation: string, uniqueId: string): string {
  return `${BLOB_PREFIX}${String(tag).padStart(TAG_DIGITS, "0")}-${blobMark(incarnation)}-${uniqueId}`;
}

/** The blob that the text names, or null when it is no reference. */
export function readReference(text: string): Blob | null {
  const [reference, tag, mark] = REFERENCE.exec(text) ?? [];
  if (reference === undefined || tag === undefined || mark === undefined) return null;
  return { reference, tag: Number(tag), mark };
}

/** Whether a JSON text may hold a reference; nearly none does. */
export function mayHoldReferences(json: string): boolean {
  return json.includes(`"${BLOB_PREFIX}`);
}

/** The references to blobs of this life among the texts of a JSON text. */
export function referencesIn(json: string, incarnation: string): readonly Blob[] {
  if (!mayHoldReferences(json)) return [];
  const mark = blobMark(incarnation);
  const found: Blob[] = [];
  for (const [, text = ""] of json.matchAll(/"(blob:[^"\\]*)"/g)) {
    const blob = readReference(text);
    if (blob !== null && blob.mark === mark) found.push(blob);
  }
  return found;
}
