/**
 * A planted bug as data: a one-place edit of a source file, made only in memory when the code is loaded.
 *
 * Owns the edit and its rule. The product holds no switch for any bug; the list lives in `scenarios/canaries`.
 *
 *   C1  `find` occurs exactly once in `file`; otherwise the edit fails and names the bug and the file. So a bug
 *       never silently turns into no bug when the source moves on.
 */

export interface PlantedBug {
  /** kebab-case, unique in the list. */
  readonly name: string;
  /** Entries of the catalogue of bugs that it stands for, for example `B01, B03`. */
  readonly catalogue: string;
  /** The source file, from the root of the package, with `/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** What is wrong then, in one sentence. */
  readonly about: string;
  /** The invariants of which at least one must see it. */
  readonly caughtBy: readonly string[];
}

/** The planted bug does not apply: a defect of the list, told in one line. */
export class PlantError extends Error {
  override readonly name = "PlantError";
}

/** The source with the bug in it. */
export function plant(bug: PlantedBug, source: string): string {
  const places = source.split(bug.find).length - 1;
  if (places !== 1) {
    const found = places === 0 ? "no longer there" : `there ${places} times`;
    throw new PlantError(
      `planted bug ${bug.name} does not apply: its text to find is ${found} in ${bug.file}; mend its entry`,
    );
  }
  // A function, so that `$&` in the replacement stays text.
  const edited = source.replace(bug.find, () => bug.replace);
  if (edited === source) throw new PlantError(`planted bug ${bug.name} changes nothing in ${bug.file}`);
  return edited;
}
