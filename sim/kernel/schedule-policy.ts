/**
 * How the next event is picked among those that may come next.
 *
 * Owns only the choice. The queue (`event-queue`) offers all events within `slackMs` of the earliest one, in
 * order of (time, entry); a policy with slack may take a later one first, which then counts as an earlier
 * arrival or a slower clock. Strategies such as priorities with change points, partial-order sampling or
 * exhaustive search are other policies.
 */
import type { ChoiceSource } from "./choice.ts";

/** What a policy sees of an event. */
export interface Candidate {
  readonly timeMs: number;
  /** Rises with each event entered; unique in a run. */
  readonly seq: number;
  readonly label: string;
  readonly owner: { readonly name: string } | null;
}

export interface SchedulePolicy {
  /** How far behind the earliest event another one may be and still be offered; 0: only exact ties. */
  readonly slackMs: number;
  /** The index of the event to take among the first `count` candidates; asked only when `count` is 2 or more. */
  pick(candidates: readonly Candidate[], count: number, choices: ChoiceSource): number;
}

/** Strictly by time; a tie is one draw, 0 is the first in line. */
export const TIMED: SchedulePolicy = {
  slackMs: 0,
  pick: (_candidates, count, choices) => choices.choose(count, "tie"),
};
