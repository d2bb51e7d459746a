/**
 * Errors that nobody caught: rejections without a handler and throws inside microtasks.
 *
 * Node hands them to listeners of the whole process. While a run is watched, the listeners of others are set
 * aside, so that such an error fails the run it belongs to and not the program around it.
 */

const EVENTS = ["unhandledRejection", "uncaughtException"] as const;
type Listener = (error: unknown) => void;

/** Sends stray errors to `report` until the function that it answers is called. */
export function divertStrayErrors(report: Listener): () => void {
  const restores = EVENTS.map((event) => divert(event, report));
  return () => {
    for (const restore of restores) restore();
  };
}

function divert(event: (typeof EVENTS)[number], report: Listener): () => void {
  const others = process.rawListeners(event).filter(isListener);
  process.removeAllListeners(event);
  const mine = (error: unknown): void => report(error);
  process.on(event, mine);
  return () => {
    process.removeListener(event, mine);
    for (const other of others) process.on(event, other);
  };
}

function isListener(value: unknown): value is Listener {
  return typeof value === "function";
}
