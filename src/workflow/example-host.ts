/**
 * A worker's surroundings for tests: a real node over a memory store, time that jumps, and a record of what was sent.
 *
 * Not part of the worker: nothing imports it but tests.
 */
import type { EngineNode } from "../engine/engine.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Random } from "../ports/random.ts";
import type { Json } from "../std/json.ts";
import type { TurnView } from "../vocabulary/view.ts";
import type { Workflow } from "./definition.ts";
import { retryingSource } from "./retrying-source.ts";
import { DOCUMENTED } from "./savings.ts";
import type { TurnSource, WorkerHost } from "./turn-source.ts";
import { type WorkerEvent, type WorkerOptions, WorkflowWorker } from "./worker.ts";

/** Time that passes when nothing else can happen. */
export interface PassingClock extends Clock {
  until<T>(work: Promise<T>): Promise<T>;
}

export interface NodePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
}

/** One call that reached the engine. */
export interface SentCall {
  readonly name: string;
  readonly atMs: number;
  readonly request: Json;
}

/** What to do with a call: null lets it pass. */
export type Intercept = (
  name: string,
  request: Json,
) => Promise<{ readonly instead: unknown } | null> | { readonly instead: unknown } | null;

/** Everything that a worker sends. */
const WATCHED = new Set(
  "claim heartbeat operation progress checkpoint waitSignal startChild migrate requeue complete fail putBlob getBlob".split(
    " ",
  ),
);

export class ExampleHost<Passing extends PassingClock> implements WorkerHost {
  readonly clock: Passing;
  readonly random: Random = { below: () => 0 };
  readonly node: EngineNode;
  readonly turns: TurnSource;
  readonly sent: SentCall[] = [];
  readonly events: WorkerEvent[] = [];
  /** Stands between worker and engine. */
  intercept: Intercept = () => null;

  constructor(clock: Passing, open: (ports: NodePorts) => EngineNode) {
    this.clock = clock;
    let count = 0;
    this.node = open({ clock, ids: { next: () => `id-${++count}` }, random: this.random });
    const watched = new Proxy(this.node, {
      get: (node, name) => {
        const method: unknown = Reflect.get(node, name);
        if (typeof method !== "function" || !WATCHED.has(String(name))) return method;
        return async (request: Json, ...rest: unknown[]) => {
          this.sent.push({ name: String(name), atMs: clock.monotonicMs(), request });
          const caught = await this.intercept(String(name), request);
          return caught === null ? Reflect.apply(method, node, [request, ...rest]) : caught.instead;
        };
      },
    });
    this.turns = retryingSource(watched, this);
  }

  /** In the documented setting, unless `options` say otherwise. */
  worker(workflows: readonly Workflow[], options: Partial<WorkerOptions> = {}): WorkflowWorker {
    const onEvent = (event: WorkerEvent) => this.events.push(event);
    return new WorkflowWorker(this, workflows, { worker: "w", onEvent, ...DOCUMENTED, ...options });
  }

  /** The names of what was sent, in order; claims left out. */
  get calls(): readonly string[] {
    return this.sent.filter(({ name }) => name !== "claim").map(({ name }) => name);
  }

  async send(workflow: Workflow, id: string, ...messages: readonly Json[]): Promise<void> {
    const created = await this.node.createInstance(workflow.creation(id));
    if (!created.ok) throw new Error(created.error.message);
    for (const [at, message] of messages.entries()) {
      const sent = await this.node.sendMessage({ workflow_id: id, id: `m${at + 1}`, message });
      if (!sent.ok) throw new Error(sent.error.message);
    }
  }

  async turn(id: string, number = 1): Promise<TurnView> {
    const turn = await this.node.getTurn(id, number);
    if (!turn.ok) throw new Error(turn.error.message);
    return turn.value;
  }

  async state(id: string): Promise<Json> {
    const instance = await this.node.getInstance(id);
    if (!instance.ok) throw new Error(instance.error.message);
    return instance.value.state;
  }

  /** Runs the worker's next turn; whether there was one. */
  once(workflow: Workflow): Promise<boolean> {
    return this.clock.until(this.worker([workflow]).runOnce());
  }

  /** Runs turns until none is ready. */
  async drain(workflow: Workflow): Promise<void> {
    while (await this.once(workflow));
  }
}
