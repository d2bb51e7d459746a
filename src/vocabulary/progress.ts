/**
 * The progress convention: details with a `phase` follow one shape, so that any client can draw them.
 *
 *   phase  plain words, 1 to 80 characters
 *   done   a whole number, at least 0
 *   total  a whole number, or absent when the step does not know it
 *   unit   1 to 32 letters, digits, spaces, `-` or `_`, or absent
 *
 * Details without `phase` are free. Other keys may stand beside the four. The engine refuses what breaks it, and so does
 * the worker before it sends it. Source: seed 000 "Progress convention"; contract section 7.
 */
import { characters } from "../std/characters.ts";
import { isJsonObject, type Json } from "../std/json.ts";

const PHASE_CHARS = 80;
const UNIT = /^[A-Za-z0-9 _-]{1,32}$/;

/** What in the details breaks the convention, in words, or null when they follow it or are free. */
export function progressFault(details: Json): string | null {
  if (!isJsonObject(details) || !("phase" in details)) return null;
  const { phase, done, total = null, unit = null } = details;
  if (typeof phase !== "string" || phase.length === 0 || characters(phase) > PHASE_CHARS)
    return `phase must be text of 1 to ${PHASE_CHARS} characters`;
  if (!isCount(done)) return "done must be a whole number, at least 0";
  if (total !== null && !isCount(total)) return "total must be a whole number, or absent";
  if (unit !== null && !(typeof unit === "string" && UNIT.test(unit)))
    return "unit must be 1 to 32 letters, digits, spaces, - or _, or absent";
  return null;
}

/** A number of things that are done or to be done. */
export function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
