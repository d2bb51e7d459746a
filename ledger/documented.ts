/**
 * What the documented protocol costs for a turn of one step, by cause: what ours is shown beside.
 *
 * A message, a claim, the start of the step, its checkpoint and the end are one read and one write of the identity each;
 * message, claim and end write the index too; a finished turn makes two objects of history and one more write of the
 * identity. That is 11 puts and 5 gets; when each write of the index reads it first, 8.
 */
import { type CountsByCause, NOTHING, totalOf } from "./cause.ts";

/** Each of the three writes of the index may read it first. */
const INDEX = { ...NOTHING, get: 3, put: 3 };
const ONE_EACH = { ...NOTHING, get: 1, put: 1 };

export const DOCUMENTED: CountsByCause = {
  admit: ONE_EACH,
  claim: ONE_EACH,
  operation: ONE_EACH,
  checkpoint: ONE_EACH,
  complete: ONE_EACH,
  history: { ...NOTHING, put: 3 },
  index: INDEX,
};

/** Puts and the fewest gets of a turn of so many steps: each has a start and a checkpoint. */
export function documentedRequests(steps: number): { readonly put: number; readonly get: number } {
  const { put, get } = totalOf(DOCUMENTED);
  const more = 2 * (steps - 1);
  return { put: put + more, get: get - INDEX.get + more };
}

export const DOCUMENTED_TEXT = "11 puts and 5 to 8 gets";
