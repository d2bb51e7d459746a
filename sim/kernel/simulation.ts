/**
 * The simulation as code under test and harness see it: virtual time, processes and calls between them.
 *
 * Owns the interfaces; the other files of this folder implement them. Knows no engine and no store.
 *
 *   S1  Virtual time is an integer number of milliseconds and never goes back.
 *   S2  Code of a process runs only inside an event of the scheduler; after each event its microtasks are drained.
 *   S3  A crashed process never runs again: what it awaited is never answered. What it had already sent may land.
 *   S4  A paused process runs nothing; what was due meanwhile becomes due when it resumes.
 *   S5  Each process has its own wall clock (virtual time with its drift, offset and tick) and monotonic clock.
 */
import type { Clock } from "../../src/ports/clock.ts";
import type { Ids } from "../../src/ports/ids.ts";
import type { Random } from "../../src/ports/random.ts";
import type { ChoiceSource } from "./choice.ts";
import type { ClockSettings } from "./clock.ts";
import type { Touch } from "./schedule-policy.ts";

/** What one incarnation of a process is given. Everything it may touch. */
export interface ProcessContext {
  readonly name: string;
  /** 1 at the first start, one more after each restart. */
  readonly incarnation: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  /** Whether this incarnation still runs (not crashed, not replaced). */
  readonly alive: boolean;
}

/**
 * The code of a process. `serve` publishes the object that other processes may call, and what the code does when it
 * is told to stop; without that, a stop is a crash at once.
 */
export type Main<Service> = (
  context: ProcessContext,
  serve: (service: Service, stop?: () => Promise<void>) => void,
) => Promise<void>;

export interface Process<Service> {
  readonly name: string;
  readonly running: boolean;
  readonly paused: boolean;
  /** Runs `main` with fresh memory. A running process is crashed first. */
  start(): void;
  /** Memory is gone at once; requests in flight may still land. */
  crash(): void;
  /** Tells it to stop; it is gone when its code is done, or after `graceMs`. */
  stop(graceMs: number): void;
  pause(): void;
  resume(): void;
  /** For `forMs`, everything that becomes due for it runs `lateMs` later. */
  starve(lateMs: number, forMs: number): void;
  /** Boots a second life beside the one that runs. */
  twin(): void;
  /** Ends every life but the newest. */
  untwin(): void;
  /** Sets its machine's clock wrong, or right; another offset is a step of the wall clock. */
  setClock(settings: ClockSettings): void;
  /** Milliseconds that this process's wall clock is ahead of virtual time (negative: behind). */
  setClockOffset(ms: number): void;
  readonly clockOffsetMs: number;
  /** The object it serves now, or null while it is down or starting. For the harness, not for other processes. */
  readonly service: Service | null;
  /** The object that this life of it serves, or null. */
  serviceOf(life: ProcessContext): Service | null;
}

/** What a caller learns of a call: an answer, or nothing at all. */
export type CallOutcome<T> =
  | { readonly kind: "answered"; readonly value: T }
  | { readonly kind: "unknown-outcome" };

/** A request to a process, as the log of calls keeps it. */
export interface CallRequest {
  /** The operation's name, constant, for example `sendMessage`. */
  readonly operation: string;
  /** What was asked, as data. */
  readonly request: unknown;
  /** A lost call, or one whose answer is lost, is told of within this long; absent: only the time-out tells. */
  readonly cutWithinMs?: number;
}

export interface Simulation {
  /** The one source of everything that varies; each draw is recorded and part of the fingerprint. */
  readonly choices: ChoiceSource;
  /** Virtual milliseconds since the start of the run. */
  now(): number;
  /** Declares a process; it does not run until `start`. */
  process<Service>(name: string, main: Main<Service>): Process<Service>;
  /**
   * Runs `fire` after `delayMs`, outside any process. `label` is constant and part of the fingerprint. `touches`
   * tells policies what it acts on.
   */
  after(delayMs: number, label: string, fire: () => void, touches?: Touch): void;
  /**
   * Runs `fire` as that incarnation after `delayMs`: dropped when it has crashed (S3), held while it is paused
   * (S4). How answers of stores and timers reach a process.
   */
  deliver(to: ProcessContext, delayMs: number, label: string, fire: () => void): void;
  /**
   * Calls the object that `target` serves, over a hop with latency on which requests and answers may be lost
   * or doubled while faults are on. Unanswered after `timeoutMs`: `unknown-outcome`. Recorded in the log of calls.
   */
  call<Service, T>(
    from: ProcessContext,
    target: Process<Service>,
    request: CallRequest,
    invoke: (service: Service) => Promise<T>,
    timeoutMs: number,
  ): Promise<CallOutcome<T>>;
  /** Notes something that people should see on the time line, for example `heal`. */
  incident(kind: string, process: string | null, detail: string): void;
}
