/**
 * A workflow as its author writes it: a type, a version, a first state, and what is done with one message.
 *
 *   D1  an instance keeps the version that it was created with; code of another version gets its turns only through a
 *       migration that names the old one.
 *   D2  a migration is a pure function of the saved state.
 *
 * Source: seed 000 "Message workflows and automatic rollover", "Code versions are pinned for an identity".
 */
import type { Json } from "../std/json.ts";
import type { OnExhausted } from "../vocabulary/instance.ts";
import { LEASE_MS, MAX_ATTEMPTS } from "../vocabulary/limits.ts";
import { isName, NAME_RULE } from "../vocabulary/names.ts";
import type { CreateRequest, ServedVersion } from "../vocabulary/requests.ts";
import type { Continuation, NamedVersion, TurnResult, WorkflowContext } from "./context.ts";
import { fromJson, toJson } from "./json-values.ts";
import { checkRange } from "./ranges.ts";
import { WorkflowUsageError } from "./workflow-errors.ts";

export interface WorkflowDefinition<State, Message, Result> {
  /** The workflow's type. */
  readonly name: string;
  readonly version: string;
  readonly initialState: State;
  /** How long a worker holds a turn without a sign of life. Default: 60 s. */
  readonly leaseMs?: number;
  /** Default: 3. */
  readonly maxAttempts?: number;
  /** What becomes of a turn that fails for good. Default: `block`. */
  readonly onExhausted?: OnExhausted;
  /** By the version it migrates from (D2). */
  readonly migrations?: { readonly [from: string]: (state: Json) => State };
  readonly onMessage: (
    ctx: WorkflowContext<State, Message>,
    state: State,
    message: Message,
  ) => Promise<Outcome<State, Message, Result>> | Outcome<State, Message, Result>;
}

export type Outcome<State, Message, Result> =
  | TurnResult<State, Result>
  | Continuation<State, Message, Result>;

/** What runs the turns of one type and version; what a worker is given. */
export interface Workflow<State = unknown, Message = unknown, Result = unknown> extends NamedVersion {
  readonly served: ServedVersion;
  readonly initialState: Json;
  /** Runs one turn. State and message are what is stored. */
  readonly handle: (ctx: WorkflowContext, state: Json, message: Json) => Promise<unknown>;
  readonly migrate: (from: string, state: Json) => Json;
  /** How an instance of it is created. */
  creation(id: string): CreateRequest;
  /** Creates the instance, unless it is there, and answers what the client's `create` answers. */
  start<Handle>(client: Starter<Handle>, id: string): Promise<Handle>;
  /** Only for the type checker: what its messages and replies are. */
  readonly types?: { readonly state: State; readonly message: Message; readonly result: Result };
}

/** What a `BatonClient` offers to start instances. */
export interface Starter<Handle> {
  readonly workflows: { create(request: CreateRequest): Promise<Handle> };
}

export function workflow<State, Message = Json, Result = Json>(
  definition: WorkflowDefinition<State, Message, Result>,
): Workflow<State, Message, Result> {
  const { name, version, migrations = {} } = definition;
  check(definition);
  const initialState = toJson(definition.initialState, `the initial state of ${name}`);
  const from = Object.keys(migrations);
  const creation = (id: string) => creationOf(definition, initialState, id);
  return {
    name,
    version,
    served: { workflow_type: name, version, ...(from.length === 0 ? {} : { migrates_from: from }) },
    initialState,
    handle: async (ctx, state, message) =>
      definition.onMessage(
        fromContext<State, Message>(ctx),
        fromJson<State>(state),
        fromJson<Message>(message),
      ),
    migrate: (old, state) => {
      const migrates = Object.hasOwn(migrations, old) ? migrations[old] : undefined;
      if (migrates === undefined)
        throw new WorkflowUsageError(`${name} ${version} has no migration from ${old}`);
      return toJson(migrates(state), `the state that ${name} ${version} makes of one of ${old}`);
    },
    creation,
    start: (client, id) => client.workflows.create(creation(id)),
  };
}

/** The same context: its state and message are what the author says they are (`json-values.ts`). */
function fromContext<State, Message>(ctx: WorkflowContext): WorkflowContext<State, Message> {
  // The author's types stand for JSON that only the author knows the shape of.
  return ctx as unknown as WorkflowContext<State, Message>;
}

function creationOf(
  {
    name,
    version,
    leaseMs,
    maxAttempts,
    onExhausted,
  }: Omit<WorkflowDefinition<never, never, never>, "onMessage" | "initialState" | "migrations">,
  state: Json,
  id: string,
): CreateRequest {
  return {
    id,
    workflow_type: name,
    version,
    state,
    ...(leaseMs === undefined ? {} : { lease_ms: leaseMs }),
    ...(maxAttempts === undefined ? {} : { max_attempts: maxAttempts }),
    ...(onExhausted === undefined ? {} : { on_exhausted: onExhausted }),
  };
}

interface CheckedFields {
  readonly name: string;
  readonly version: string;
  readonly leaseMs?: number;
  readonly maxAttempts?: number;
  readonly migrations?: { readonly [from: string]: unknown };
}

/** What a server would refuse later is refused where it is written. */
function check({ name, version, leaseMs, maxAttempts, migrations = {} }: CheckedFields): void {
  for (const [what, value] of Object.entries({ name, version }))
    if (!isName(value)) throw new WorkflowUsageError(`the ${what} of a workflow must be ${NAME_RULE}`);
  for (const from of Object.keys(migrations))
    if (!isName(from) || from === version)
      throw new WorkflowUsageError(`${name} ${version} cannot migrate from "${from}"; name an older version`);
  checkRange(leaseMs, "leaseMs", LEASE_MS);
  checkRange(maxAttempts, "maxAttempts", MAX_ATTEMPTS);
}
