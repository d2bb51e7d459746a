/**
 * The way between a process and the store: latency, loss, lateness, refusals, and the layer that re-sends.
 *
 * Requests travel outside every process, so they arrive although their sender crashed or is paused; answers and
 * what the client's own layers do come back through `deliver`, so they reach only a sender that still runs.
 * Knows nothing of keys and bodies: a request is a function that lets the store decide.
 *
 *   W1  Lost answer, lost request and late write look alike to the sender: the same object after a delay from
 *       the same distribution. Only the operation's record knows which it was.
 *   W2  A late write lands after its sender was told, and its condition is judged when it lands.
 *   W3  A fault is counted, and noted on the operation, when it has taken effect: a 409 at the store, a re-send
 *       when it is sent, a late write when it lands, a lost answer when the sender learns that it has none.
 *   W4  An answer takes at least one millisecond, so a loop of requests always moves virtual time.
 *   W5  A crash or pause is decided with the request, but does not strike once the faults are switched off.
 *
 * Not here: partitions, stale reads, list faults, broken conditions (catalogue F08 to F13).
 */
import type {
  DeleteOutcome,
  GetOutcome,
  ListOutcome,
  PutOutcome,
  Throttled,
  UnknownOutcome,
} from "../../src/ports/object-store.ts";
import { unreachable } from "../../src/std/assert.ts";
import type { FaultKind, StoreOperation } from "../history/history.ts";
import type { ProcessContext, Simulation } from "../kernel/simulation.ts";
import type { StoreFaultKind, StoreFaults } from "./store-faults.ts";

export type AnyOutcome = GetOutcome | PutOutcome | DeleteOutcome | ListOutcome;

/** Largest draws of the delays, milliseconds. A draw of 0 is the shortest. */
export interface LatencyBounds {
  readonly requestMs: number;
  readonly answerMs: number;
  /** How much longer than an answer the sender waits before it gives up on one. */
  readonly silenceMs: number;
  /** How long the layer below the port waits before it sends again. */
  readonly resendMs: number;
}

export const DEFAULT_LATENCY: LatencyBounds = { requestMs: 4, answerMs: 4, silenceMs: 1000, resendMs: 100 };

/** One object for every missing answer: nothing in it tells a lost request from a lost answer. */
export const NO_ANSWER: UnknownOutcome = Object.freeze({
  kind: "unknown-outcome",
  detail: "no answer from the store",
});

const THROTTLED: Throttled = Object.freeze({ kind: "throttled", retryAfterMs: null });
const THROTTLED_FOR_A_SECOND: Throttled = Object.freeze({ kind: "throttled", retryAfterMs: 1000 });

/** One throttled write in this many is applied all the same. */
const THROTTLED_BUT_APPLIED = 4;

/** Moments at which a request can be its sender's last: what the store saw of it differs. */
const CRASH_BEFORE_ARRIVAL = 0;
const CRASH_BEFORE_ANSWER = 1;
const CRASH_MOMENTS = 3;

/** Lets the store decide on an operation, at that time. */
export type Serve<O> = (operation: StoreOperation, nowMs: number) => O;

/** A request under way. */
interface Passage<O extends AnyOutcome> {
  readonly context: ProcessContext;
  readonly operation: StoreOperation;
  readonly serve: Serve<O>;
  readonly conflict: O | null;
  readonly requestMs: number;
  readonly answerMs: number;
  readonly resolve: (outcome: O | Throttled | UnknownOutcome) => void;
}

export class Wire {
  readonly #simulation: Simulation;
  readonly #faults: StoreFaults;
  readonly #latency: LatencyBounds;
  #lateWrites = 0;

  constructor(simulation: Simulation, faults: StoreFaults, latency: LatencyBounds) {
    this.#simulation = simulation;
    this.#faults = faults;
    this.#latency = latency;
  }

  /** Late writes that have not landed yet. */
  get lateWrites(): number {
    return this.#lateWrites;
  }

  /**
   * Sends a request; the promise is never settled for a sender that crashed. `serve` is called once for each
   * send that arrives. `conflict` is the 409 answer, or null for a request that carries no condition.
   */
  send<O extends AnyOutcome>(
    context: ProcessContext,
    operation: StoreOperation,
    serve: Serve<O>,
    conflict: O | null,
  ): Promise<O | Throttled | UnknownOutcome> {
    const requestMs = this.#draw(this.#latency.requestMs, "store-request-ms");
    const answerMs = 1 + this.#draw(this.#latency.answerMs, "store-answer-ms");
    const fault = this.#faults.storeFault(operation.kind, conflict !== null);
    return new Promise((resolve) => {
      const passage = { context, operation, serve, conflict, requestMs, answerMs, resolve };
      if (fault === null) this.#plain(passage);
      else this.#strike(passage, fault);
    });
  }

  #draw(bound: number, label: string): number {
    return bound === 0 ? 0 : this.#simulation.choices.choose(bound + 1, label);
  }

  #plain<O extends AnyOutcome>(passage: Passage<O>): void {
    this.#arrive(passage, () => this.#answer(passage, this.#serve(passage)));
  }

  /** Lets the request reach the store after its way there; what is done then may depend on the order of requests. */
  #arrive<O extends AnyOutcome>(passage: Passage<O>, decide: () => void): void {
    this.#simulation.after(passage.requestMs, "store-request", decide, passage.operation);
  }

  #serve<O extends AnyOutcome>(passage: Passage<O>): O {
    return passage.serve(passage.operation, this.#simulation.now());
  }

  #answer<O extends AnyOutcome>(passage: Passage<O>, outcome: O | Throttled): void {
    this.#simulation.deliver(passage.context, passage.answerMs, "store-answer", () => {
      passage.operation.answeredAtMs = this.#simulation.now();
      passage.operation.outcome = outcome;
      passage.resolve(outcome);
    });
  }

  #strike<O extends AnyOutcome>(passage: Passage<O>, fault: StoreFaultKind): void {
    switch (fault) {
      case "F01-lost-answer":
        this.#loseAnswer(passage);
        break;
      case "F02-lost-request":
        this.#loseRequest(passage);
        break;
      case "F03-late-write":
        this.#deferWrite(passage);
        break;
      case "F04-hidden-retry":
        this.#sendTwice(passage);
        break;
      case "F05-conflict-409":
        this.#refuse(passage);
        break;
      case "F06-throttle":
        this.#throttle(passage);
        break;
      case "N01-crash":
        this.#crashSender(passage);
        break;
      case "N02-pause":
        this.#pauseSender(passage);
        break;
      default:
        unreachable(fault);
    }
  }

  /** Tells the sender that there is no answer; `taken` runs when it learns so. Answers the delay (W1). */
  #silence<O extends AnyOutcome>(passage: Passage<O>, taken: () => void): number {
    const waitMs = this.#draw(this.#latency.silenceMs, "store-silence-ms");
    const delayMs = passage.requestMs + passage.answerMs + waitMs;
    this.#simulation.deliver(passage.context, delayMs, "store-silence", () => {
      taken();
      passage.operation.answeredAtMs = this.#simulation.now();
      passage.operation.outcome = NO_ANSWER;
      passage.resolve(NO_ANSWER);
    });
    return delayMs;
  }

  #loseAnswer<O extends AnyOutcome>(passage: Passage<O>): void {
    this.#silence(passage, () => this.#struck(passage.operation, "F01-lost-answer"));
    this.#arrive(passage, () => this.#serve(passage));
  }

  #loseRequest<O extends AnyOutcome>(passage: Passage<O>): void {
    this.#silence(passage, () => undefined);
    this.#struck(passage.operation, "F02-lost-request");
  }

  #deferWrite<O extends AnyOutcome>(passage: Passage<O>): void {
    const toldMs = this.#silence(passage, () => undefined);
    const spanMs = this.#faults.lateByMs - toldMs - 1;
    const landsMs = toldMs + 1 + (spanMs > 0 ? this.#draw(spanMs, "store-late-ms") : 0);
    this.#lateWrites += 1;
    const land = (): void => {
      this.#lateWrites -= 1;
      this.#struck(passage.operation, "F03-late-write");
      this.#serve(passage);
    };
    this.#simulation.after(landsMs, "store-late-request", land, passage.operation);
  }

  /** The first answer is lost to the layer that sends again, so the sender hears of the second send only. */
  #sendTwice<O extends AnyOutcome>(passage: Passage<O>): void {
    const waitMs =
      passage.requestMs + passage.answerMs + this.#draw(this.#latency.resendMs, "store-resend-ms");
    // A read that nobody hears the answer of is nothing; and it could come after the one that is heard.
    if (isWrite(passage.operation)) this.#arrive(passage, () => this.#serve(passage));
    this.#simulation.deliver(passage.context, waitMs, "store-resend", () => {
      this.#struck(passage.operation, "F04-hidden-retry");
      this.#plain(passage);
    });
  }

  #refuse<O extends AnyOutcome>(passage: Passage<O>): void {
    const { operation, conflict } = passage;
    if (conflict === null) {
      this.#plain(passage);
      return;
    }
    this.#arrive(passage, () => {
      this.#struck(operation, "F05-conflict-409");
      operation.verdict = "conflict";
      this.#answer(passage, conflict);
    });
  }

  #throttle<O extends AnyOutcome>(passage: Passage<O>): void {
    const { choices } = this.#simulation;
    const { operation } = passage;
    const applies =
      isWrite(operation) &&
      choices.choose(THROTTLED_BUT_APPLIED, "store-throttle-applied") === THROTTLED_BUT_APPLIED - 1;
    const answer = choices.choose(2, "store-retry-after") === 0 ? THROTTLED : THROTTLED_FOR_A_SECOND;
    this.#arrive(passage, () => {
      this.#struck(operation, "F06-throttle");
      if (applies) this.#serve(passage);
      else operation.verdict = "throttled";
      this.#answer(passage, answer);
    });
  }

  #crashSender<O extends AnyOutcome>(passage: Passage<O>): void {
    const moment = this.#simulation.choices.choose(CRASH_MOMENTS, "store-crash-moment");
    const crash = () => this.#halt(passage, "N01-crash", this.#faults.crash);
    if (moment === CRASH_BEFORE_ARRIVAL) {
      this.#arrive(passage, () => {
        if (!crash()) this.#answer(passage, this.#serve(passage));
      });
    } else if (moment === CRASH_BEFORE_ANSWER) {
      this.#arrive(passage, () => {
        const outcome = this.#serve(passage);
        if (!crash()) this.#answer(passage, outcome);
      });
    } else {
      this.#simulation.after(0, "store-crash", crash);
      this.#plain(passage);
    }
  }

  /** The answer is under way when its sender stops; it acts on it when it resumes. */
  #pauseSender<O extends AnyOutcome>(passage: Passage<O>): void {
    this.#arrive(passage, () => {
      const outcome = this.#serve(passage);
      this.#halt(passage, "N02-pause", this.#faults.pause);
      this.#answer(passage, outcome);
    });
  }

  /** Crashes or pauses the sender, if it still runs and somebody can (W5). Answers whether it did. */
  #halt<O extends AnyOutcome>(
    passage: Passage<O>,
    kind: FaultKind,
    halt: ((process: string) => void) | null,
  ): boolean {
    if (halt === null || !this.#faults.enabled || !passage.context.alive) return false;
    this.#struck(passage.operation, kind);
    halt(passage.context.name);
    return true;
  }

  #struck(operation: StoreOperation, kind: FaultKind): void {
    this.#faults.struck(kind);
    operation.faults = [...operation.faults, kind];
  }
}

function isWrite({ kind }: StoreOperation): boolean {
  return kind === "put" || kind === "delete";
}
