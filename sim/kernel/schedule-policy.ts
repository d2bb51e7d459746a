/**
 * How the next event is picked among those that may come next.
 *
 * Owns only the choice. The queue (`event-queue`) offers all events within `slackMs` of the earliest one, in
 * order of (time, entry); a policy with slack may take a later one first, which then counts as an earlier
 * arrival or a slower clock. Strategies such as priorities with change points, partial-order sampling or
 * exhaustive search are other policies.
 */
import type { StoreOperation } from "../history/history.ts";
import type { ChoiceSource } from "./choice.ts";

/** A request to the store as it is decided there, or a call that arrives at `process` from the process `key`. */
export interface Touch {
  /** Whose request it is, or whom the call reaches. */
  readonly process: string;
  readonly kind: StoreOperation["kind"] | "call";
  /** The store's key; for a list its prefix. */
  readonly key: string;
}

/** What a policy sees of an event. */
export interface Candidate {
  readonly timeMs: number;
  /** Rises with each event entered; unique in a run. */
  readonly seq: number;
  readonly label: string;
  readonly owner: { readonly name: string } | null;
  /** Null: nothing that is known. */
  readonly touches: Touch | null;
}

export interface SchedulePolicy {
  /** How far behind the earliest event another one may be and still be offered; 0: only exact ties. */
  readonly slackMs: number;
  /** The index of the event to take among the first `count` candidates; asked only when `count` is 2 or more. */
  pick(candidates: readonly Candidate[], count: number, choices: ChoiceSource): number;
  /** Told of an event that comes next because nothing else may; for policies that follow the whole run. */
  only?(event: Candidate): void;
}

/** Strictly by time; a tie is one draw, 0 is the first in line. */
export const TIMED: SchedulePolicy = {
  slackMs: 0,
  pick: (_candidates, count, choices) => choices.choose(count, "tie"),
};

/** Any event within `slackMs` of the earliest, by one draw: what a recorded run of any strategy is replayed with. */
export function within(slackMs: number): SchedulePolicy {
  return slackMs === 0 ? TIMED : { ...TIMED, slackMs };
}
