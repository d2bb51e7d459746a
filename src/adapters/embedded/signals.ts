/**
 * What the main thread and the writing thread share: three numbers, and how either waits for the other.
 *
 *   S1  the writing thread waits for `WAKE` to change and for nothing else; so it can be woken without its event loop,
 *       which saves a third of the way to it.
 *   S2  `BUSY` is 1 while the thread may be inside SQLite. A process must not end then: Node would tear the thread down
 *       in the middle of a native call and abort. The thread raises it before it looks at `ORDER`, the main thread sets
 *       `ORDER` before it looks at `BUSY`; so one of them sees the other.
 */
export const WAKE = 0;
export const ORDER = 1;
export const BUSY = 2;
const PAUSE = 3;

/** Values of `ORDER`. */
export const GO_ON = 0;
/** Write what has come, close and end. */
export const CLOSE = 1;
/** The process ends: touch nothing any more. */
export const PARK = 2;

/** What the writing thread is started with. */
export interface WriterData {
  readonly directory: string;
  readonly signals: Int32Array;
  /** The place of the module that starts it: packages are looked for from there. */
  readonly from: string;
}

export function createSignals(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));
}

export function wake(signals: Int32Array): void {
  Atomics.add(signals, WAKE, 1);
  Atomics.notify(signals, WAKE);
}

/** Holds this thread. */
export function pauseOn(signals: Int32Array): (ms: number) => void {
  return (ms) => void Atomics.wait(signals, PAUSE, 0, ms);
}
