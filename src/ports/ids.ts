/**
 * Unique identifiers: write ids, attempt tokens, incarnations. An id is never issued twice, by any node, in
 * any process (catalogue I03, B07): it names one logical write, not a host.
 */
export interface Ids {
  /** A fresh id, 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
  next(): string;
}
