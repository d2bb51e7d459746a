/**
 * What the exact model answers: a value to compare, or the kind and code of a refusal.
 */

/** A refusal with its kind; what it says in words is the engine's. */
export interface Refusal {
  readonly ok: false;
  readonly kind: string;
  readonly code: string;
}

export type Answer = Refusal | { readonly ok: true; readonly value: unknown };

export function refuse(kind: string, code: string): Refusal {
  return { ok: false, kind, code };
}

export function answer(value: unknown): Answer {
  return { ok: true, value };
}

export const NO_INSTANCE = refuse("not-found", "instance_not_found");
export const NO_TURN = refuse("not-found", "turn_not_found");
