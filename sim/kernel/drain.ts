/**
 * The run loop: fires one event after the other and drains all microtasks after each.
 *
 * Code under test must be at rest before the next event fires (S2). Two ways to know that it is:
 *   fast  `process._tickCallback()`, Node's own "run all ticks and microtasks", called synchronously from a
 *         macrotask. Undocumented, and silently does nothing inside a microtask, so each stretch starts with a
 *         probe on a chain of promises and a tick;
 *   slow  one real `setImmediate` per event, when the probe finds the fast way not working.
 *
 *   L1  the watched stretches (`Watch.enter` … `leave`) hold every event and its drain, and nothing else: while the
 *       real event loop turns, nobody is watched;
 *   L2  the real event loop gets its turn each 10,000 events;
 *   L3  what a tick or a microtask throws is given to `Watch.threw`; the next step is then expected to end the run.
 *       A throw out of a tick is thrown on to Node, whose own stack of async contexts is broken until it has seen it.
 *
 * Not covered: real timers and I/O of code under test; the ambient trap forbids them.
 */
import { AMBIENT } from "./trap-state.ts";

/** How microtasks are drained: `auto` uses the fast way when it works. */
export type DrainMode = "auto" | "slow";

/** Who stands around a stretch of events. */
export interface Watch {
  enter(): void;
  leave(): void;
  threw(error: unknown): void;
  /** Whether the event that was just fired ran no code of a process, so that no microtask can be waiting. */
  still(): boolean;
}

const EVENTS_PER_STRETCH = 10_000;
const PROBE_HOPS = 4;

/** Calls `step` until it answers an end. `step` looks whether the run is over and, if not, fires one event. */
export function drive<End>(step: () => End | null, watch: Watch, mode: DrainMode): Promise<End> {
  return new Promise((resolve, reject) => {
    const slow = (): void => slowPair(step, watch, resolve, reject);
    const fast = (): void => {
      const tick = mode === "slow" ? null : workingTick();
      if (tick === null) {
        slow();
        return;
      }
      const stretch = fastStretch(step, watch, tick);
      if (stretch.kind === "ended") resolve(stretch.end);
      else if (stretch.kind === "broken") reject(stretch.error);
      else if (stretch.kind === "going-on") AMBIENT.setImmediate(fast);
      else {
        AMBIENT.setImmediate(() => {
          watch.leave();
          fast();
        });
        throw stretch.error;
      }
    };
    AMBIENT.setImmediate(fast);
  });
}

/** Node's drain, or null when it does not drain from here. */
export function workingTick(): (() => void) | null {
  const found: unknown = Reflect.get(process, "_tickCallback");
  if (typeof found !== "function") return null;
  const tick = (): void => void found.call(process);
  let ticked = false;
  let arrived = false;
  const descend = async (hops: number): Promise<void> => {
    for (let i = 0; i < hops; i++) await null;
    process.nextTick(() => {
      ticked = true;
    });
    await null;
    arrived = true;
  };
  void descend(PROBE_HOPS);
  tick();
  return ticked && arrived ? tick : null;
}

type Stretch<End> =
  | { readonly kind: "ended"; readonly end: End }
  | { readonly kind: "going-on" }
  /** The step threw: a defect of the harness. */
  | { readonly kind: "broken"; readonly error: unknown }
  /** A tick threw. Strays are still diverted; whoever hands the error to Node calls `leave` after that. */
  | { readonly kind: "tick-threw"; readonly error: unknown };

const GOING_ON: { readonly kind: "going-on" } = { kind: "going-on" };

function fastStretch<End>(step: () => End | null, watch: Watch, tick: () => void): Stretch<End> {
  watch.enter();
  let stretch: Stretch<End> = GOING_ON;
  for (let i = 0; i < EVENTS_PER_STRETCH && stretch === GOING_ON; i++) stretch = oneEvent(step, watch, tick);
  if (stretch.kind === "tick-threw") AMBIENT.report = null;
  else watch.leave();
  return stretch;
}

function oneEvent<End>(step: () => End | null, watch: Watch, tick: () => void): Stretch<End> {
  try {
    const end = step();
    if (end !== null) return { kind: "ended", end };
  } catch (error) {
    return { kind: "broken", error };
  }
  if (watch.still()) return GOING_ON;
  try {
    tick();
  } catch (error) {
    watch.threw(error);
    return { kind: "tick-threw", error };
  }
  return GOING_ON;
}

/** Two immediates of one turn of the loop: Node drains all microtasks of the first before the second runs. */
function slowPair<End>(
  step: () => End | null,
  watch: Watch,
  resolve: (end: End) => void,
  reject: (error: unknown) => void,
): void {
  let end: End | null = null;
  let broken = false;
  AMBIENT.setImmediate(() => {
    watch.enter();
    try {
      end = step();
    } catch (error) {
      broken = true;
      reject(error);
    }
  });
  AMBIENT.setImmediate(() => {
    watch.leave();
    if (broken) return;
    if (end !== null) resolve(end);
    else slowPair(step, watch, resolve, reject);
  });
}
