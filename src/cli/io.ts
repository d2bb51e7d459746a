/**
 * The outside as the command line sees it: where text goes, the clock on the wall, and the user's Ctrl-C.
 *
 * `main.ts` gives the real one; tests give one that keeps the text.
 */

import type { RunSettings } from "./campaign/run-settings.ts";
import type { Thread } from "./campaign/thread.ts";
import type { HuntOrder } from "./mutants/bug-hunts.ts";
import type { HuntThread } from "./mutants/hunt-pool.ts";

export interface Io {
  /** Results. */
  out(text: string): void;
  /** Errors, and everything about a run that goes on. */
  err(text: string): void;
  /** Whether `err` is a terminal, where a progress line may be redrawn. */
  readonly live: boolean;
  /** Whether `out` may be coloured. */
  readonly colored: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Where the user stands: `reports/` lies below, and paths are from here. */
  readonly folder: string;
  /** Milliseconds of real time, for speed and bounds only. */
  nowMs(): number;
  /** A seed for a campaign whose user gave none. */
  freshSeed(): number;
  /** Whether the user asked to stop. */
  interrupted(): boolean;
  /** Calls the listener at the first Ctrl-C or SIGTERM; the second one ends the process at once. */
  onStop(listener: () => void): void;
  /** The environment's variables. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** Where GitHub Actions wants to be told, when the command runs there; null: it does not. */
  readonly github: { readonly summaryFile: string | null; readonly outputFile: string | null } | null;
  /** A thread that makes runs of these settings. */
  startThread(settings: RunSettings): Thread;
  /** A thread that hunts planted bugs in this way. */
  startHunts(order: HuntOrder): HuntThread;
  /** Lets the event loop turn, so that a signal can arrive. */
  turn(): Promise<void>;
}
