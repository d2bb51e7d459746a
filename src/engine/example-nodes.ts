/**
 * Nodes for tests: over a scripted store and a clock in the test's hand, and short ways to say the usual calls.
 *
 * Not part of the engine: nothing imports it but tests.
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import { Keys } from "../documents/keys.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import { SILENT } from "../ports/trace.ts";
import { assert, present } from "../std/assert.ts";
import type { Json } from "../std/json.ts";
import type { Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { Task } from "../vocabulary/view.ts";
import { DEFAULT_CONFIG, type EngineConfig } from "./config.ts";
import type { Engine, EngineNode } from "./engine.ts";
import { createNode } from "./node.ts";

export const V1 = { workflow_type: "counter", version: "v1" };
export const KEYS = new Keys(DEFAULT_CONFIG);

/**
 * Each turn is a block of history, so that it moves at once, and is dropped with the next write. A clock in a test's hand
 * passes by itself while somebody sleeps, so the index hears of everything at once.
 */
const CONFIG: EngineConfig = {
  ...DEFAULT_CONFIG,
  history_segment_turns: 1,
  history_page_turns: 2,
  defer_index: false,
  index_shards: 1,
};

export function nodeOver(
  store: ObjectStore,
  clock: Clock,
  ids: Ids,
  ports: Partial<StorePorts> = {},
  config: Partial<EngineConfig> = {},
): EngineNode {
  const random = { below: () => 0 };
  return createNode({ store, clock, ids, random, trace: SILENT, ...ports }, { ...CONFIG, ...config });
}

/** The value of an answer that must have succeeded. */
export async function got<T>(reply: Promise<Result<T, Failure>>): Promise<T> {
  const result = await reply;
  assert(result.ok, `a success, not ${JSON.stringify(result)}`);
  return result.value;
}

/** The failure of an answer that must have failed. */
export async function failed(reply: Promise<Result<unknown, Failure>>): Promise<Failure> {
  const result = await reply;
  assert(!result.ok, `a failure, not ${JSON.stringify(result)}`);
  return result.error;
}

export async function instanceWith(
  engine: Engine,
  id: string,
  ...messages: readonly string[]
): Promise<void> {
  await got(engine.createInstance({ id, ...V1, state: { n: 0 }, lease_ms: 1_000 }));
  for (const message of messages) await got(engine.sendMessage({ workflow_id: id, id: message, message: 1 }));
}

/** The next task; there must be one. */
export async function taken(engine: Engine, worker = "w"): Promise<Task> {
  return present(await got(engine.claim({ worker, workflows: [V1] })), "a task");
}

/** What names the attempt of a task in a worker's calls. */
export function leaseOf({ turn, token }: Task) {
  return { workflow_id: turn.workflow_id, turn: turn.number, token };
}

export function completionOf(task: Task, state: Json = { n: task.turn.number }) {
  return { ...leaseOf(task), state, result: `r${task.turn.number}` };
}

/** Claims and completes that many turns. */
export async function work(engine: Engine, turns: number): Promise<void> {
  for (let n = 0; n < turns; n++) await got(engine.complete(completionOf(await taken(engine))));
}
