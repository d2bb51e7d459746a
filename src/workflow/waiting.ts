/**
 * Waiting for work that may no longer matter.
 *
 *   W1  whoever waits stops with the signal, whatever the work does: code that ignores its signal holds nobody.
 *   W2  nothing is left behind: listeners are taken off, time limits end with the work, and the rejection of work that
 *       nobody waits for any more is not an unhandled one.
 */
import type { Clock } from "../ports/clock.ts";
import { endsByClock, isOverdue } from "./overdue.ts";

/** Never resolves. What waits for it is forgotten with it. */
export function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

export type Waited<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "over" };

const OVER = { kind: "over" } as const;

/** What the work came to, or `over` when the signal aborts first. Rejects when the work does. */
export function whileLive<T>(work: Promise<T>, signal: AbortSignal): Promise<Waited<T>> {
  return new Promise((resolve, reject) => {
    const end = () => resolve(OVER);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    const settle = () => signal.removeEventListener("abort", end);
    work.then(
      (value) => {
        settle();
        resolve({ kind: "done", value });
      },
      (error) => {
        settle();
        reject(error);
      },
    );
  });
}

/** The same, and `over` also when it takes longer than `ms`; the work's own signal aborts then, too. */
export async function within<T>(
  clock: Clock,
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Waited<T>> {
  const own = new AbortController();
  const stop = () => own.abort(outer.reason);
  if (outer.aborted) stop();
  else outer.addEventListener("abort", stop, { once: true });
  const expire = () => own.abort(new Error(`no answer within ${ms} ms`));
  clock.sleep(ms, own.signal).then(expire);
  const untilMs = clock.monotonicMs() + ms;
  endsByClock(own.signal, () => {
    if (isOverdue(outer)) stop();
    else if (clock.monotonicMs() >= untilMs) expire();
  });
  try {
    return await whileLive(work(own.signal), own.signal);
  } finally {
    outer.removeEventListener("abort", stop);
    own.abort(new Error("answered"));
  }
}
