/**
 * Names: ids, types, versions, workers and step keys. 1 to 128 of `A-Z a-z 0-9 _ . -`.
 *
 * Source: seed 000 "Message API"; contract section 1 (names).
 */
import { LIMITS } from "./limits.ts";

const NAME = /^[A-Za-z0-9_.-]+$/;

export const NAME_RULE = `1 to ${LIMITS.idChars} of A-Z a-z 0-9 _ . -`;

export function isName(value: unknown): value is string {
  return typeof value === "string" && value.length <= LIMITS.idChars && NAME.test(value);
}
