/**
 * Exit codes: what a script learns from `baton`.
 *
 *   E1  A code has one meaning in every command.
 *   E2  When runs failed in several ways, the code tells the one that makes the others doubtful: a run that cannot
 *       be repeated before a crash, a crash before a broken invariant, that before a run without progress.
 */
import type { OutcomeKind } from "../../../sim/index.ts";

export const EXIT = {
  pass: 0,
  violation: 1,
  usage: 2,
  nonDeterminism: 3,
  noProgress: 4,
  crash: 5,
  internal: 70,
  interrupted: 130,
} as const;

const BY_KIND: { readonly [kind in OutcomeKind]: number } = {
  pass: EXIT.pass,
  violation: EXIT.violation,
  "no-progress": EXIT.noProgress,
  escape: EXIT.crash,
  crash: EXIT.crash,
  divergence: EXIT.nonDeterminism,
};
const RANK: readonly OutcomeKind[] = ["divergence", "crash", "escape", "violation", "no-progress"];

/** The code for runs that ended in these ways. */
export function exitCodeOf(kinds: Iterable<OutcomeKind>): number {
  const seen = new Set(kinds);
  for (const kind of RANK) if (seen.has(kind)) return BY_KIND[kind];
  return EXIT.pass;
}

/** For `--help`. */
export const EXIT_CODE_HELP = `
Exit codes:
  0    every run passed
  1    an invariant is broken
  2    usage: an unknown name or option, a value out of range, a replay file that cannot be used
  3    non-determinism: two runs of one seed differ, or a replay asks for other draws than recorded
  4    no progress: the faults stopped, and the work was not done within its bound
  5    the code under test crashed, or called something real (timer, clock, random, file, network)
  70   baton itself failed
  130  stopped by Ctrl-C
  Several kinds of failure: the first of 3, 5, 1, 4.`;
