/**
 * A memory store whose answers a test writes beforehand: which request is applied, when, and what is answered.
 *
 *   S1  each request on a scripted key takes the next step of its list; with none left it passes.
 *   S2  a step gets `send`, which performs the request on the store beneath, and decides whether and when to call it.
 *
 * For unit tests of one writer; only tests use it. Many writers under random faults are the simulator's part.
 */
import type {
  DeleteCondition,
  DeleteOutcome,
  GetOutcome,
  ListOutcome,
  ListRequest,
  ObjectStore,
  PutCondition,
  PutOutcome,
} from "../ports/object-store.ts";
import { MemoryStore, type MemoryStoreOptions } from "./memory-store.ts";

export type Step<Outcome> = (send: () => Promise<Outcome>) => Promise<Outcome>;
export type PutStep = Step<PutOutcome>;

const RESET = { kind: "unknown-outcome", detail: "connection reset" } as const;

/** The request is answered as the store answers it. */
export const pass = <T>(send: () => Promise<T>) => send();
/** Applied; the answer is lost. */
export const lostAnswer: PutStep = async (send) => {
  await send();
  return RESET;
};
/** Never applied; the same error as for a lost answer. */
export const lostRequest = async () => RESET;
/** A layer below sends the request twice and shows the second answer: a 412 on the own write. */
export const hiddenRetry: PutStep = async (send) => {
  await send();
  return send();
};
/** Refused for another operation in flight; nothing is applied. */
export const conflict: PutStep = async () => ({ kind: "conflict" });
export const throttled = (retryAfterMs: number | null) => async () =>
  ({ kind: "throttled", retryAfterMs }) as const;

/** The step after something else happened first, for example another writer's write. */
export function preceded<T>(first: () => Promise<unknown>, step: Step<T> = pass): Step<T> {
  return async (send) => {
    await first();
    return step(send);
  };
}

/** The step, and then something else before the answer is seen. */
export function followed<T>(then: () => Promise<unknown>, step: Step<T> = pass): Step<T> {
  return async (send) => {
    const outcome = await step(send);
    await then();
    return outcome;
  };
}

/** Requests that were sent, answered "unknown" and have not landed yet. */
export class InFlight {
  readonly #waiting: (() => Promise<PutOutcome>)[] = [];

  readonly hold: PutStep = async (send) => {
    this.#waiting.push(send);
    return RESET;
  };

  /** All of them reach the store now, in the order they were sent. */
  readonly land = async (): Promise<void> => {
    for (const send of this.#waiting.splice(0)) await send();
  };
}

/** Holds requests until it is opened; nothing is answered before. */
export class Gate {
  #open: () => void = () => undefined;
  readonly #opened = new Promise<void>((resolve) => {
    this.#open = resolve;
  });

  readonly hold = preceded<PutOutcome>(() => this.#opened);

  open(): void {
    this.#open();
  }
}

export class ScriptedStore implements ObjectStore {
  /** The store beneath, for other writers and for a look at what is there. */
  readonly beneath: MemoryStore;
  puts: PutStep[] = [];
  gets: Step<GetOutcome>[] = [];
  lists: Step<ListOutcome>[] = [];
  /** Which keys the lists of steps are for; the others pass. */
  scripted: (key: string) => boolean = () => true;
  /** Keys of all puts, in order. */
  readonly putKeys: string[] = [];

  constructor(options: MemoryStoreOptions = {}) {
    this.beneath = new MemoryStore(options);
  }

  get(key: string): Promise<GetOutcome> {
    const step = this.scripted(key) ? this.gets.shift() : undefined;
    return (step ?? pass)(() => this.beneath.get(key));
  }

  put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    this.putKeys.push(key);
    const step = this.scripted(key) ? this.puts.shift() : undefined;
    return (step ?? pass)(() => this.beneath.put(key, body, condition));
  }

  delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome> {
    return this.beneath.delete(key, condition);
  }

  list(request: ListRequest): Promise<ListOutcome> {
    return (this.lists.shift() ?? pass)(() => this.beneath.list(request));
  }
}
