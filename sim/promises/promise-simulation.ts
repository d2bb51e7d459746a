/**
 * The simulation as a scheduler of promises makes one: the same interface for scenarios, without a world of its own.
 *
 *   Q1  requests to the store, calls between processes and all answers are promises; the scheduler picks which of the
 *       pending ones comes next, whatever their latency would have been.
 *   Q2  sleeps and restarts are timers: they fire in the order of their times, and only when no promise is pending, as
 *       with fake timers. So time passes where nothing else can happen.
 *   Q3  each promise takes a millisecond of virtual time, so that the record has an order.
 *
 * Nothing is lost and nothing comes twice: there are no faults of store or network here, only orders, and what
 * workers do to themselves.
 */
import type { CallRecord, Incident } from "../history/history.ts";
import type {
  CallOutcome,
  CallRequest,
  ChoiceSource,
  Main,
  Process,
  ProcessContext,
  Simulation,
} from "../kernel/index.ts";
import { type PromiseHost, PromiseProcess } from "./promise-process.ts";
import type { PromiseScheduler } from "./promise-scheduler.ts";

interface Timer {
  readonly dueMs: number;
  readonly seq: number;
  readonly fire: () => void;
}

/** What of the harness's own events is a matter of time and not of a promise. */
const TIMED_LABELS: ReadonlySet<string> = new Set(["hazard-restart"]);

export class PromiseSimulation implements Simulation, PromiseHost {
  readonly choices: ChoiceSource;
  readonly calls: CallRecord[] = [];
  readonly incidents: Incident[] = [];
  /** What broke the code under test: the first error that nobody caught. */
  crash: { readonly process: string; readonly error: unknown } | null = null;
  readonly #scheduler: PromiseScheduler;
  readonly #timers: Timer[] = [];
  #nowMs = 0;
  #numbers = 0;

  constructor(scheduler: PromiseScheduler, choices: ChoiceSource) {
    this.#scheduler = scheduler;
    this.choices = choices;
  }

  /** One promise, or the next timer when none is pending (Q1, Q2); false: there is neither. */
  async step(): Promise<boolean> {
    if (this.#scheduler.count() > 0) {
      await this.#scheduler.waitOne();
      return true;
    }
    const next = this.#timers.shift();
    if (next === undefined) return false;
    this.#nowMs = Math.max(this.#nowMs + 1, next.dueMs);
    next.fire();
    return true;
  }

  now(): number {
    return this.#nowMs;
  }
  nextNumber(): number {
    return ++this.#numbers;
  }
  below(n: number, label: string): number {
    return this.choices.choose(n, label);
  }
  crashed(process: string, error: unknown): void {
    this.crash ??= { process, error };
  }

  timer(delayMs: number, fire: () => void): void {
    const dueMs = this.#nowMs + Math.max(0, Math.ceil(delayMs));
    const timer = { dueMs, seq: this.nextNumber(), fire };
    let at = this.#timers.length;
    while (at > 0 && (this.#timers[at - 1]?.dueMs ?? 0) > dueMs) at--;
    this.#timers.splice(at, 0, timer);
  }

  process<Service>(name: string, main: Main<Service>): Process<Service> {
    return new PromiseProcess(this, name, main);
  }

  after(delayMs: number, label: string, fire: () => void): void {
    if (TIMED_LABELS.has(label)) this.timer(delayMs, fire);
    else this.#schedule(label, fire);
  }

  deliver(to: ProcessContext, _delayMs: number, label: string, fire: () => void): void {
    this.#schedule(label, () => {
      if (to.alive) fire();
    });
  }

  /** Q3. */
  #schedule(label: string, fire: () => void): void {
    void this.#scheduler.schedule(label).then(() => {
      this.#nowMs++;
      fire();
    });
  }

  call<Service, T>(
    from: ProcessContext,
    target: Process<Service>,
    request: CallRequest,
    invoke: (service: Service) => Promise<T>,
  ): Promise<CallOutcome<T>> {
    return new Promise((resolve) => {
      const record = this.#record(from, target.name, request);
      this.#schedule("call", () => {
        const { service } = target;
        if (service === null) return;
        invoke(service).then(
          (value) => {
            const repliedAtMs = this.#nowMs;
            this.deliver(from, 0, "reply", () => {
              record.outcome = "answered";
              record.reply = value;
              record.repliedAtMs = repliedAtMs;
              record.answeredAtMs = this.#nowMs;
              resolve({ kind: "answered", value });
            });
          },
          (error: unknown) => this.crashed(target.name, error),
        );
      });
    });
  }

  #record(from: ProcessContext, to: string, { operation, request }: CallRequest): CallRecord {
    const record: CallRecord = {
      id: this.calls.length + 1,
      from: from.name,
      fromIncarnation: from.incarnation,
      to,
      operation,
      request,
      sentAtMs: this.#nowMs,
      repliedAtMs: null,
      answeredAtMs: null,
      outcome: null,
      reply: undefined,
      faults: [],
    };
    this.calls.push(record);
    return record;
  }

  incident(kind: string, process: string | null, detail: string): void {
    this.incidents.push({ atMs: this.#nowMs, kind, process, detail });
  }
}
