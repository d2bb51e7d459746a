/**
 * Values of answers that the model does not know, with what it knows of them; and the comparison with an answer.
 */

/** A place in an answer where any value is right that passes; it may learn from it. */
export class Expectation {
  readonly what: string;
  readonly passes: (value: unknown) => boolean;

  constructor(what: string, passes: (value: unknown) => boolean) {
    this.what = what;
    this.passes = passes;
  }
}

/** Stands for a text that the engine words itself. */
export const OWN_WORDS = "\u0000";

/** Where the two differ first, in words; null: nowhere. */
export function difference(expected: unknown, actual: unknown, path = ""): string | null {
  if (expected === actual) return null;
  if (expected === OWN_WORDS && typeof actual === "string" && actual !== "") return null;
  if (expected instanceof Expectation)
    return expected.passes(actual)
      ? null
      : `${path || "value"} is ${text(actual)}, expected ${expected.what}`;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path || "value"} is ${text(actual)}, expected a list`;
    if (expected.length !== actual.length)
      return `${path || "value"} has ${actual.length} entries, expected ${expected.length}`;
    for (let at = 0; at < expected.length; at++) {
      const other = difference(expected[at], actual[at], `${path}[${at}]`);
      if (other !== null) return other;
    }
    return null;
  }
  if (isFields(expected) && isFields(actual)) {
    for (const field in expected) {
      const other = difference(expected[field], actual[field], path === "" ? field : `${path}.${field}`);
      if (other !== null) return other;
    }
    for (const field in actual)
      if (!(field in expected) && actual[field] !== undefined) return `${path} shows an unexpected ${field}`;
    return null;
  }
  return `${path || "value"} is ${text(actual)}, expected ${text(expected)}`;
}

function isFields(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const MOST_CHARS = 200;

function text(value: unknown): string {
  const whole = JSON.stringify(value) ?? "absent";
  return whole.length <= MOST_CHARS ? whole : `${whole.slice(0, MOST_CHARS)}…`;
}
