/**
 * Makes a list of seeds shorter while it still fails: leaves out ever smaller pieces, as often as that helps.
 *
 * Each command is resolved against the model when its turn comes, so what stays is asked of what is there then.
 */
export async function shrinkSeeds(
  seeds: readonly number[],
  fails: (seeds: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let smallest = seeds;
  for (let size = Math.ceil(seeds.length / 2); size >= 1; ) {
    let helped = false;
    for (let from = 0; from < smallest.length; ) {
      const fewer = [...smallest.slice(0, from), ...smallest.slice(from + size)];
      if (fewer.length > 0 && (await fails(fewer))) {
        smallest = fewer;
        helped = true;
      } else from += size;
    }
    if (size === 1 && !helped) return smallest;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return smallest;
}
