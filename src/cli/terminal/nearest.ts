/**
 * The name that the user probably meant, and names like it.
 */

/** The one name that begins so, or the nearest when it is near enough to be a slip; else null. */
export function nearest(word: string, names: readonly string[]): string | null {
  const begun = names.filter((name) => name.startsWith(word));
  if (begun.length === 1) return begun[0] ?? null;
  let best: string | null = null;
  let least = Math.max(2, Math.floor(word.length * 0.4)) + 1;
  for (const name of names) {
    const distance = editDistance(word, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

/** Up to three names that share a word with this one, the most alike first. */
export function alike(name: string, names: readonly string[]): readonly string[] {
  const words = name.split(/[^a-zA-Z0-9]+/).filter((word) => word.length > 2);
  const shared = (other: string): number => words.filter((word) => other.includes(word)).length;
  return names
    .filter((other) => shared(other) > 0)
    .sort((a, b) => shared(b) - shared(a) || editDistance(name, a) - editDistance(name, b))
    .slice(0, 3);
}

/** Levenshtein's distance: insertions, deletions and replacements of one character. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
