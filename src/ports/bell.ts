/**
 * Rung when a node has made work that can be claimed at once, so that whoever waits for such work on this node looks now.
 *
 * A hint: work is also found without it, by the next look at the scheduling index. Nothing is decided by a ring.
 */
export interface Bell {
  /** Of the instance that the work belongs to. */
  ring(workflowType: string, version: string): void;
}
