/**
 * What the worker of one attempt sends about its turn.
 *
 *   T1  nothing is sent once the attempt is over, and no answer is looked at then: such a call never resolves, and what
 *       waited for it is forgotten.
 *   T2  an answer that says that the turn is not the caller's any more (409) or is not there (404) ends the attempt:
 *       nothing more is sent for the turn.
 *   T3  any other refusal is thrown as `CallRefused`, so it fails the attempt as any error of the work does.
 *   T4  an answer is good only while the lease is: one that comes too late authorises nothing.
 *
 * What is repeated, and how often, is the turn source's. Source: seed 001 "The rules of a worker".
 */
import type { Reply } from "../engine/engine.ts";
import type { Failure, FailureKind } from "../vocabulary/errors.ts";
import type { Lease } from "./lease.ts";
import type { TurnSource } from "./turn-source.ts";
import { never, whileLive } from "./waiting.ts";

/** A call was refused for what it asked, or found no way to the engine. */
export class CallRefused extends Error {
  override readonly name = "CallRefused";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** T2. */
const LOST: readonly FailureKind[] = ["fenced", "conflict", "not-found"];

/** Whether the refusal says so (T2). */
export function isLost({ kind }: Failure): boolean {
  return LOST.includes(kind);
}

type Send<T> = (turns: TurnSource, signal: AbortSignal) => Reply<T>;

export class TurnCalls {
  readonly lease: Lease;
  readonly #turns: TurnSource;

  constructor(turns: TurnSource, lease: Lease) {
    this.#turns = turns;
    this.lease = lease;
  }

  /** A call after which the work goes on. */
  async send<T>(send: Send<T>): Promise<T> {
    const value = await this.#send(send);
    return this.lease.isLive() ? value : never();
  }

  /**
   * A call that may let go of the turn. The lease is not renewed from here on; who goes on resumes it.
   */
  sendLast<T>(send: Send<T>): Promise<T> {
    this.lease.pause();
    return this.#send(send);
  }

  async #send<T>(send: Send<T>): Promise<T> {
    const { lease } = this;
    if (!lease.isLive()) return never();
    const answer = await whileLive(send(this.#turns, lease.signal), lease.signal);
    if (answer.kind === "over") return never();
    if (answer.value.ok) return answer.value.value;
    const { error } = answer.value;
    if (!isLost(error)) throw new CallRefused(error);
    lease.end(new Error(`the turn is lost: ${error.message}`));
    return never();
  }
}
