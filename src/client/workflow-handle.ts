/**
 * One instance, as a user holds it: send it messages, answer its questions, look at it, steer it.
 *
 *   A1  whoever sends, or signals, chooses the id: the same id again is the same message, also after a crash of the
 *       sender. So each call here may be repeated by its caller.
 *   A2  what a person does names the turn that it is about, so a repeat never acts on a successor.
 *   A3  `result` looks again and again until the turn has ended, less often the longer it takes; it follows
 *       continuations to the last one.
 *
 * Every method throws a `BatonError` when it is refused. Source: seed 000 "Message API", "Inbox".
 */
import type { Clock } from "../ports/clock.ts";
import type { Json } from "../std/json.ts";
import { failure } from "../vocabulary/errors.ts";
import type { ControlAction } from "../vocabulary/requests.ts";
import type { Origin } from "../vocabulary/turn.ts";
import type { HistoryPage, InboxPage, InstanceView, TurnView } from "../vocabulary/view.ts";
import { BatonError, toJson } from "../workflow/index.ts";
import { asResult, unwrapped } from "./answers.ts";
import type { ClientEngine } from "./http-engine.ts";

export interface SendOptions {
  /** A1. */
  readonly id: string;
  readonly origin?: Origin;
}

export interface SignalOptions {
  readonly turn: number;
  /** A1: of the event. */
  readonly id: string;
}

export interface PageOptions<Cursor> {
  /** Exclusive. */
  readonly after?: Cursor;
  readonly limit?: number;
}

export interface ResultOptions {
  /** How long to wait for the turn's end. Default: 60 s. */
  readonly timeoutMs?: number;
}

const RESULT_MS = 60_000;
/** A3. */
const LOOK_MS = { first: 25, most: 1_000 } as const;

export class WorkflowHandle<Message = Json, Result = Json> {
  readonly id: string;
  readonly #engine: ClientEngine;
  readonly #clock: Clock;

  constructor(engine: ClientEngine, clock: Clock, id: string) {
    this.#engine = engine;
    this.#clock = clock;
    this.id = id;
  }

  /** Durable when it resolves. */
  async send(message: Message, options: SendOptions): Promise<TurnView> {
    const request = { workflow_id: this.id, ...options, message: toJson(message, "the message") };
    return unwrapped(this.#engine.sendMessage(request));
  }

  /** Sends, and waits for the reply. */
  async ask(message: Message, options: SendOptions & ResultOptions): Promise<Result> {
    const { timeoutMs, ...sending } = options;
    const turn = await this.send(message, sending);
    return this.result(turn.number, timeoutMs === undefined ? {} : { timeoutMs });
  }

  /** The reply of a turn, once it has ended (A3). Throws when it ends otherwise, or not in time. */
  async result(turn: number, options: ResultOptions = {}): Promise<Result> {
    const untilMs = this.#clock.monotonicMs() + (options.timeoutMs ?? RESULT_MS);
    let number = turn;
    for (let waitMs: number = LOOK_MS.first; ; waitMs = Math.min(LOOK_MS.most, waitMs * 2)) {
      const seen = await this.turn(number);
      if (seen.status === "completed" && (seen.continued_to ?? null) === null)
        return asResult<Result>(seen.result);
      if (seen.status === "failed" || seen.status === "cancelled") throw ended(seen);
      if (seen.status === "completed" && seen.continued_to !== null) number = seen.continued_to;
      const leftMs = untilMs - this.#clock.monotonicMs();
      if (leftMs <= 0) throw late(seen);
      await this.#clock.sleep(Math.min(waitMs, leftMs));
    }
  }

  /** An event for exactly one turn. */
  async signal(name: string, value: unknown, options: SignalOptions): Promise<TurnView> {
    const request = {
      workflow_id: this.id,
      ...options,
      name,
      value: toJson(value, "the value of the signal"),
    };
    return unwrapped(this.#engine.signal(request));
  }

  /** State, status, counters and the current turn. */
  status(): Promise<InstanceView> {
    return unwrapped(this.#engine.getInstance(this.id));
  }

  turn(number: number): Promise<TurnView> {
    return unwrapped(this.#engine.getTurn(this.id, number));
  }

  /** Unfinished turns, oldest first. */
  inbox(options: PageOptions<number> & { readonly payloads?: boolean } = {}): Promise<InboxPage> {
    return unwrapped(this.#engine.inbox({ workflow_id: this.id, ...options }));
  }

  /** A page of finished turns, from the oldest kept one. */
  history(options: PageOptions<number> = {}): Promise<HistoryPage> {
    return unwrapped(this.#engine.history({ workflow_id: this.id, ...options }));
  }

  /** All finished turns that are kept, page by page. */
  async *turns(options: PageOptions<number> = {}): AsyncGenerator<TurnView> {
    let after = options.after;
    for (;;) {
      const page = await this.history({ ...options, ...(after === undefined ? {} : { after }) });
      yield* page.turns;
      if ((page.next_after ?? null) === null || page.next_after === null) return;
      after = page.next_after;
    }
  }

  /** Messages are accepted, a held turn may finish, none is given out. */
  pause(): Promise<InstanceView> {
    return this.#control("pause");
  }

  resume(): Promise<InstanceView> {
    return this.#control("resume");
  }

  /** Ends a wait that spends no attempt; no sleep, and no wait for a signal. */
  wake(): Promise<InstanceView> {
    return this.#control("wake");
  }

  /** Runs a failed turn again (A2). */
  retry(turn: number): Promise<InstanceView> {
    return this.#control("retry", turn);
  }

  /** Leaves a failed turn behind, so that the next one runs (A2). */
  skip(turn: number): Promise<InstanceView> {
    return this.#control("skip", turn);
  }

  /** Ends a turn with the state as it was; its worker hears of it at its next heartbeat (A2). */
  cancelTurn(turn: number): Promise<InstanceView> {
    return this.#control("cancel_turn", turn);
  }

  /** Ends the instance with all its turns. Whether this very call did. */
  async delete(): Promise<boolean> {
    return (await unwrapped(this.#engine.deleteInstance({ workflow_id: this.id }))).deleted;
  }

  #control(action: ControlAction, turn?: number): Promise<InstanceView> {
    const request = { workflow_id: this.id, action, ...(turn === undefined ? {} : { turn }) };
    return unwrapped(this.#engine.control(request));
  }
}

function ended({ workflow_id, number, status, error }: TurnView): BatonError {
  const why = error === null ? "" : `: ${error}`;
  return new BatonError(
    failure("conflict", `turn_${status}`, `turn ${number} of ${workflow_id} ${status}${why}`),
  );
}

function late({ workflow_id, number, status }: TurnView): BatonError {
  const message = `turn ${number} of ${workflow_id} is still ${status}; ask for its result again`;
  return new BatonError(failure("unavailable", "turn_not_ended", message));
}
