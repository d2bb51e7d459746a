/**
 * JSON of a request: parsed once, and refused when it cannot be kept as it was sent.
 *
 *   J1  whole numbers that a double cannot hold are refused: `9007199254740993` would be stored, hashed and answered as
 *       another number. Fractions and exponents are floating point to everybody.
 *   J2  of a key that stands twice in an object the last one counts, as in every JavaScript client.
 *
 * Depth, sizes and lone surrogates are the engine's to judge, value by value. Source: contract section 1.
 */
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";

/** Shorter ones are always exact. */
const LONG_NUMBER = /\d{16}/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

export function jsonOf(text: string): Result<unknown, Failure> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err(failure("invalid", "invalid_json", "the body is not JSON"));
  }
  const changed = LONG_NUMBER.test(text) ? inexactNumber(text) : null;
  if (changed === null) return ok(value);
  const message = `the number ${changed.slice(0, 40)} cannot be kept exactly; send it as text`;
  return err(failure("invalid", "inexact_number", message));
}

/** The first whole number of the JSON text that would come back as another one (J1). */
function inexactNumber(json: string): string | null {
  for (let at = 0; at < json.length; ) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) at = endOfText(json, at + 1);
    else if (char === MINUS || (char >= ZERO && char <= NINE)) {
      NUMBER.lastIndex = at;
      const [number = ""] = NUMBER.exec(json) ?? [];
      const isWhole = !/[.eE]/.test(number);
      if (isWhole && String(Number(number)) !== number && Number(number) !== 0) return number;
      at += Math.max(1, number.length);
    } else at += 1;
  }
  return null;
}

const [QUOTE, MINUS, ZERO, NINE, BACKSLASH] = [0x22, 0x2d, 0x30, 0x39, 0x5c];

/** Behind the quote that ends the text which began before `at`. */
function endOfText(json: string, at: number): number {
  for (let next = at; next < json.length; next++) {
    const char = json.charCodeAt(next);
    if (char === BACKSLASH) next += 1;
    else if (char === QUOTE) return next + 1;
  }
  return json.length;
}
