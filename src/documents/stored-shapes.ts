/**
 * The shapes of stored payloads: whether parsed JSON is what its format says.
 *
 * A body that passes its checksum was written by this code, so these look at the fields that tell formats and owners
 * apart, not at each value again. Whether a document belongs under its key is checked by those who know the key.
 *
 * They say nothing of what a value means: a turn with an unknown status has the shape of a turn. Nothing is filled in or
 * converted here; a type named `Stored…` is what stands in the body, before the codec has made the document of it.
 *
 * A field that is missing in an older body is named here as optional, and filled in by the codec.
 */
import type { Json } from "../std/json.ts";
import type { GraphHead } from "../vocabulary/graph-head.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
import type { WriteStamp } from "../vocabulary/instance.ts";
import type { StoredInstance } from "../vocabulary/instance-text.ts";
import type { Tombstone } from "../vocabulary/tombstone.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { StoredTurn } from "../vocabulary/turn-text.ts";

/** Turns in history that follow each other. The same turns always have the same text, whoever moves them. */
export interface SegmentRecord {
  readonly workflow_id: string;
  readonly incarnation: string;
  readonly turns: readonly Turn[];
}

/** Marks of the message ids of turns that follow each other. */
export interface IdPageRecord {
  readonly workflow_id: string;
  readonly incarnation: string;
  readonly first: number;
  readonly marks: string;
}

/** A value too large for its document. */
export interface BlobRecord {
  readonly workflow_id: string;
  readonly incarnation: string;
  readonly value: Json;
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isStamp(value: unknown): value is WriteStamp {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.sequence) &&
    typeof value.write_id === "string" &&
    Array.isArray(value.lineage)
  );
}

export function isInstance(value: unknown): value is StoredInstance {
  return (
    isRecord(value) &&
    typeof value.id === "string" &&
    typeof value.incarnation === "string" &&
    Number.isSafeInteger(value.next_turn) &&
    Array.isArray(value.turns) &&
    value.turns.every(isTurn)
  );
}

function isTurn(value: unknown): value is StoredTurn {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.number) &&
    typeof value.message_id === "string" &&
    typeof value.status === "string" &&
    (value.steps === undefined || Array.isArray(value.steps))
  );
}

export function isStoredTombstone(value: unknown): value is Tombstone {
  return (
    isRecord(value) &&
    typeof value.id === "string" &&
    Number.isSafeInteger(value.life) &&
    Number.isSafeInteger(value.deleted_at_ms) &&
    Number.isSafeInteger(value.turns_through) &&
    Number.isSafeInteger(value.erased_through) &&
    isRecord(value.history_layout) &&
    typeof value.erased === "boolean"
  );
}

/** The scheduling index as it is stored. */
export interface StoredIndex {
  readonly entries: { readonly [id: string]: IndexEntry };
  /** Absent: none. */
  readonly removed?: { readonly [id: string]: number };
}

export function isIndex(value: unknown): value is StoredIndex {
  return (
    isRecord(value) &&
    isRecord(value.entries) &&
    Object.values(value.entries).every(isEntry) &&
    (value.removed === undefined ||
      (isRecord(value.removed) && Object.values(value.removed).every(Number.isSafeInteger)))
  );
}

function isEntry(value: unknown): value is IndexEntry {
  return isRecord(value) && Number.isSafeInteger(value.sequence);
}

/** Whether it says whose it is: the instance and its life. */
function isOwned(
  value: unknown,
): value is { readonly workflow_id: string; readonly incarnation: string; readonly [name: string]: unknown } {
  return isRecord(value) && typeof value.workflow_id === "string" && typeof value.incarnation === "string";
}

export function isSegmentRecord(
  value: unknown,
): value is Omit<SegmentRecord, "turns"> & { readonly turns: readonly StoredTurn[] } {
  return isOwned(value) && Array.isArray(value.turns) && value.turns.every(isTurn);
}

export function isIdPageRecord(value: unknown): value is IdPageRecord {
  return isOwned(value) && Number.isSafeInteger(value.first) && typeof value.marks === "string";
}

export function isBlobRecord(value: unknown): value is BlobRecord {
  return isOwned(value) && value.value !== undefined;
}

export function isGraphHead(value: unknown): value is GraphHead {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.epoch) &&
    typeof value.live === "boolean" &&
    typeof value.erased === "boolean"
  );
}
