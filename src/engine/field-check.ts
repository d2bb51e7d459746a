/**
 * What one field of a request must be: a name, a number in its range, a JSON value within its size.
 *
 * A field of a wrong type is `invalid`, never an exception: requests come from outside the type checker. Source:
 * contract sections 1 and 6.
 */
import { isJson, jsonBytes } from "../std/json.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { REPLY_PREFIX } from "../vocabulary/limits.ts";
import { isName, NAME_RULE } from "../vocabulary/names.ts";

export type Check = Failure | null;

/** `param` is the field's name in the contract. */
export function checkName(value: unknown, param: string): Check {
  if (isName(value)) return null;
  return failure("invalid", "invalid_name", `${param} must be ${NAME_RULE}`, param);
}

/** Names of signals that nobody but the engine sends. */
export function checkUnreserved(name: string, param: string): Check {
  if (!name.startsWith(REPLY_PREFIX)) return null;
  const message = `signals whose id or name begins with ${REPLY_PREFIX} are replies of children; choose another ${param}`;
  return failure("invalid", "reserved_signal", message, param);
}

export function checkInteger(value: unknown, param: string, min: number, max: number): Check {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return null;
  const range = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `from ${min} to ${max}`;
  return failure("invalid", "invalid_number", `${param} must be a whole number ${range}`, param);
}

export function checkOneOf(value: unknown, param: string, code: string, choices: readonly string[]): Check {
  if (typeof value === "string" && choices.includes(value)) return null;
  return failure("invalid", code, `${param} must be ${choices.join(" or ")}`, param);
}

export function checkBoolean(value: unknown, param: string): Check {
  if (typeof value === "boolean") return null;
  return failure("invalid", "invalid_boolean", `${param} must be true or false`, param);
}

export function checkValue(value: unknown, param: string, limitBytes: number): Check {
  if (!isJson(value)) return failure("invalid", "invalid_json", `${param} must be a JSON value`, param);
  const bytes = jsonBytes(value);
  if (bytes <= limitBytes) return null;
  const message = `${param} takes ${bytes} bytes, the limit is ${limitBytes}; keep large values outside and send a reference`;
  return failure("over-limit", "value_too_large", message, param);
}
