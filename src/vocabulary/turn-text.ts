/**
 * The JSON text of a turn, made once for each turn object.
 *
 * Turns are immutable and mostly unchanged from one version of their instance to the next, while the instance is
 * written again and again. The text lives as long as the turn does.
 */
import type { Turn } from "./turn.ts";

const TEXTS = new WeakMap<Turn, string>();

export function turnText(turn: Turn): string {
  const known = TEXTS.get(turn);
  if (known !== undefined) return known;
  const text = JSON.stringify(turn);
  TEXTS.set(turn, text);
  return text;
}
