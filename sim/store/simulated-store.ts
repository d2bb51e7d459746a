/**
 * The simulated object store: the model of `key-space.ts`, or a broken one, behind the wire of `wire.ts`, with every
 * operation and every version kept for the checkers.
 *
 * Gives each process incarnation a client of its own, so that the record names who sent what. Its clock is
 * virtual time, whatever the processes' clocks say.
 *
 *   T1  the record names every request that a living process sent, also one that never arrived; nothing is removed;
 *   T2  an operation's `verdict`, `appliedAtMs` and `version` are the store's truth, its `outcome` and
 *       `answeredAtMs` are what the sender learned; faults make them differ;
 *   T3  a crashed incarnation sends nothing and learns nothing, what it has sent takes its course.
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
  Throttled,
  UnknownOutcome,
} from "../../src/ports/object-store.ts";
import type { FaultKind, StoreOperation, Version } from "../history/history.ts";
import type { ProcessContext, Simulation } from "../kernel/simulation.ts";
import { keySpaceOf } from "./broken-key-space.ts";
import type { KeySpace } from "./key-space.ts";
import { DEFAULT_LATENCY, type LatencyBounds } from "./latency.ts";
import type { StoreProfile } from "./profiles/profile.ts";
import type { StoreFaults } from "./store-faults.ts";
import { type AnyOutcome, NO_ANSWER, type Serve } from "./transport.ts";
import { Wire } from "./wire.ts";

export interface SimulatedStoreOptions {
  readonly faults: StoreFaults;
  readonly profile: StoreProfile;
  /** Default: fast. */
  readonly latency?: LatencyBounds;
}

/** The name under which planted objects stand in the record. */
export const HARNESS = "harness";

const NO_FAULT: readonly FaultKind[] = [];
const CONFLICT: { readonly kind: "conflict" } = { kind: "conflict" };

export class SimulatedStore {
  readonly profile: StoreProfile;
  readonly #simulation: Simulation;
  readonly #space: KeySpace;
  readonly #wire: Wire;
  readonly #operations: StoreOperation[] = [];

  constructor(simulation: Simulation, options: SimulatedStoreOptions) {
    this.#simulation = simulation;
    this.profile = options.profile;
    this.#space = keySpaceOf(options.profile, simulation.choices, (kind) => options.faults.struck(kind));
    this.#wire = new Wire(simulation, options.faults, options.latency ?? DEFAULT_LATENCY);
  }

  /** Every operation in the order of sending. */
  get operations(): readonly StoreOperation[] {
    return this.#operations;
  }

  /** All versions of each key that was ever written. */
  get chains(): ReadonlyMap<string, readonly Version[]> {
    return this.#space.chains;
  }

  get operationCount(): number {
    return this.#operations.length;
  }

  /** Late writes that have not landed yet. */
  get lateWrites(): number {
    return this.#wire.lateWrites;
  }

  /** The port as this incarnation of a process sees it. */
  client(context: ProcessContext): ObjectStore {
    return new StoreClient(context, this.#simulation, this.#space, this.#wire, this.#operations);
  }

  /** The current version of the key, or null when it is not there. */
  object(key: string): Version | null {
    return this.#space.current(key);
  }

  /** Puts a body there at once, from outside every process: a damaged object, a state from earlier. */
  plant(key: string, body: string): void {
    const nowMs = this.#simulation.now();
    const condition: PutCondition = { kind: "none" };
    const operation = newOperation(this.#operations, HARNESS, 0, nowMs, "put", key, condition, body);
    operation.outcome = this.#space.put(operation, nowMs, body, condition);
    operation.answeredAtMs = nowMs;
  }
}

class StoreClient implements ObjectStore {
  readonly #context: ProcessContext;
  readonly #simulation: Simulation;
  readonly #space: KeySpace;
  readonly #wire: Wire;
  readonly #operations: StoreOperation[];
  readonly #get: Serve<GetOutcome>;
  /** What the loser of a tight race is told by this store. */
  readonly #conflict: typeof CONFLICT | UnknownOutcome | null;

  constructor(
    context: ProcessContext,
    simulation: Simulation,
    space: KeySpace,
    wire: Wire,
    operations: StoreOperation[],
  ) {
    this.#context = context;
    this.#simulation = simulation;
    this.#space = space;
    this.#wire = wire;
    this.#operations = operations;
    // Named first, see `runner/stage.ts`.
    const get: Serve<GetOutcome> = (operation, nowMs) => space.get(operation, nowMs);
    this.#get = get;
    const { contention } = space.profile;
    this.#conflict = contention === "conflict" ? CONFLICT : contention === "server-error" ? NO_ANSWER : null;
  }

  get(key: string): Promise<GetOutcome> {
    return this.#send("get", key, null, null, null, this.#get);
  }

  put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    const conflict = condition.kind === "none" ? null : this.#conflict;
    return this.#send<PutOutcome>("put", key, condition, body, conflict, (operation, nowMs) =>
      this.#space.put(operation, nowMs, body, condition),
    );
  }

  delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome> {
    const conflict = condition.kind === "none" ? null : this.#conflict;
    return this.#send<DeleteOutcome>("delete", key, condition, null, conflict, (operation, nowMs) =>
      this.#space.delete(operation, nowMs, condition),
    );
  }

  list(request: ListRequest): Promise<ListOutcome> {
    return this.#send<ListOutcome>("list", request.prefix, null, null, null, (operation, nowMs) =>
      this.#space.list(operation, nowMs, request),
    );
  }

  #send<O extends AnyOutcome>(
    kind: StoreOperation["kind"],
    key: string,
    condition: StoreOperation["condition"],
    body: string | null,
    conflict: O | UnknownOutcome | null,
    serve: Serve<O>,
  ): Promise<O | Throttled | UnknownOutcome> {
    const context = this.#context;
    // T3: code of a crashed process may still run to the end of the present event.
    if (!context.alive) return new Promise(() => undefined);
    const nowMs = this.#simulation.now();
    const { name, incarnation } = context;
    const operation = newOperation(this.#operations, name, incarnation, nowMs, kind, key, condition, body);
    return this.#wire.send(context, operation, serve, conflict);
  }
}

/** Appends a fresh record to the log. */
function newOperation(
  log: StoreOperation[],
  process: string,
  incarnation: number,
  sentAtMs: number,
  kind: StoreOperation["kind"],
  key: string,
  condition: StoreOperation["condition"],
  body: string | null,
): StoreOperation {
  const operation: StoreOperation = {
    id: log.length + 1,
    process,
    incarnation,
    kind,
    key,
    condition,
    body,
    sentAtMs,
    appliedAtMs: null,
    verdict: null,
    version: null,
    answeredAtMs: null,
    outcome: null,
    faults: NO_FAULT,
  };
  log.push(operation);
  return operation;
}
