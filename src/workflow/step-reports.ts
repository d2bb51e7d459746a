/**
 * What a running step reports: progress that is coalesced, and heartbeats that are not.
 *
 *   G1  reports are sent one after another, with rising numbers from 1.
 *   G2  a progress with another phase than the one before is sent at once. Others are sent at most once per `everyMs`; the
 *       last value wins, and is sent when its time has come, or when the step returns.
 *   G3  each report carries the last checkpoint that a heartbeat gave, else the one that the step began with.
 *   G4  a report that was refused fails the step: a heartbeat at once, a progress at the latest when the step returns.
 *   G5  no report before the start of the step is recorded.
 *
 * Source: seed 000 "Progress convention" (coalescing), "LLM runs, signals and progress".
 */
import type { Clock } from "../ports/clock.ts";
import type { Json } from "../std/json.ts";
import type { ProgressValues } from "./context.ts";
import { toJson } from "./json-values.ts";
import { progressDetails } from "./progress-details.ts";

/** Resolves when the report is saved; rejects when it is refused. */
export type SendReport = (sequence: number, details: Json, checkpoint: Json) => Promise<void>;

export class StepReports {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #begun: () => Promise<void>;
  readonly #send: SendReport;
  readonly #closing = new AbortController();
  #checkpoint: Json;
  #phase: string | null = null;
  #pending: Json | null = null;
  /** When the last report was sent; reports before the first one have no distance to keep. */
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #sequence = 0;
  #tail: Promise<void> = Promise.resolve();
  #flushQueued = false;
  #timed = false;
  #refusal: { readonly error: unknown } | null = null;

  /** `begun`: records the start of the step, if it is not (G5). */
  constructor(clock: Clock, everyMs: number, checkpoint: Json, begun: () => Promise<void>, send: SendReport) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#checkpoint = checkpoint;
    this.#begun = begun;
    this.#send = send;
  }

  /** G2. */
  progress(phase: string, values: ProgressValues): void {
    this.#checkOpen();
    const details = this.#details(phase, values);
    if (phase !== this.#phase) {
      this.#sendNow(phase, details);
      return;
    }
    this.#pending = details;
    const dueInMs = this.#sentAtMs + this.#everyMs - this.#clock.monotonicMs();
    if (dueInMs <= 0) this.#flush();
    else void this.#flushIn(dueInMs);
  }

  async heartbeat(details: Json, options: { readonly checkpoint?: Json }): Promise<void> {
    this.#checkOpen();
    const sent = toJson(details, "the details of a heartbeat");
    if (options.checkpoint !== undefined)
      this.#checkpoint = toJson(options.checkpoint, "the checkpoint of a heartbeat");
    const checkpoint = this.#checkpoint;
    this.#pending = null;
    return this.#queue(() => this.#report(sent, checkpoint));
  }

  /** The step has returned: sends the last progress, and waits for what was begun. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the step has returned"));
    this.#flush();
    await this.#tail;
    if (this.#refusal !== null) throw this.#refusal.error;
  }

  /** The step has failed: nothing more is sent. */
  drop(): void {
    this.#pending = null;
    this.#closing.abort(new Error("the step has failed"));
  }

  /** A value outside the convention fails the step, also when the step catches it. */
  #details(phase: string, values: ProgressValues): Json {
    try {
      return progressDetails(phase, values);
    } catch (error) {
      this.#refusal ??= { error };
      throw error;
    }
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw new Error("the step is over; it reports no more");
    if (this.#refusal !== null) throw this.#refusal.error;
  }

  /** A value of the phase before that has not been sent is not sent any more. */
  #sendNow(phase: string, details: Json): void {
    this.#phase = phase;
    this.#pending = null;
    this.#sentAtMs = this.#clock.monotonicMs();
    const checkpoint = this.#checkpoint;
    this.#unwatched(this.#queue(() => this.#report(details, checkpoint)));
  }

  /** Nobody awaits it: its refusal is told when the step returns (G4). */
  #unwatched(sent: Promise<void>): void {
    sent.catch((error) => {
      this.#refusal ??= { error };
    });
  }

  #flush(): void {
    if (this.#flushQueued || this.#pending === null) return;
    this.#flushQueued = true;
    const sent = this.#queue(async () => {
      this.#flushQueued = false;
      // The one before may have been sent later than it was meant to.
      const dueInMs = this.#sentAtMs + this.#everyMs - this.#clock.monotonicMs();
      if (dueInMs > 0 && !this.#closing.signal.aborted) return void this.#flushIn(dueInMs);
      const details = this.#pending;
      this.#pending = null;
      if (details !== null) await this.#report(details, this.#checkpoint);
    });
    this.#unwatched(sent);
  }

  async #flushIn(ms: number): Promise<void> {
    if (this.#timed) return;
    this.#timed = true;
    await this.#clock.sleep(ms, this.#closing.signal);
    this.#timed = false;
    if (this.#closing.signal.aborted || this.#pending === null) return;
    // Another report may have been sent meanwhile.
    const dueInMs = this.#sentAtMs + this.#everyMs - this.#clock.monotonicMs();
    if (dueInMs <= 0) this.#flush();
    else void this.#flushIn(dueInMs);
  }

  async #report(details: Json, checkpoint: Json): Promise<void> {
    await this.#begun();
    this.#sentAtMs = this.#clock.monotonicMs();
    this.#sequence += 1;
    await this.#send(this.#sequence, details, checkpoint);
  }

  /** G1. One that is refused does not hold up the next. */
  #queue(send: () => Promise<void>): Promise<void> {
    const sent = this.#tail.then(send);
    this.#tail = sent.catch(() => undefined);
    return sent;
  }
}
