/**
 * Characters as people count them: code points. JSON Schema counts `maxLength` so, too; a JavaScript string has two units
 * for many of them.
 */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
