/**
 * The difference of two texts, line by line.
 *
 *   F1  The lines marked `same` and `gone` are the first text, those marked `same` and `new` the second.
 *   F2  The number of marked lines is the smallest possible, up to `MOST_CELLS`; larger texts have everything
 *       between their common ends marked.
 */

export interface DiffLine {
  readonly mark: "same" | "gone" | "new";
  readonly text: string;
}

const MOST_CELLS = 4_000_000;

export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const a = before === "" ? [] : before.split("\n");
  const b = after === "" ? [] : after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [
    ...marked("same", a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...marked("same", tail === 0 ? [] : a.slice(-tail)),
  ];
}

function marked(mark: DiffLine["mark"], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ mark, text }));
}

function middle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const width = b.length + 1;
  if (a.length === 0 || b.length === 0 || a.length * width > MOST_CELLS)
    return [...marked("gone", a), ...marked("new", b)];
  const shared = sharedLengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ mark: "same", text: left });
      i++;
      j++;
    } else if (
      left !== undefined &&
      (right === undefined || at(shared, (i + 1) * width + j) >= at(shared, i * width + j + 1))
    ) {
      lines.push({ mark: "gone", text: left });
      i++;
    } else if (right !== undefined) {
      lines.push({ mark: "new", text: right });
      j++;
    }
  }
  return lines;
}

/** The longest common rest by dynamic programming. How many lines the rests from (i, j) on have in common. */
function sharedLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const shared = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const here = i * width + j;
      shared[here] =
        a[i] === b[j]
          ? at(shared, here + width + 1) + 1
          : Math.max(at(shared, here + width), at(shared, here + 1));
    }
  return shared;
}

function at(table: Uint32Array, index: number): number {
  return table[index] ?? 0;
}
