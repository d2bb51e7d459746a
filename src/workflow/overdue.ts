/**
 * Signals that end with a time, asked by the clock.
 *
 *   V1  after a freeze all timers are due at once, in any order: the one that ends a signal may come after the one of who
 *       is about to act under it. Whoever has slept asks here instead, and the signal ends by itself if its time is over.
 *
 * Does not own the times: who made a signal says how to look. A signal of an application has only its timer.
 */
const looks = new WeakMap<AbortSignal, () => void>();

/** `look` aborts the signal when its time is over. */
export function endsByClock(signal: AbortSignal, look: () => void): void {
  looks.set(signal, look);
}

/** Whether the signal has ended, or would have if its timer had not been held up. */
export function isOverdue(signal: AbortSignal): boolean {
  if (!signal.aborted) looks.get(signal)?.();
  return signal.aborted;
}
