/**
 * What a handler does at the places of its turn, when it does more than plain steps.
 *
 * Data only: a message carries its acts, so that workers and checkers read the same plan. A message without acts has
 * plain steps at all its places.
 *
 *   A1  the act at a place decides what is saved there: a step or an operation its effect, a sleep nothing, a wait
 *       what it received.
 *   A2  which attempts hang in an operation is part of the plan; how often a worker is turned away is counted in the
 *       world outside, because such a wait spends no attempt.
 */
import { isJsonObject, type Json } from "../../src/std/json.ts";

export type Act =
  | { readonly kind: "step" }
  | { readonly kind: "sleep"; readonly ms: number }
  /** Waits for a signal of that name. */
  | { readonly kind: "wait"; readonly name: string; readonly ms: number }
  | Operate;

/** A step that runs as an operation and reports after each of its portions. */
export type Operate = {
  readonly kind: "operate";
  readonly portions: number;
  readonly portion_ms: number;
  readonly limit_ms: number;
  /** The most time between two reports; null: not asked for. */
  readonly silence_ms: number | null;
  /** The first attempts do nothing but renew their lease. */
  readonly hangs: number;
};

export const STEP: Act = { kind: "step" };

/** The stored acts read back: null for those of a message without any. */
export function readActs(value: Json | undefined): readonly Act[] | null {
  if (!Array.isArray(value)) return null;
  const acts: Act[] = [];
  for (const item of value) {
    const act = readAct(item);
    if (act !== null) acts.push(act);
  }
  return acts.length === value.length ? acts : null;
}

function readAct(value: Json): Act | null {
  if (!isJsonObject(value)) return null;
  const { kind, ms, name, portions, portion_ms, limit_ms, silence_ms = null, hangs } = value;
  if (kind === "step") return STEP;
  if (kind === "sleep" && typeof ms === "number") return { kind, ms };
  if (kind === "wait" && typeof ms === "number" && typeof name === "string") return { kind, name, ms };
  if (kind !== "operate" || typeof portions !== "number" || typeof portion_ms !== "number") return null;
  if (typeof limit_ms !== "number" || typeof hangs !== "number") return null;
  if (silence_ms !== null && typeof silence_ms !== "number") return null;
  return { kind, portions, portion_ms, limit_ms, silence_ms, hangs };
}

/** Whether the act has an effect on the world outside. */
export function hasEffect(act: Act): boolean {
  return act.kind === "step" || act.kind === "operate";
}

/** The longest that an act takes when nothing goes wrong, and the attempts that hang in it, milliseconds. */
export function actMs(act: Act): number {
  switch (act.kind) {
    case "step":
      return 0;
    case "sleep":
    case "wait":
      return act.ms;
    case "operate":
      return act.portions * act.portion_ms + act.hangs * act.limit_ms;
  }
}
