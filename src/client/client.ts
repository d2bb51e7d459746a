/**
 * The client: workflows, graphs and blobs of one graph, through any engine, with exceptions for refusals.
 *
 * The engine may be behind HTTP (`HttpEngine`) or in the same process; a client is also what a worker is given. The
 * engine's own methods, which answer failures as values, are at `client.engine`.
 */
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Json } from "../std/json.ts";
import type { CreateRequest, ListRequest, TypeInboxRequest } from "../vocabulary/requests.ts";
import type { GraphView, InstancePage, InstanceView, TypeInboxPage } from "../vocabulary/view.ts";
import { type TurnSource, toJson, type WorkerHost, type Workflow } from "../workflow/index.ts";
import { unwrapped } from "./answers.ts";
import type { ClientEngine } from "./http-engine.ts";
import { WorkflowHandle } from "./workflow-handle.ts";

export interface ClientPorts {
  readonly clock: Clock;
  readonly random: Random;
}

export class WorkflowClient implements WorkerHost {
  readonly engine: ClientEngine;
  /** For a `WorkflowWorker`. */
  readonly turns: TurnSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly workflows: Workflows;
  readonly graph: Graph;

  constructor(engine: ClientEngine, { clock, random }: ClientPorts, turns: TurnSource = engine) {
    this.engine = engine;
    this.turns = turns;
    this.clock = clock;
    this.random = random;
    this.workflows = new Workflows(engine, clock);
    this.graph = new Graph(engine);
  }
}

class Workflows {
  readonly blobs: Blobs;
  readonly #engine: ClientEngine;
  readonly #clock: Clock;

  constructor(engine: ClientEngine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
    this.blobs = new Blobs(engine);
  }

  /** Creates the instance; an identical repeat finds it. */
  async create(request: CreateRequest): Promise<WorkflowHandle> {
    const state = toJson(request.state ?? null, "the state");
    await unwrapped(this.#engine.createInstance({ ...request, state }));
    return this.handle(request.id);
  }

  /** The same for a workflow's own code, with its types. */
  async start<State, Message, Result>(
    workflow: Workflow<State, Message, Result>,
    id: string,
  ): Promise<WorkflowHandle<Message, Result>> {
    await this.create(workflow.creation(id));
    return this.handle<Message, Result>(id);
  }

  /** Asks nobody: whether the instance is there, its first call will say. */
  handle<Message = Json, Result = Json>(id: string): WorkflowHandle<Message, Result> {
    return new WorkflowHandle<Message, Result>(this.#engine, this.#clock, id);
  }

  get(id: string): Promise<InstanceView> {
    return unwrapped(this.#engine.getInstance(id));
  }

  /** A page of instances, by id. */
  list(request: ListRequest = {}): Promise<InstancePage> {
    return unwrapped(this.#engine.listInstances(request));
  }

  /** A page of the instances of a type that have unfinished turns. */
  inbox(request: TypeInboxRequest): Promise<TypeInboxPage> {
    return unwrapped(this.#engine.typeInbox(request));
  }
}

class Blobs {
  readonly #engine: ClientEngine;

  constructor(engine: ClientEngine) {
    this.#engine = engine;
  }

  /** Keeps up to 8 MiB for an instance; answers the text that a state, message or step output may hold instead. */
  async putJson(value: unknown, options: { readonly workflowId: string }): Promise<string> {
    const request = { workflow_id: options.workflowId, value: toJson(value, "the blob") };
    return (await unwrapped(this.#engine.putBlob(request))).reference;
  }

  async getJson(reference: string, options: { readonly workflowId: string }): Promise<Json> {
    return (await unwrapped(this.#engine.getBlob(options.workflowId, reference))).value;
  }
}

class Graph {
  readonly #engine: ClientEngine;

  constructor(engine: ClientEngine) {
    this.#engine = engine;
  }

  /** Begins the client's graph, unless it is there. */
  create(): Promise<GraphView> {
    return unwrapped(this.#engine.createGraph());
  }

  /** Ends it with everything in it. Whether this very call did. */
  async delete(): Promise<boolean> {
    return (await unwrapped(this.#engine.deleteGraph())).deleted;
  }
}
