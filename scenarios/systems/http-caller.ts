/**
 * A caller that speaks through the real client: a user's program, as far as its calls go.
 *
 *   A1  each method is one call of the client, which repeats what it may; `repeat` asks again when the client has given up.
 *   A2  one call at a time: the next one waits for the one before. The hop is told which call is under way, so that
 *       what was sent for it can be told apart.
 *   A3  what the client throws is a failure again: the callers of the simulation decide by its kind.
 */
import type { ProcessContext } from "../../sim/index.ts";
import type { BatonClient } from "../../src/client/index.ts";
import type {
  ControlRequest,
  CreateRequest,
  Failure,
  HistoryPage,
  HistoryRequest,
  InboxPage,
  InboxRequest,
  InstanceView,
  SendRequest,
  SignalRequest,
  TurnView,
  TypeInboxPage,
  TypeInboxRequest,
} from "../../src/index.ts";
import { err, ok, type Result } from "../../src/std/result.ts";
import { BatonError } from "../../src/workflow/index.ts";
import type { Caller } from "./caller.ts";
import type { HttpHop } from "./http-hop.ts";

type Reply<T> = Promise<Result<T, Failure>>;

const BACKOFF_MS = { first: 100, most: 2_000 } as const;

export class HttpCaller implements Caller {
  readonly #hop: HttpHop;
  readonly #client: BatonClient;
  readonly #context: ProcessContext;
  #last: Promise<void> = Promise.resolve();

  constructor(hop: HttpHop, client: BatonClient, context: ProcessContext) {
    this.#hop = hop;
    this.#client = client;
    this.#context = context;
  }

  move(): void {
    this.#hop.move();
  }

  /** The client's own `create` answers a handle, not the instance. */
  create(request: CreateRequest): Reply<InstanceView> {
    return this.#told(() => this.#client.engine.createInstance(request));
  }
  send({ workflow_id, message, id, origin }: SendRequest): Reply<TurnView> {
    const options = origin === undefined ? { id } : { id, origin };
    return this.#one(() => this.#client.workflows.handle(workflow_id).send(message, options));
  }
  signal({ workflow_id, turn, id, name, value }: SignalRequest): Reply<TurnView> {
    return this.#one(() => this.#client.workflows.handle(workflow_id).signal(name, value, { turn, id }));
  }
  control(request: ControlRequest): Reply<InstanceView> {
    return this.#told(() => this.#client.engine.control(request));
  }
  instance(id: string): Reply<InstanceView> {
    return this.#one(() => this.#client.workflows.get(id));
  }
  turn(workflow_id: string, turn: number): Reply<TurnView> {
    return this.#one(() => this.#client.workflows.handle(workflow_id).turn(turn));
  }
  history(request: HistoryRequest): Reply<HistoryPage> {
    return this.#told(() => this.#client.engine.history(request));
  }
  inbox(request: InboxRequest): Reply<InboxPage> {
    return this.#told(() => this.#client.engine.inbox(request));
  }
  typeInbox(request: TypeInboxRequest): Reply<TypeInboxPage> {
    return this.#one(() => this.#client.workflows.inbox(request));
  }

  /** A1. */
  async repeat<T>(tries: number, ask: () => Reply<T>): Reply<T> {
    const { clock, random } = this.#context;
    for (let tried = 1; ; tried++) {
      const answer = await ask();
      const isOpen = !answer.ok && ["unknown-outcome", "unavailable"].includes(answer.error.kind);
      if (!isOpen || tried >= tries) return answer;
      const mostMs = Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** Math.min(tried, 8));
      await clock.sleep(BACKOFF_MS.first + random.below(mostMs, "caller-back-off"));
    }
  }

  /** A3. */
  #one<T>(ask: () => Promise<T>): Reply<T> {
    return this.#told(async () => {
      try {
        return ok(await ask());
      } catch (error) {
        if (error instanceof BatonError) return err(failureOf(error));
        throw error;
      }
    });
  }

  /** A2. */
  async #told<T>(ask: () => Reply<T>): Reply<T> {
    const before = this.#last;
    let done: () => void = () => undefined;
    this.#last = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    this.#hop.call = (this.#hop.call ?? 0) + 1;
    const answer = await ask();
    done();
    return answer;
  }
}

function failureOf({ kind, code, message, param }: BatonError): Failure {
  return { kind, code, message, param };
}
