/**
 * Trying a workflow on samples: no server, no store, no waiting.
 *
 *   K1  each sample message is one turn, in order; a continuation is one more at the end. Time passes only in sleeps and
 *       in waits that run out. A turn that does not complete is the last one.
 *   K2  steps really do their work, unless `steps` says what they return: then nothing outside is touched.
 *   K3  every step with its effect id and output, every report, blob and message sent back is captured.
 *   K4  each turn is run again from its start, and once for each saved step with a worker that dies there; what comes out
 *       must be the same. A handler that reads the clock or draws a number outside its steps is found so. No step's work
 *       is done twice for it.
 *
 * Source: seed 001 "Test a workflow before it writes".
 */
import type { Json } from "../std/json.ts";
import type { RequeueRequest } from "../vocabulary/requests.ts";
import type { Origin, Step } from "../vocabulary/turn.ts";
import type { TurnView } from "../vocabulary/view.ts";
import type { Workflow } from "./definition.ts";
import { fromJson, toJson } from "./json-values.ts";
import { capturing, replayTurn, runTurn, type SampleEffect, type StandIns } from "./sample-run.ts";
import { type SampleReplies, type SampleSignal, SampleTurns } from "./sample-turns.ts";
import type { TurnEnd } from "./turn-run.ts";

export interface Sample<Message> {
  readonly messages: readonly Message[];
  /** Default: the workflow's initial state. */
  readonly state?: unknown;
  /** Taken by the waits for their names, in order. */
  readonly signals?: readonly SampleSignal[];
  /** What children answer, by the key of their step. */
  readonly replies?: SampleReplies;
  /** Of every message. */
  readonly origin?: Origin;
  /** K2, by key. */
  readonly steps?: StandIns;
  /** K4. Default: true. */
  readonly replays?: boolean;
  /** Wall time of the first turn, Unix milliseconds. Default: the start of 2026. */
  readonly nowMs?: number;
}

/** What one turn came to. */
export interface SampleTurn<Result = Json> {
  readonly message: Json;
  readonly end: TurnEnd;
  /** Null unless it completed. */
  readonly result: Result;
  readonly steps: readonly Step[];
}

export interface SampleRun<State = Json, Result = Json> {
  /** After the last completed turn. */
  readonly state: State;
  /** Of the last turn. */
  readonly result: Result;
  readonly turns: readonly SampleTurn<Result>[];
  readonly effects: readonly SampleEffect[];
  readonly reports: readonly { readonly key: string; readonly details: Json; readonly checkpoint: Json }[];
  readonly requeued: readonly RequeueRequest[];
  readonly blobs: { readonly [reference: string]: Json };
  /** Wall time at the end. */
  readonly nowMs: number;
  /** How many replays came to the same (K4). */
  readonly replays: number;
}

const START_MS = 1_767_225_600_000;
/** A workflow that continues for ever is cut off here. */
const MOST_TURNS = 1_000;

/** Runs the sample. Throws when a replay comes to something else than the first run did (K4). */
export async function testWorkflow<State, Message, Result>(
  workflow: Workflow<State, Message, Result>,
  sample: Sample<Message>,
): Promise<SampleRun<State, Result>> {
  const run = new SampleRunner<State, Message, Result>(workflow, sample);
  const inbox = sample.messages.map((message) => toJson(message, "a message of the sample"));
  for (let number = 1; number <= Math.min(inbox.length, MOST_TURNS); number++) {
    const next = await run.turn(number, inbox[number - 1] ?? null);
    if (next === "stop") break;
    inbox.push(...next);
  }
  return run.outcome();
}

class SampleRunner<State, Message, Result> {
  readonly #workflow: Workflow;
  readonly #sample: Sample<Message>;
  readonly #turns: SampleTurn<Result>[] = [];
  readonly #ran: SampleTurns[] = [];
  readonly #effects: SampleEffect[] = [];
  #signals: readonly SampleSignal[];
  #state: Json;
  #nowMs: number;
  #replays = 0;

  constructor(workflow: Workflow, sample: Sample<Message>) {
    this.#workflow = workflow;
    this.#sample = sample;
    this.#signals = sample.signals ?? [];
    this.#state = sample.state === undefined ? workflow.initialState : toJson(sample.state, "the state");
    this.#nowMs = sample.nowMs ?? START_MS;
  }

  /** Answers the messages that come of it. */
  async turn(number: number, message: Json): Promise<readonly Json[] | "stop"> {
    const { steps = {}, replies = {}, origin = null, replays = true } = this.#sample;
    const [state, nowMs, signals] = [this.#state, this.#nowMs, this.#signals];
    const view = queued(this.#workflow, number, message, origin, nowMs);
    const open = () => new SampleTurns(this.#workflow.name, view, nowMs, signals, replies);
    const effects: SampleEffect[] = [];
    const turns = open();
    const end = await runTurn(
      capturing(this.#workflow, effects, (key) => (Object.hasOwn(steps, key) ? steps[key] : undefined)),
      turns,
      state,
    );
    const { completion } = turns;
    for (let dies = 0; replays && completion !== null && dies <= turns.turn.steps.length; dies++) {
      await replayTurn(this.#workflow, { turns, end, effects }, this.#withBlobs(open(), turns), state, dies);
      this.#replays += 1;
    }
    const result = fromJson<Result>(completion?.result ?? null);
    this.#turns.push({ message, end, result, steps: turns.turn.steps });
    this.#ran.push(turns);
    this.#effects.push(...effects);
    this.#signals = turns.unread;
    this.#nowMs = turns.nowMs;
    if (completion === null) return "stop";
    this.#state = completion.state;
    return completion.continuation ? [completion.continuation.message] : [];
  }

  outcome(): SampleRun<State, Result> {
    return {
      state: fromJson<State>(this.#state),
      result: this.#turns.at(-1)?.result ?? fromJson<Result>(null),
      turns: this.#turns,
      effects: this.#effects,
      reports: this.#ran.flatMap(({ reports }) =>
        reports.map(({ key, details, checkpoint }) => ({ key, details, checkpoint })),
      ),
      requeued: this.#ran.flatMap(({ requeued }) => requeued),
      blobs: Object.fromEntries(this.#ran.flatMap(({ blobs }) => [...blobs])),
      nowMs: this.#nowMs,
      replays: this.#replays,
    };
  }

  /** What the recorded outputs name is there in the replay, too. */
  #withBlobs(again: SampleTurns, { blobs }: SampleTurns): SampleTurns {
    for (const [reference, value] of blobs) again.blobs.set(reference, value);
    return again;
  }
}

function queued(
  { version }: Workflow,
  number: number,
  message: Json,
  origin: Origin | null,
  nowMs: number,
): TurnView {
  return {
    workflow_id: "sample",
    number,
    message_id: `sample-${number}`,
    message,
    version,
    migrations: [],
    origin,
    status: "running",
    waiting_for: null,
    attempt: 1,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    ready_at_ms: nowMs,
    steps: [],
    signals: [],
    operation: null,
    progress: null,
    result: null,
    state_after: null,
    sequence: 1,
    worker: "sample",
    deadline_ms: null,
    error: null,
    skipped: false,
    finished_at_ms: null,
    reply_to: null,
    continued_to: null,
  };
}
