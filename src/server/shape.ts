/**
 * What a request has against a schema: the first thing wrong, as the engine would say it.
 *
 *   unknown_field, unknown_parameter   a closed object has no such field
 *   missing_field, missing_parameter   a field that has to be there is not
 *   invalid_field, invalid_parameter   it is of another type, or no value of the list
 *
 * `param` is the path of the field, with dots.
 */
import type { z } from "zod";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";

/** What a sender made up is repeated to it, within reason. */
const SHOWN_CHARS = 128;

export function shaped<T>(
  schema: z.ZodType<T>,
  value: unknown,
  what: "field" | "parameter",
): Result<T, Failure> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  if (issue === undefined) return err(failure("invalid", `invalid_${what}`, "the request has another shape"));
  if (issue.code === "unrecognized_keys") {
    const param = [...issue.path, issue.keys[0] ?? ""].map(String).join(".").slice(0, SHOWN_CHARS);
    return err(failure("invalid", `unknown_${what}`, `there is no ${what} ${param}`, param));
  }
  const param = issue.path.map(String).join(".").slice(0, SHOWN_CHARS);
  if (param === "") return err(failure("invalid", `invalid_${what}`, "the body must be a JSON object"));
  if (isMissing(value, issue.path))
    return err(failure("invalid", `missing_${what}`, `the ${what} ${param} is missing`, param));
  const why = issue.message.replace(/^Invalid (input|option): /, "").slice(0, 2 * SHOWN_CHARS);
  return err(failure("invalid", `invalid_${what}`, `${param}: ${why}`, param));
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let inner: unknown = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null) return false;
    // Only own fields: a name such as `constructor` is on every object.
    inner = Object.getOwnPropertyDescriptor(inner, key)?.value;
  }
  return inner === undefined;
}
