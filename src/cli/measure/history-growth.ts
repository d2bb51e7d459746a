/**
 * Measures what a long history costs: one instance, many turns, the default retention, a store in memory.
 *
 *   node dist/src/cli/measure/history-growth.js [turns]      default 100,000; a turn every five minutes
 *
 * Prints the store operations per turn, by kind, of the first and the last thousand turns, and the largest identity.
 * Ends with exit code 1 when the last thousand cost more than the first, or when the identity grew over 64 KiB. What it
 * counts is a function of the code: no time is measured. Not part of the `baton` command.
 */
import { MemoryStore } from "../../adapters/memory-store.ts";
import { createNode, DEFAULT_CONFIG, type Engine, type Failure } from "../../index.ts";
import type { DeleteCondition, ListRequest, ObjectStore, PutCondition } from "../../ports/index.ts";
import { assert } from "../../std/assert.ts";
import type { Result } from "../../std/result.ts";

const KINDS = ["get", "put", "delete", "list"] as const;
type Counts = { [kind in (typeof KINDS)[number]]: number };
const WINDOW = 1_000;
const TURN_EVERY_MS = 300_000;
const IDENTITY_BYTES = 64 * 1024;
const WORKFLOW = { workflow_type: "counter", version: "v1" };

class CountingStore implements ObjectStore {
  readonly #beneath = new MemoryStore();
  counts: Counts = { get: 0, put: 0, delete: 0, list: 0 };
  largestIdentity = 0;

  get(key: string) {
    this.counts.get += 1;
    return this.#beneath.get(key);
  }
  put(key: string, body: string, condition: PutCondition) {
    this.counts.put += 1;
    if (key.includes("/state/instances/"))
      this.largestIdentity = Math.max(this.largestIdentity, Buffer.byteLength(body));
    return this.#beneath.put(key, body, condition);
  }
  delete(key: string, condition: DeleteCondition) {
    this.counts.delete += 1;
    return this.#beneath.delete(key, condition);
  }
  list(request: ListRequest) {
    this.counts.list += 1;
    return this.#beneath.list(request);
  }
}

/** One message through its whole turn, with one step. */
async function oneTurn(node: Engine, n: number): Promise<void> {
  await got(node.sendMessage({ workflow_id: "i-1", id: `message-${n}`, message: { add: n } }));
  const task = await got(node.claim({ worker: "w", workflows: [WORKFLOW] }));
  assert(task !== null, "a task");
  const lease = { workflow_id: "i-1", turn: task.turn.number, token: task.token };
  await got(node.checkpoint({ ...lease, position: 0, key: "add", kind: "step", output: n }));
  await got(node.complete({ ...lease, state: { n }, result: n }));
}

async function got<T>(reply: Promise<Result<T, Failure>>): Promise<T> {
  const result = await reply;
  assert(result.ok, `a success, not ${JSON.stringify(result)}`);
  return result.value;
}

async function measure(turns: number): Promise<readonly Counts[]> {
  const store = new CountingStore();
  let nowMs = 1_700_000_000_000;
  let ids = 0;
  const clock = {
    wallMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: (ms: number) => {
      nowMs += ms;
      return Promise.resolve();
    },
  };
  const ports = { store, clock, ids: { next: () => `id-${++ids}` } };
  const node = createNode(
    { ...ports, random: { below: () => 0 }, trace: { emit: () => undefined } },
    DEFAULT_CONFIG,
  );
  await got(node.createInstance({ id: "i-1", ...WORKFLOW, state: { n: 0 } }));
  const windows: Counts[] = [];
  for (let n = 1; n <= turns; n++) {
    nowMs += TURN_EVERY_MS;
    await oneTurn(node, n);
    if (n % WINDOW !== 0) continue;
    windows.push(store.counts);
    store.counts = { get: 0, put: 0, delete: 0, list: 0 };
  }
  const { history_pruned_through } = await got(node.getInstance("i-1"));
  console.log(`${turns} turns, of which ${history_pruned_through} are pruned`);
  console.log(`largest identity: ${store.largestIdentity} bytes, the limit is ${IDENTITY_BYTES}`);
  if (store.largestIdentity > IDENTITY_BYTES) process.exitCode = 1;
  return windows;
}

function show(name: string, counts: Counts): number {
  const total = KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  const parts = KINDS.map((kind) => `${kind} ${(counts[kind] / WINDOW).toFixed(3)}`).join("  ");
  console.log(`${name.padEnd(20)} ${parts}  all ${(total / WINDOW).toFixed(3)}`);
  return total;
}

const turns = Math.max(2 * WINDOW, Number(process.argv[2] ?? 100_000));
const windows = await measure(turns);
/** The second thousand is the first in which turns are pruned: what follows is held against it. */
const [first, second, last] = [windows[0], windows[1], windows.at(-1)];
assert(first !== undefined && second !== undefined && last !== undefined, "two windows at least");
console.log("operations per turn");
show("turns 1-1,000", first);
const steady = show("turns 1,001-2,000", second);
const late = show(`turns ${turns - WINDOW + 1}-${turns}`, last);
if (late > steady * 1.01) process.exitCode = 1;
