/**
 * Turns of an engine over a store in memory, to take the time of: no simulator is between the two.
 *
 * Whose engine it is, the caller says: also one that was built from another commit. So it takes the least of it: the
 * requests of the interface that workers and senders use, and a store.
 */
import { assert } from "../../std/assert.ts";

/** What of an engine is used. Answers are looked at as they come. */
interface AnyEngine {
  createInstance(request: object): Promise<unknown>;
  sendMessage(request: object): Promise<unknown>;
  claim(request: object): Promise<unknown>;
  operation(request: object): Promise<unknown>;
  checkpoint(request: object): Promise<unknown>;
  complete(request: object): Promise<unknown>;
}

/** The parts of one commit's code. */
export interface EngineParts {
  createNode(ports: object, config: object): AnyEngine;
  readonly DEFAULT_CONFIG: object;
  readonly MemoryStore: new () => object;
}

const WORKFLOW = { workflow_type: "counter", version: "v1" };
const TURN_EVERY_MS = 1_000;
/** Turns behind each other, so that a sample holds some of everything. */
export const TURNS_PER_SAMPLE = 100;

/** Processor time that this process has used, milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A function that makes some turns of one step, on an engine that has its first turns behind it. */
export async function engineTurns(parts: EngineParts): Promise<() => Promise<void>> {
  let [nowMs, ids, turns] = [1_700_000_000_000, 0, 0];
  const clock = { wallMs: () => nowMs, monotonicMs: () => nowMs, sleep: () => Promise.resolve() };
  const ports = {
    store: new parts.MemoryStore(),
    clock,
    ids: { next: () => `id-${++ids}` },
    random: { below: () => 0 },
    trace: { emit: () => undefined },
  };
  const node = parts.createNode(ports, parts.DEFAULT_CONFIG);
  await got(node.createInstance({ id: "i-1", ...WORKFLOW, state: { n: 0 } }));
  const turn = async (): Promise<void> => {
    nowMs += TURN_EVERY_MS;
    turns++;
    await got(node.sendMessage({ workflow_id: "i-1", id: `message-${turns}`, message: { add: 1 } }));
    const task = await got(node.claim({ worker: "w", workflows: [WORKFLOW] }));
    const lease = { workflow_id: "i-1", turn: turns, token: Reflect.get(Object(task), "token") };
    await got(node.operation({ ...lease, position: 0, key: "add", kind: "step" }));
    await got(node.checkpoint({ ...lease, position: 0, key: "add", kind: "step", output: 1 }));
    await got(node.complete({ ...lease, state: { n: turns }, result: turns }));
  };
  return async () => {
    for (let n = 0; n < TURNS_PER_SAMPLE; n++) await turn();
  };
}

async function got(reply: Promise<unknown>): Promise<unknown> {
  const result: unknown = Object(await reply);
  assert(
    typeof result === "object" &&
      result !== null &&
      "ok" in result &&
      result.ok === true &&
      "value" in result,
    `an accepted call, not ${JSON.stringify(result)}`,
  );
  return result.value;
}
