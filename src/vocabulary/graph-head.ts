/**
 * The head of a graph: which of its lifetimes is the present one, and whether it goes on.
 */
export interface GraphHead {
  /** 1, and one more each time the graph is created again. */
  readonly epoch: number;
  /** False: the graph is deleted. */
  readonly live: boolean;
  /** Of a deleted one: every instance of the epoch is a tombstone with nothing left. */
  readonly erased: boolean;
}
