/**
 * Random streams of the strategies' own: the same seed gives each strategy other numbers than it gives the run.
 */
import seedrandom from "seedrandom";
import type { ChoiceSource } from "../../kernel/index.ts";

/** Draws that depend on the name and the seed; they are in no record. */
export function streamOf(name: string, seed: number): ChoiceSource {
  const next = seedrandom.alea(`${name} ${seed}`).quick;
  return { choose: (n) => Math.floor(next() * n) };
}
