/**
 * What this folder needs of a scheduler of promises, as testing libraries for TypeScript have one.
 *
 * `fc.scheduler()` of fast-check fits; the command line brings it, so that the harness does not depend on it.
 */

export interface PromiseScheduler {
  /** A promise that is settled when the scheduler picks it. */
  schedule(label: string): Promise<unknown>;
  /** Picks one of the pending ones and lets what follows run. */
  waitOne(): Promise<void>;
  /** How many are pending. */
  count(): number;
}
