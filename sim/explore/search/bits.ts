/**
 * A growing set of small whole numbers, as bits.
 */
export class Bits {
  #words: Uint32Array;

  /** For numbers below `size`; adding a larger one makes room. */
  constructor(size: number) {
    this.#words = new Uint32Array((size + 31) >>> 5);
  }

  has(n: number): boolean {
    return (((this.#words[n >>> 5] ?? 0) >>> (n & 31)) & 1) === 1;
  }

  add(n: number): void {
    const at = n >>> 5;
    this.#reach(at + 1);
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (n & 31));
  }

  addAll(other: Bits): void {
    const words = other.#words;
    this.#reach(words.length);
    for (let i = 0; i < words.length; i++) this.#words[i] = (this.#words[i] ?? 0) | (words[i] ?? 0);
  }

  /** How many of 0, 1, 2 … are in it without a gap. */
  get leading(): number {
    let n = 0;
    while (this.has(n)) n++;
    return n;
  }

  #reach(words: number): void {
    if (words <= this.#words.length) return;
    const grown = new Uint32Array(words);
    grown.set(this.#words);
    this.#words = grown;
  }
}
