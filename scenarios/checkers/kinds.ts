/**
 * The kinds of change that a write makes to an identity: every one that a command of the engine can make, and no other.
 *
 * Only words: `changes.ts` and `turn-changes.ts` find them in the stored versions.
 */
import type { Holder, Operation, Signal, Step, Turn } from "../../src/index.ts";
import type { IdentityVersion } from "./records.ts";

export type Change = { readonly at: IdentityVersion; readonly before: IdentityVersion | null } & What;
export type What =
  | { readonly kind: "created" }
  /** `continues`: the turn that completed in the same write and was continued by this one. */
  | { readonly kind: "admitted"; readonly turn: Turn; readonly continues: Turn | null }
  | { readonly kind: "claimed"; readonly was: Turn; readonly turn: Turn; readonly holder: Holder }
  | Attempted<"renewed">
  /** Of a wait: it took a signal that was there, and its attempt goes on. */
  | (Attempted<"saved"> & Placed)
  /** The instance went over to another version of its code, with its state. */
  | Attempted<"migrated">
  | (Attempted<"started"> & { readonly operation: Operation })
  | (Attempted<"progressed"> & { readonly operation: Operation })
  /** The attempt ended: by its worker's word, or because it ran out of time. */
  | Attempted<"completed">
  | Attempted<"failed">
  | Attempted<"expired">
  /** The attempt let go of its turn and goes on with the next claim: at a sleep or a wait, or to be tried later. */
  | (Attempted<"suspended"> & Placed)
  | Attempted<"deferred">
  /** A wait ended with nothing, in the write of the claim that follows. */
  | (Changed<"timed-out"> & Placed)
  /** `woke`: the signal ended a wait in the same write. */
  | (Changed<"signalled"> & { readonly signal: Signal; readonly woke: Step | null })
  /** A wait that counts no attempt ended before its time. */
  | Changed<"woken">
  | Changed<"retried">
  | Changed<"skipped">
  /** `held`: the attempt that it took the turn from. */
  | (Changed<"cancelled"> & { readonly held: Holder | null })
  | { readonly kind: "paused" }
  | { readonly kind: "resumed" }
  | { readonly kind: "moved"; readonly turn: Turn }
  | { readonly kind: "forbidden"; readonly what: string };
/** A change of a turn that needs no attempt. */
interface Changed<Kind> {
  readonly kind: Kind;
  readonly was: Turn;
  readonly turn: Turn;
}
/** A change of a turn while an attempt held it. */
interface Attempted<Kind> extends Changed<Kind> {
  readonly holder: Holder;
}
interface Placed {
  readonly position: number;
  readonly step: Step;
}
export type ChangeOf<Kind extends What["kind"]> = Change & { readonly kind: Kind };

export function forbidden(what: string): What {
  return { kind: "forbidden", what };
}

/** Completed, cancelled and skipped turns are finished: nothing changes them, and they move to history. */
export function isOver(turn: Turn): boolean {
  return turn.status === "completed" || turn.status === "cancelled" || turn.skipped;
}
