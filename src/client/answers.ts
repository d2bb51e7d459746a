/**
 * From values to exceptions, and back from JSON to what the caller says it is: the edge of the client.
 *
 * Inside, a failure is a value. Users of the client catch a `BatonError`.
 */
import type { Json } from "../std/json.ts";
import type { Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import { BatonError } from "../workflow/index.ts";

/** The value; throws what the call was refused with. */
export async function unwrapped<T>(reply: Promise<Result<T, Failure>>): Promise<T> {
  const answer = await reply;
  if (answer.ok) return answer.value;
  throw new BatonError(answer.error);
}

/** A reply as the type that its workflow says. */
export function asResult<T>(value: Json): T {
  // The author's word; see `src/workflow/json-values.ts`.
  return value as T;
}
