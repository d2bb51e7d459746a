/**
 * Calls between processes: a request and an answer, each of which may be late, lost or doubled.
 *
 *   H1  the caller learns an answer or, after its time-out, `unknown-outcome`; never which of the two was lost;
 *   H2  a target that is down or still starting answers nothing; a paused one answers after it resumes, if anyone
 *       still waits;
 *   H3  a lost call is not executed; a lost reply is executed and not answered; a duplicate is executed twice and
 *       the first answer to arrive counts;
 *   H4  a reply that was sent lands also when its sender crashes afterwards;
 *   H5  a caller that has crashed sends nothing and learns nothing;
 *   H6  a late call arrives after calls that were sent later, and also after its caller gave up on it;
 *   H7  a caller that says so learns within a drawn time that its call or the answer was lost, as from a connection
 *       that broke; which of the two it was it learns as little as by the time-out.
 *
 * Requests and answers are passed as they are, not copied: services treat them as data. Which faults strike is
 * decided by a `HopFaults`, which another part provides.
 */
import type { CallRecord, FaultKind } from "../history/history.ts";
import type { ChoiceSource } from "./choice.ts";
import type { EventQueue } from "./event-queue.ts";
import type { Incarnation } from "./incarnation.ts";
import type { Touch } from "./schedule-policy.ts";
import type { CallOutcome, CallRequest, Process } from "./simulation.ts";

/** What strikes one call. */
export interface HopFault {
  readonly lost: "none" | "call" | "reply";
  /** Sent twice; means nothing for a lost call. */
  readonly duplicate: boolean;
  /** How much later than usual it arrives, so that calls sent after it overtake it; 0: not at all. */
  readonly lateMs: number;
}

export interface HopFaults {
  /** Asked once for each call, when this process sends it. */
  decide(from: string): HopFault;
}

/** One way takes 1 ms and up to this much more, by a draw. */
export interface HopLatency {
  readonly spreadMs: number;
}

const NOTHING: HopFault = { lost: "none", duplicate: false, lateMs: 0 };
export const NO_HOP_FAULTS: HopFaults = { decide: () => NOTHING };

/** What the hop needs of the world. */
export interface HopHost {
  readonly choices: ChoiceSource;
  readonly queue: EventQueue<Incarnation>;
  now(): number;
  /** The life that the named process lives now. */
  incarnationOf(name: string): Incarnation | null;
  /** Runs code as that incarnation within the present event, or holds it while it is paused. */
  enter(owner: Incarnation, label: string, fire: () => void): void;
  crashed(owner: Incarnation, error: unknown): void;
}

/** Tells the caller the outcome; `repliedAtMs` is when an answer was given, null for a time-out. */
type Settle<T> = (outcome: CallOutcome<T>, repliedAtMs: number | null) => void;

/** One call under way: what its copies and answers share. */
interface Flight<Service, T> {
  readonly record: CallRecord;
  readonly target: Process<Service>;
  readonly fault: HopFault;
  readonly invoke: (service: Service) => Promise<T>;
  readonly settle: Settle<T>;
}

export class Hop {
  readonly calls: CallRecord[] = [];
  readonly #host: HopHost;
  readonly #latency: HopLatency;
  faults: HopFaults = NO_HOP_FAULTS;

  constructor(host: HopHost, latency: HopLatency) {
    this.#host = host;
    this.#latency = latency;
  }

  call<Service, T>(
    from: Incarnation,
    target: Process<Service>,
    request: CallRequest,
    invoke: (service: Service) => Promise<T>,
    timeoutMs: number,
  ): Promise<CallOutcome<T>> {
    return new Promise((resolve) => {
      if (!from.alive) return;
      const fault = this.faults.decide(from.name);
      const record = this.#record(from, target.name, request, fault);
      const settle = this.#settler(from, record, this.#patienceMs(request, fault, timeoutMs), resolve);
      const flight = { record, target, fault, invoke, settle };
      if (fault.lost === "call") return;
      this.#send(from, flight);
      if (fault.duplicate) this.#send(from, flight);
    });
  }

  #record(from: Incarnation, to: string, request: CallRequest, fault: HopFault): CallRecord {
    const record: CallRecord = {
      id: this.calls.length + 1,
      from: from.name,
      fromIncarnation: from.incarnation,
      to,
      operation: request.operation,
      request: request.request,
      sentAtMs: this.#host.now(),
      repliedAtMs: null,
      answeredAtMs: null,
      outcome: null,
      reply: undefined,
      faults: kindsOf(fault),
    };
    this.calls.push(record);
    return record;
  }

  /** H7. */
  #patienceMs({ cutWithinMs = 0 }: CallRequest, fault: HopFault, timeoutMs: number): number {
    if (cutWithinMs <= 0 || fault.lost === "none") return timeoutMs;
    return Math.min(timeoutMs, 1 + this.#host.choices.choose(cutWithinMs, "hop-cut"));
  }

  /** The first outcome counts: the answer that takes the time-out out of the queue, or the time-out. */
  #settler<T>(
    from: Incarnation,
    record: CallRecord,
    timeoutMs: number,
    resolve: (outcome: CallOutcome<T>) => void,
  ): Settle<T> {
    const { queue } = this.#host;
    const settle: Settle<T> = (outcome, repliedAtMs) => {
      if (record.outcome !== null) return;
      queue.cancel(timeout);
      record.outcome = outcome.kind;
      record.repliedAtMs = repliedAtMs;
      record.answeredAtMs = this.#host.now();
      if (outcome.kind === "answered") record.reply = outcome.value;
      resolve(outcome);
    };
    const dueMs = this.#host.now() + Math.max(0, Math.ceil(timeoutMs));
    const timeout = queue.add(dueMs, "hop-timeout", from, () => settle({ kind: "unknown-outcome" }, null));
    return settle;
  }

  #send<Service, T>(from: Incarnation, flight: Flight<Service, T>): void {
    const dueMs = this.#host.now() + this.#delayMs("hop-request-latency") + flight.fault.lateMs;
    const arrive = (): void => {
      const at = this.#host.incarnationOf(flight.target.name);
      if (at !== null) this.#host.enter(at, "hop-request", () => this.#execute(from, at, flight));
    };
    const touches: Touch = { process: flight.target.name, kind: "call", key: from.name };
    this.#host.queue.add(dueMs, "hop-request", null, arrive, touches);
  }

  #execute<Service, T>(from: Incarnation, at: Incarnation, flight: Flight<Service, T>): void {
    const service = flight.target.serviceOf(at);
    if (service === null) return;
    invoked(flight.invoke, service).then(
      (value) => {
        if (!at.alive || flight.fault.lost === "reply" || !from.alive) return;
        const repliedAtMs = this.#host.now();
        const dueMs = repliedAtMs + this.#delayMs("hop-reply-latency");
        const settle = (): void => flight.settle({ kind: "answered", value }, repliedAtMs);
        this.#host.queue.add(dueMs, "hop-reply", from, settle);
      },
      (error: unknown) => this.#host.crashed(at, error),
    );
  }

  #delayMs(label: string): number {
    return 1 + this.#host.choices.choose(this.#latency.spreadMs + 1, label);
  }
}

/** A synchronous throw counts as a rejection. */
function invoked<Service, T>(invoke: (service: Service) => Promise<T>, service: Service): Promise<T> {
  try {
    return invoke(service);
  } catch (error) {
    return Promise.reject(error);
  }
}

const NO_FAULTS: readonly FaultKind[] = [];

function kindsOf(fault: HopFault): readonly FaultKind[] {
  if (fault.lost === "call") return ["H01-lost-call"];
  if (fault.lost === "none" && !fault.duplicate && fault.lateMs === 0) return NO_FAULTS;
  const kinds: FaultKind[] = fault.lost === "reply" ? ["H02-lost-reply"] : [];
  if (fault.duplicate) kinds.push("D01-duplicate-request");
  if (fault.lateMs > 0) kinds.push("D02-reorder");
  return kinds;
}
