/**
 * An instance: one workflow identity, its saved state and its inbox. This document is the truth about it.
 *
 * Source: seed 000 "Storage, recovery and erasure"; catalogue part 5, rule 1 (sequence, write id, lineage).
 */
import type { Json } from "../std/json.ts";
import type { HistoryLayout } from "./history-layout.ts";
import type { Origin, Turn } from "./turn.ts";

/**
 * What every conditionally written body carries, so that no two versions are byte-equal (B24) and an own write
 * is recognised after a lost answer, also when others have written since (B01).
 */
export interface WriteStamp {
  /** Rises by one with each write of the object. */
  readonly sequence: number;
  /** Unique to the write that made this version. */
  readonly write_id: string;
  /** The write ids before it, newest first, at most `LINEAGE_LENGTH`. */
  readonly lineage: readonly string[];
}

/** How many earlier write ids a body remembers. */
export const LINEAGE_LENGTH = 8;

export interface Instance {
  readonly id: string;
  readonly workflow_type: string;
  /** Changes only by a migration. */
  readonly version: string;
  /** Tells this life of the id from an earlier one; part of every effect id. */
  readonly incarnation: string;
  /** 1, and one more each time the id is created again; part of the keys of everything that belongs to it. */
  readonly life: number;
  readonly lease_ms: number;
  readonly max_attempts: number;
  /** What becomes of a turn that fails for good: it blocks the inbox, or it is skipped. */
  readonly on_exhausted: OnExhausted;
  /** SHA-256 of the canonical creation request: recognises an identical creation. */
  readonly initial_digest: string;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  /** Accepts messages, lets a leased turn finish, is not claimed. */
  readonly paused: boolean;
  /** The state the last completed turn left, or a migration since. */
  readonly state: Json;
  /** Finished turns: completed, cancelled and skipped ones. */
  readonly completed_turns: number;
  /** The number the next admitted message gets. */
  readonly next_turn: number;
  /** Turns 1 to this are in segments of history and no longer here; the last turn of a segment. */
  readonly history_through: number;
  /** Turns 1 to this were removed from history by retention: they are not found, whether their objects are gone or not. */
  readonly history_pruned_through: number;
  /** The segments of turns 1 to this are known to be gone; the last turn of a block. */
  readonly history_erased_through: number;
  /** When moved turns finished, oldest first; empty while nothing is ever pruned. */
  readonly history_marks: readonly HistoryMark[];
  /** How its history is cut into objects. */
  readonly history_layout: HistoryLayout;
  /** Marks of the message ids of the newest moved turns, in the order of the turns, ending at `history_through`. */
  readonly history_ids: string;
  /** Blobs that outlive their tag, with the last turn that names each. */
  readonly blobs: NamedBlobs;
  /** Turns `history_through + 1` to `next_turn - 1`: those about to move, then the inbox, cancelled ones among it. */
  readonly turns: readonly Turn[];
  /** Messages that become turns when they are due, in the order of their receipt. */
  readonly deferred: readonly DeferredMessage[];
}

/** A message of the engine's own that has no turn yet. It counts as pending. */
export interface DeferredMessage {
  readonly id: string;
  readonly message: Json;
  readonly origin: Origin;
  readonly received_at_ms: number;
  /** Becomes a turn at the end of the inbox with the first claim from then on, wall milliseconds. */
  readonly due_at_ms: number;
}

/** Turns up to the first number, and behind the mark before, had finished by the second, wall milliseconds. */
export type HistoryMark = readonly [through: number, finishedAtMs: number];

/** By reference; a reference begins with `blob:`, so none means anything to an object. */
export interface NamedBlobs {
  readonly [reference: string]: number;
}

export type OnExhausted = "block" | "skip";

export type InstanceStatus = "idle" | "queued" | "running" | "waiting" | "failed" | "paused";
