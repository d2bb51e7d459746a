/**
 * The writing thread as the main thread sees it: an order goes in, its verdict comes back.
 *
 * Owns the thread's life, how orders are put into groups, and what is answered when the thread is gone. Does not own
 * what an order does (`group-writer.ts`).
 *
 *   K1  all orders that come in one turn of the event loop, or while the thread is at work, go to it as one group.
 *   K2  every order is answered. When the thread is gone, what it was doing is unknown; what comes later is not done and
 *       is answered the same.
 *   K3  an open store keeps no process alive, an unanswered order does.
 *   K4  when the process ends, it first waits for the thread to be outside SQLite (S2), for `PARK_MS` at most.
 */
import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
import { err, ok, type Result } from "../../std/result.ts";
import type { StoreRefusal } from "../store-refusal.ts";
import type { GroupAnswer, Verdict, WriteOrder } from "./group-writer.ts";
import { BUSY, CLOSE, createSignals, ORDER, PARK, wake } from "./signals.ts";
import { HERE, startThread } from "./thread-code.ts";
import type { ThreadAnswer } from "./writer-thread.ts";

export interface Written {
  readonly verdict: Verdict;
  readonly detail: string;
}

interface Waiting {
  readonly order: WriteOrder;
  readonly answered: (written: Written) => void;
}

/** Orders in one group: keeps a transaction, and the answer to its first order, short. */
const MOST_IN_GROUP = 512;
const PARK_MS = 2_000;

export class Writer {
  readonly #thread: Worker;
  readonly #port: MessagePort;
  readonly #signals: Int32Array;
  readonly #ended: Promise<void>;
  #waiting: Waiting[] = [];
  #atWork: readonly Waiting[] = [];
  #flushing = false;
  /** Called when nothing is at work or waits. */
  #idle: () => void = () => undefined;
  /** Why no order is taken any more. */
  #gone: string | null = null;

  private constructor(thread: Worker, port: MessagePort, signals: Int32Array) {
    this.#thread = thread;
    this.#port = port;
    this.#signals = signals;
    this.#ended = new Promise((resolve) => thread.once("exit", () => resolve()));
    thread.on("error", (error) => this.#lose(`the writing thread failed: ${String(error)}`));
    thread.once("exit", (code) => {
      PARKED_AT_EXIT.delete(signals);
      port.close();
      this.#lose(`the writing thread ended with code ${code}`);
    });
  }

  /** Starts the thread and waits until it has opened the store. */
  static async start(directory: string): Promise<Result<Writer, StoreRefusal>> {
    const signals = createSignals();
    const { port1: port, port2 } = new MessageChannel();
    Atomics.store(signals, BUSY, 1);
    const workerData = { directory, signals, from: HERE, port: port2 };
    const thread = await startThread({ workerData, transferList: [port2], execArgv: [] });
    parkAtExit(signals);
    const writer = new Writer(thread, port, signals);
    const first = await new Promise<ThreadAnswer>((resolve) => {
      port.once("message", resolve);
      thread.once("error", (error) => resolve(refused(`the writing thread failed: ${String(error)}`)));
      thread.once("exit", (code) => resolve(refused(`the writing thread ended with code ${code}`)));
    });
    if (first.kind !== "open") {
      await writer.#ended;
      return err(first.kind === "refused" ? first.refusal : refused("an answer before the first").refusal);
    }
    port.on("message", (answer: ThreadAnswer) => writer.#take(answer));
    thread.unref();
    port.unref();
    return ok(writer);
  }

  write(order: WriteOrder): Promise<Written> {
    return new Promise((answered) => {
      if (this.#gone !== null) {
        answered({ verdict: "unknown-outcome", detail: this.#gone });
        return;
      }
      this.#waiting.push({ order, answered });
      this.#flushSoon();
    });
  }

  /** Writes what was asked before, then ends the thread. */
  async close(): Promise<void> {
    if (this.#gone !== null) return;
    this.#gone = "the store is closed";
    this.#flush();
    if (this.#atWork.length > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    this.#thread.ref();
    Atomics.store(this.#signals, ORDER, CLOSE);
    wake(this.#signals);
    await this.#ended;
  }

  /** K1. */
  #flushSoon(): void {
    if (this.#flushing || this.#atWork.length > 0) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#atWork.length > 0 || this.#waiting.length === 0) return;
    const group =
      this.#waiting.length > MOST_IN_GROUP ? this.#waiting.splice(0, MOST_IN_GROUP) : this.#waiting;
    if (group === this.#waiting) this.#waiting = [];
    this.#atWork = group;
    this.#port.ref();
    this.#port.postMessage(group.map(({ order }) => order));
    wake(this.#signals);
  }

  #take(answer: ThreadAnswer): void {
    if (answer.kind === "written") this.#settle(answer);
    // Those who were just answered may ask for more in this turn of the event loop; after `close` nobody can.
    if (this.#gone === null && this.#waiting.length > 0) this.#flushSoon();
    else this.#flush();
    if (this.#atWork.length === 0 && this.#waiting.length === 0) this.#idle();
  }

  #settle({ verdicts, detail }: GroupAnswer): void {
    const group = this.#atWork;
    this.#atWork = [];
    this.#port.unref();
    for (const [i, { answered }] of group.entries())
      answered({ verdict: verdicts[i] ?? "unknown-outcome", detail });
  }

  /** K2. */
  #lose(detail: string): void {
    this.#gone ??= detail;
    const lost = [...this.#atWork, ...this.#waiting];
    this.#atWork = [];
    this.#waiting = [];
    for (const { answered } of lost) answered({ verdict: "unknown-outcome", detail });
    this.#idle();
  }
}

function refused(message: string): ThreadAnswer & { kind: "refused" } {
  return { kind: "refused", refusal: { kind: "unavailable", message } };
}

/** The threads that run; one listener serves all of them. */
const PARKED_AT_EXIT = new Set<Int32Array>();
let listening = false;

/** K4. */
function parkAtExit(signals: Int32Array): void {
  PARKED_AT_EXIT.add(signals);
  if (listening) return;
  listening = true;
  process.on("exit", () => {
    for (const each of PARKED_AT_EXIT) {
      Atomics.store(each, ORDER, PARK);
      wake(each);
    }
    for (const each of PARKED_AT_EXIT) Atomics.wait(each, BUSY, 1, PARK_MS);
  });
}
