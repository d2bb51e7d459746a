/**
 * An object store that writes down each request and strikes some of them, between an engine and its real store.
 *
 * It stands inside the process, above the adapter, so an embedded store is recorded and struck just as a remote one.
 *
 *   S1  a request is written down before anything is sent, what the store did when it answers, and what the engine was
 *       told when it is told. Both may be missing after a kill; nothing else can.
 *   S2  a struck write keeps the port's rules: one that may have been applied is told as an unknown outcome or as
 *       throttled; one that is told as refused was never sent (O2, O3).
 *   S3  a late write is told as unknown at once and is sent afterwards, also after the engine has given up on it.
 *
 * Which requests are struck is `strikes.ts`. Memory: the last body of each key, so that a body is logged once.
 */
import type { FaultKind, StoreOperation } from "../../sim/index.ts";
import type {
  Clock,
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
} from "../../src/ports/index.ts";
import type { ChaosLog, LoggedOutcome } from "./log-lines.ts";
import type { StoreStrikes, Strike } from "./strikes.ts";

const UNKNOWN: UnknownOutcome = { kind: "unknown-outcome", detail: "no answer" };
const THROTTLED: Throttled = { kind: "throttled", retryAfterMs: null };
const CONFLICT: { readonly kind: "conflict" } = { kind: "conflict" };

interface Asked {
  readonly op: StoreOperation["kind"];
  readonly key: string;
  readonly condition: StoreOperation["condition"];
  readonly body: string | null;
}

export interface RecordingPorts {
  readonly store: ObjectStore;
  readonly log: ChaosLog;
  readonly clock: Clock;
  readonly strikes: StoreStrikes;
  /** Kills this process, now. */
  readonly die: () => void;
}

type Outcome = NonNullable<StoreOperation["outcome"]>;

export class RecordingStore implements ObjectStore {
  readonly #ports: RecordingPorts;
  #asked = 0;
  /** By key: the body of which etag the log has told. */
  readonly #told = new Map<string, { readonly etag: string; readonly body: string }>();

  constructor(ports: RecordingPorts) {
    this.#ports = ports;
  }

  get(key: string): Promise<GetOutcome> {
    const asked: Asked = { op: "get", key, condition: null, body: null };
    return this.#pass(asked, () => this.#ports.store.get(key), null);
  }
  put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    const asked: Asked = { op: "put", key, condition, body };
    const conflict = condition.kind === "none" ? null : CONFLICT;
    return this.#pass(asked, () => this.#ports.store.put(key, body, condition), conflict);
  }
  delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome> {
    const asked: Asked = { op: "delete", key, condition, body: null };
    return this.#pass(asked, () => this.#ports.store.delete(key, condition), null);
  }
  list(request: ListRequest): Promise<ListOutcome> {
    const asked: Asked = { op: "list", key: request.prefix, condition: null, body: null };
    return this.#pass(asked, () => this.#ports.store.list(request), null);
  }

  async #pass<O extends Outcome>(
    asked: Asked,
    send: () => Promise<O>,
    conflict: O | null,
  ): Promise<O | Throttled | UnknownOutcome> {
    const { log, strikes, clock } = this.#ports;
    this.#asked += 1;
    const id = this.#asked;
    const strike = strikes.next(asked.op, conflict !== null);
    log.write({ e: "store-sent", at: log.nowMs(), id, ...asked });
    const sent = async (): Promise<O> => {
      const did = await send();
      log.write({ e: "store-did", at: log.nowMs(), id, outcome: this.#logged(asked, did) });
      return did;
    };
    if (strike === null) {
      const did = await sent();
      log.write({ e: "store-told", at: log.nowMs(), id, outcome: null, faults: [] });
      return did;
    }
    const tell = <Told extends Outcome>(outcome: Told, ...faults: FaultKind[]): Told => {
      log.write({ e: "store-told", at: log.nowMs(), id, outcome, faults });
      return outcome;
    };
    if (strike.kind === "slow") {
      await clock.sleep(strike.ms);
      const did = await sent();
      log.write({ e: "store-told", at: log.nowMs(), id, outcome: null, faults: [] });
      return did;
    }
    return this.#struck(strike, sent, conflict, tell);
  }

  async #struck<O extends Outcome>(
    strike: Exclude<Strike, { kind: "slow" }>,
    sent: () => Promise<O>,
    conflict: O | null,
    tell: <Told extends Outcome>(outcome: Told, ...faults: FaultKind[]) => Told,
  ): Promise<O | Throttled | UnknownOutcome> {
    const { clock, die } = this.#ports;
    switch (strike.kind) {
      case "lost-request":
        await clock.sleep(strike.ms);
        return tell(UNKNOWN, "F02-lost-request");
      case "lost-answer":
        await sent();
        await clock.sleep(strike.ms);
        return tell(UNKNOWN, "F01-lost-answer");
      case "late-write":
        // S3.
        void clock.sleep(strike.ms).then(sent);
        return tell(UNKNOWN, "F03-late-write");
      case "throttled":
        if (strike.applied) await sent();
        return tell(THROTTLED, "F06-throttle");
      case "conflict":
        return conflict === null ? sent() : tell(conflict, "F05-conflict-409");
      case "death": {
        if (strike.before) die();
        const outcome = sent();
        if (!strike.after) die();
        await outcome;
        die();
        return outcome;
      }
    }
  }

  /** The outcome with a body that the log has told left out. */
  #logged(asked: Asked, outcome: Outcome): LoggedOutcome {
    if (asked.op === "put" && outcome.kind === "ok" && "etag" in outcome && asked.body !== null)
      this.#told.set(asked.key, { etag: outcome.etag, body: asked.body });
    if (asked.op !== "get" || outcome.kind !== "ok" || !("body" in outcome)) return outcome;
    const { etag, body } = outcome;
    const told = this.#told.get(asked.key);
    if (told?.etag === etag && told.body === body) return { kind: "ok", etag, body: null };
    this.#told.set(asked.key, { etag, body });
    return outcome;
  }
}
