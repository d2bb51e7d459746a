/**
 * What claims and completions bring besides their lease: the code that is served, and steps that were not saved yet.
 *
 * Folded steps are drawn from the turn as the model has it: mostly the next ones under keys of their own, some that are
 * saved already, and now and then one in a wrong place or with a key that is taken.
 */
import type { Turn } from "../oracle/exact/world.ts";
import type { Draws } from "./draws.ts";
import { someValue } from "./values.ts";

type Request = { readonly [field: string]: unknown };

/** An old version more often than a new one. */
export const versionOf = (draws: Draws) => draws.pick(["v1", "v1", "v2"]);

/** For one type or both, sometimes with code that can migrate. */
export function served(draws: Draws, types: readonly string[]): Request {
  const workflows = types.map((workflow_type) => {
    const version = versionOf(draws);
    const migrates_from = draws.chance(30) ? { migrates_from: [draws.pick(["v1", "v2", "v3"])] } : {};
    return { workflow_type, version, ...migrates_from };
  });
  const [one] = workflows;
  const both = draws.chance(60) ? workflows : [one];
  return {
    worker: draws.pick(["w1", "w2"]),
    workflows: draws.chance(30) ? [...both, { ...one, version: "v2" }] : both,
  };
}

const KIB = 1024;

/** The steps of a completion: from one that is saved, or from the next one on. */
export function foldedSteps(draws: Draws, turn: Turn | undefined, largePercent: number): readonly Request[] {
  const saved = turn?.steps ?? [];
  const next = saved.length;
  const first = draws.chance(25) ? Math.max(0, next - 1 - draws.below(2)) : next;
  const count = draws.below(4) + next - first;
  return Array.from({ length: count }, (_, at) => {
    const position = first + at + (draws.chance(2) ? draws.pick([-1, 1]) : 0);
    const known = saved[position];
    if (known !== undefined && draws.chance(90)) return { position, key: known.key, output: known.output };
    const key = `k${draws.chance(97) ? position : draws.below(next + 2)}`;
    return { position: Math.max(0, position), key, output: someValue(draws, largePercent, 64 * KIB) };
  });
}
