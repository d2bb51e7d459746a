/**
 * What all copies of the ambient trap in one realm share: who is being watched, and the real functions.
 *
 * A bundle may carry a second copy of this folder. All copies meet at one symbol of the global object: the first
 * copy that is loaded leaves the state there (with the functions that are real at that time), the first that
 * installs puts the guards up, the others use both.
 *
 *   A1  `report` is null unless a run is executing; guards then pass everything through;
 *   A2  the harness calls the real `setImmediate` of this state, never the guarded global.
 *
 * Ambient on purpose: this file and its neighbours `trap`, `trap-calls` and `drain` are where the
 * simulator meets the real process.
 */

/** A banned call as a guard sees it. */
export interface Trespass {
  /** For example `Date.now`. */
  readonly call: string;
  /** `file:line` of the caller. */
  readonly at: string;
  /** What to use instead. */
  readonly instead: string;
}

export type Report = (trespass: Trespass) => void;

export interface AmbientState {
  report: Report | null;
  installed: boolean;
  readonly setImmediate: (callback: () => void) => void;
}

const KEY = Symbol.for("baton.trap-state.v1");

function isState(value: unknown): value is AmbientState {
  return typeof value === "object" && value !== null && "report" in value && "setImmediate" in value;
}

function shared(): AmbientState {
  const present: unknown = Reflect.get(globalThis, KEY);
  if (isState(present)) return present;
  const real = globalThis.setImmediate;
  const state: AmbientState = {
    report: null,
    installed: false,
    setImmediate: (callback) => void real(callback),
  };
  Reflect.defineProperty(globalThis, KEY, { value: state, enumerable: false });
  return state;
}

/** The one state of this realm, taken or made when the module is loaded. */
export const AMBIENT: AmbientState = shared();
