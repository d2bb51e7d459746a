/**
 * The world of one run: virtual time, the queue, the processes and the hop, behind the `Simulation` interface.
 *
 *   S1  time moves only when an event fires or a deadline is reached, and never back;
 *   S2  one event at a time; its microtasks are drained before the next (`drain`);
 *   W1  each event that fires is counted and mixed into the fingerprint with its owner and time, before it fires;
 *   W2  `run` may be called again and again, one stretch after the other; a failure is final.
 *
 *   W3  what the code under test throws, wherever it surfaces (the event itself, a rejected main, an unhandled
 *       rejection, a tick), is kept as the run's failure; of a life that is over it is ignored;
 *   W4  a failure is told before anything else, also when `until` has become true in the same event.
 *
 * A world belongs to one run and is thrown away after it. It owns no faults: crashes, pauses and skews are done by
 * others through `Process`, and what strikes the hop is decided by a `HopFaults`.
 *
 * Not covered: code under test that spins in one event without end; only a process outside could see that.
 */
import { assert } from "../../src/std/assert.ts";
import type { CallRecord, Incident } from "../history/history.ts";
import type { ChoiceSource } from "./choice.ts";
import { ChoiceRecorder } from "./choice-recorder.ts";
import { type DrainMode, drive, type Watch } from "./drain.ts";
import { divertStrayErrors } from "./drain-errors.ts";
import { EventQueue, PendingEvent } from "./event-queue.ts";
import { Fingerprint } from "./fingerprint.ts";
import { Hop, type HopFaults, type HopLatency } from "./hop.ts";
import { Incarnation } from "./incarnation.ts";
import { ProcessHandle, type ProcessHost } from "./process.ts";
import { ReplayDivergence } from "./replay-source.ts";
import type { AmbientViolation, RunEnd, RunFailure, RunLimit } from "./run-end.ts";
import { type SchedulePolicy, TIMED, type Touch } from "./schedule-policy.ts";
import type { CallOutcome, CallRequest, Main, Process, ProcessContext, Simulation } from "./simulation.ts";
import { StepLog } from "./step-log.ts";
import { enterTrap, leaveTrap } from "./trap.ts";
import type { Trespass } from "./trap-state.ts";

export interface WorldOptions {
  readonly source: ChoiceSource;
  readonly policy?: SchedulePolicy;
  readonly hopLatency?: HopLatency;
  /** Keeps each step, to compare two runs; slow. */
  readonly logSteps?: boolean;
  readonly drain?: DrainMode;
}

const FINISHED: RunEnd = { kind: "finished" };
const DEADLINE: RunEnd = { kind: "deadline" };
const IDLE: RunEnd = { kind: "idle" };
/** More events than any sound system fires at one virtual millisecond. */
const LIVELOCK_EVENTS = 1_000_000;

/** A process of the world, whatever it serves. */
type AnyProcess = Process<unknown> & { readonly current: Incarnation | null };

export class World implements Simulation {
  readonly recorder: ChoiceRecorder;
  readonly fingerprint: Fingerprint;
  readonly stepLog: StepLog | null;
  readonly incidents: Incident[] = [];
  readonly #queue = new EventQueue<Incarnation>();
  readonly #policy: SchedulePolicy;
  readonly #drain: DrainMode;
  readonly #hop: Hop;
  readonly #host: ProcessHost;
  readonly #processes = new Map<string, AnyProcess>();
  readonly #violations: AmbientViolation[] = [];
  #nowMs = 0;
  #events = 0;
  #eventsNow = 0;
  #numbers = 0;
  /** Whose code runs in the present event. */
  #current: Incarnation | null = null;
  #crash: RunFailure | null = null;
  #running = false;
  #still = false;

  constructor(options: WorldOptions) {
    this.stepLog = options.logSteps === true ? new StepLog() : null;
    this.fingerprint = new Fingerprint(this.stepLog);
    this.recorder = new ChoiceRecorder(options.source, this.fingerprint);
    options.source.attach?.(() => this.#current?.name ?? null);
    this.#policy = options.policy ?? TIMED;
    this.#drain = options.drain ?? "auto";
    const host = {
      choices: this.recorder,
      queue: this.#queue,
      now: () => this.#nowMs,
      nextNumber: () => ++this.#numbers,
      fireAs: (owner: Incarnation, label: string, fire: () => void) => this.#fireAs(owner, label, fire),
      enter: (owner: Incarnation, label: string, fire: () => void) => this.#enter(owner, label, fire),
      incarnationOf: (name: string) => this.#processes.get(name)?.current ?? null,
      incident: (kind: string, process: string, detail: string) => this.incident(kind, process, detail),
      crashed: (owner: Incarnation, error: unknown) => this.#threw(owner, error),
    };
    this.#host = host;
    this.#hop = new Hop(host, options.hopLatency ?? { spreadMs: 4 });
  }

  get choices(): ChoiceSource {
    return this.recorder;
  }

  /** Events fired so far. */
  get events(): number {
    return this.#events;
  }

  /** Events that are pending. */
  get pending(): number {
    return this.#queue.size;
  }

  /** Every call made, oldest first. */
  get calls(): readonly CallRecord[] {
    return this.#hop.calls;
  }

  /** In the order of their declaration. */
  get processes(): readonly Process<unknown>[] {
    return [...this.#processes.values()];
  }

  /** Puts faults on the hop from now on. */
  set hopFaults(faults: HopFaults) {
    this.#hop.faults = faults;
  }

  now(): number {
    return this.#nowMs;
  }

  process<Service>(name: string, main: Main<Service>): Process<Service> {
    assert(!this.#processes.has(name), "a process name is declared once");
    const made = new ProcessHandle(this.#host, name, main);
    this.#processes.set(name, made);
    return made;
  }

  after(delayMs: number, label: string, fire: () => void, touches: Touch | null = null): void {
    this.#queue.add(this.#due(delayMs), label, null, fire, touches);
  }

  deliver(to: ProcessContext, delayMs: number, label: string, fire: () => void): void {
    assert(to instanceof Incarnation, "delivery is to a context that this kernel made");
    if (to.alive) this.#queue.add(this.#due(delayMs), label, to, fire);
  }

  call<Service, T>(
    from: ProcessContext,
    target: Process<Service>,
    request: CallRequest,
    invoke: (service: Service) => Promise<T>,
    timeoutMs: number,
  ): Promise<CallOutcome<T>> {
    assert(from instanceof Incarnation, "a caller is a context that this kernel made");
    return this.#hop.call(from, target, request, invoke, timeoutMs);
  }

  incident(kind: string, process: string | null, detail: string): void {
    this.incidents.push({ atMs: this.#nowMs, kind, process, detail });
  }

  /** Mixes a fact into the fingerprint, for example the hash of a stored body. */
  fact(label: string, value: number): void {
    this.fingerprint.fact(label, value);
  }

  /**
   * Fires events until one of the ends; called again for the next phase. Rejects only when `until` throws, which is
   * a defect of the harness.
   */
  async run(limit: RunLimit): Promise<RunEnd> {
    assert(!this.#running, "a world runs one stretch at a time");
    this.#running = true;
    try {
      return await drive(() => this.#step(limit), this.#watch(), this.#drain);
    } finally {
      this.#running = false;
    }
  }

  /** What stands around each stretch of events: the trap, and the process-wide error listeners. */
  #watch(): Watch {
    const threw = (error: unknown): void => this.#threw(this.#current, error);
    const report = (trespass: Trespass): void => {
      this.#violations.push({ ...trespass, process: this.#current?.name ?? null });
    };
    let restore = (): void => undefined;
    const enter = (): void => {
      const restoreErrors = divertStrayErrors(threw);
      const before = enterTrap(report);
      restore = () => {
        leaveTrap(before);
        restoreErrors();
      };
    };
    return { enter, leave: () => restore(), threw, still: () => this.#still };
  }

  /** Whether the run is over; otherwise fires one event. */
  #step(limit: RunLimit): RunEnd | null {
    const failure = this.#failure();
    if (failure !== null) return { kind: "failed", failure };
    if (limit.until()) return FINISHED;
    if (this.#queue.size === 0) return IDLE;
    if (this.#queue.earliestMs() > limit.deadlineMs) {
      this.#advance(limit.deadlineMs);
      return DEADLINE;
    }
    this.#fireNext();
    return null;
  }

  /** A throw out of an event is one of the code under test, or of a policy or source that broke its promise. */
  #fireNext(): void {
    try {
      const event = this.#queue.take(this.#policy, this.recorder);
      this.#advance(event.timeMs);
      const owner = event.owner;
      this.#current = owner;
      this.#still = false;
      if (owner === null) {
        this.#count(event.label, null);
        event.fire();
        // A request that reached its store, and no process: nothing awaits anything, so there is nothing to drain.
        this.#still = event.touches !== null && this.#current === null;
      } else if (owner.holds) this.#detain(owner, event.label, event.fire);
      else this.#fireAs(owner, event.label, event.fire);
    } catch (error) {
      this.#threw(this.#current, error);
    }
  }

  /** The code of a process as an event of its own. */
  #fireAs(owner: Incarnation, label: string, fire: () => void): void {
    this.#count(label, owner);
    this.#current = owner;
    fire();
  }

  /** The code of a process within an event that began outside it, for example a request that arrives. */
  #enter(owner: Incarnation, label: string, fire: () => void): void {
    if (owner.holds) {
      this.#detain(owner, label, fire);
      return;
    }
    this.#current = owner;
    fire();
  }

  /** What is due for a process that cannot run it now: held until it resumes, or put off while it starves. */
  #detain(owner: Incarnation, label: string, fire: () => void): void {
    if (owner.paused || owner.held.length > 0) {
      owner.held.push(new PendingEvent(this.#nowMs, 0, label, owner, fire, null));
      return;
    }
    this.#queue.add(this.#nowMs + owner.lateMs, "late", null, () => {
      if (!owner.alive) return;
      if (owner.paused || owner.held.length > 0) this.#detain(owner, label, fire);
      else this.#fireAs(owner, label, fire);
    });
  }

  #count(label: string, owner: Incarnation | null): void {
    this.#events++;
    this.#eventsNow++;
    this.fingerprint.event(label, owner === null ? null : owner.name, owner?.hash ?? 0, this.#nowMs);
  }

  #advance(toMs: number): void {
    if (toMs <= this.#nowMs) return;
    this.#nowMs = toMs;
    this.#eventsNow = 0;
  }

  #due(delayMs: number): number {
    assert(Number.isInteger(delayMs) && delayMs >= 0, "a delay is a whole number of milliseconds, 0 or more");
    return this.#nowMs + delayMs;
  }

  /** The first throw counts; code of a life that is over may throw what it likes (S3). */
  #threw(owner: Incarnation | null, error: unknown): void {
    if (owner !== null && !owner.alive) return;
    this.#crash ??= { kind: "crash", process: owner?.name ?? null, error };
  }

  #failure(): RunFailure | null {
    const { broken } = this.recorder;
    if (broken instanceof ReplayDivergence) return { kind: "replay-divergence", divergence: broken };
    if (this.#violations.length > 0) return { kind: "ambient", violations: this.#violations };
    if (this.#crash !== null) return this.#crash;
    if (broken !== null) return { kind: "crash", process: null, error: broken };
    if (this.#eventsNow < LIVELOCK_EVENTS) return null;
    return { kind: "livelock", atMs: this.#nowMs, events: this.#eventsNow };
  }
}
