/**
 * Bounded parallel work: at most so many at a time, results in the order of the items.
 */

/** Does `work` for each item. What it throws ends the whole. */
export async function inParallel<Item, Outcome>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  if (items.length <= atOnce) return Promise.all(items.map(work));
  const outcomes: Outcome[] = [];
  const left = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of left) outcomes[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return outcomes;
}
