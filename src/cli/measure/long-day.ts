/**
 * Measures what a node keeps in memory over a long time: 1,000 instances, 24 hours that pass as fast as they can.
 *
 *   node dist/src/cli/measure/long-day.js [hours]      default 24
 *
 * Each instance gets a message every seven to thirteen minutes, so that their histories are not all of one length. A tenth
 * of the turns sleep five minutes before they end. The node keeps few turns, so that the store's growth, too, has an end.
 *
 * Prints after every hour the heap of this process (after a collection), what of it the bodies of the store's objects are,
 * and the rest, which is the node's and the program's. Ends with exit code 1 when the rest is more than a tenth larger in
 * the last quarter of the time than in the second. No time is measured. Not part of the `baton` command.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { countedIds, LOWEST } from "../../adapters/manual-ports.ts";
import { MemoryStore } from "../../adapters/memory-store.ts";
import { VirtualClock } from "../../adapters/virtual-clock.ts";
import { createNode, DEFAULT_CONFIG, type Engine, type Failure } from "../../index.ts";
import { SILENT } from "../../ports/index.ts";
import { assert } from "../../std/assert.ts";
import type { Result } from "../../std/result.ts";

const INSTANCES = 1_000;
const HOUR_S = 3_600;
const SWEEP_EVERY_S = 30;
const NAP_MS = 300_000;
/** Seconds between two messages of an instance: from the first to the sum of both. */
const [LEAST_S, SPREAD_S] = [420, 360];
const WORKFLOW = { workflow_type: "counter", version: "v1" };
const MIB = 1_048_576;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void; // The engine's own function, which has no type.

class Day {
  readonly #clock = new VirtualClock(1_700_000_000_000);
  readonly #store = new MemoryStore();
  readonly #node: Engine;
  #sent = 0;
  #completed = 0;

  constructor() {
    const ports = { store: this.#store, clock: this.#clock, ids: countedIds("id"), trace: SILENT };
    const keep = { history_keep_turns: 4, history_keep_ms: HOUR_S * 1_000 };
    this.#node = createNode({ ...ports, random: LOWEST }, { ...DEFAULT_CONFIG, ...keep });
  }

  async begin(): Promise<void> {
    for (let n = 0; n < INSTANCES; n++)
      await this.#got(this.#node.createInstance({ id: `i-${n}`, ...WORKFLOW, state: { turns: 0 } }));
  }

  async second(second: number): Promise<void> {
    await this.#clock.pass(1_000);
    for (let n = 0; n < INSTANCES; n++) {
      if (second % (LEAST_S + Math.floor((n * SPREAD_S) / INSTANCES)) !== n % LEAST_S) continue;
      const id = `message-${++this.#sent}`;
      await this.#got(this.#node.sendMessage({ workflow_id: `i-${n}`, id, message: { add: 1 } }));
    }
    while (await this.#turn());
    if (second % SWEEP_EVERY_S === 0) await this.#got(this.#node.reconcile());
  }

  /** Whether there was one to do. */
  async #turn(): Promise<boolean> {
    const task = await this.#got(this.#node.claim({ worker: "w", workflows: [WORKFLOW] }));
    if (task === null) return false;
    const { workflow_id, number, steps } = task.turn;
    const lease = { workflow_id, turn: number, token: task.token };
    if (steps.length === 0) {
      const naps = this.#completed % 10 === 0;
      const step = { ...lease, position: 0, key: "add" };
      const kind = naps ? { kind: "sleep" as const, delay_ms: NAP_MS } : { kind: "step" as const, output: 1 };
      await this.#got(this.#node.checkpoint({ ...step, ...kind }));
      this.#completed += 1;
      if (naps) return true;
    }
    await this.#got(this.#node.complete({ ...lease, state: { turns: number }, result: number }));
    return true;
  }

  async #got<T>(reply: Promise<Result<T, Failure>>): Promise<T> {
    const result = await this.#clock.until(reply);
    assert(result.ok, `a success, not ${JSON.stringify(result)}`);
    return result.value;
  }

  /** MiB of the heap that are not bodies of the store. */
  async report(hour: number): Promise<number> {
    collect();
    const heap = process.memoryUsage().heapUsed / MIB;
    const { objects, bytes } = await this.#stored();
    const rest = heap - bytes / MIB;
    const [total, store, others] = [heap, bytes / MIB, rest].map((mib) =>
      `${mib.toFixed(1)} MiB`.padStart(10),
    );
    const turns = String(this.#completed).padStart(6);
    console.log(
      `hour ${String(hour).padStart(3)}  turns ${turns}  heap${total}  store${store} (${objects} objects)  rest${others}`,
    );
    return rest;
  }

  async #stored(): Promise<{ readonly objects: number; readonly bytes: number }> {
    let [objects, bytes] = [0, 0];
    for (let cursor: string | null = null; ; ) {
      const page = await this.#store.list({ prefix: "", limit: 1_000, cursor });
      assert(page.kind === "ok", "a store in memory lists");
      for (const { key } of page.entries) {
        const object = await this.#store.get(key);
        objects += 1;
        bytes += object.kind === "ok" ? object.body.length : 0;
      }
      cursor = page.next;
      if (cursor === null) return { objects, bytes };
    }
  }
}

const hours = Math.max(8, Number(process.argv[2] ?? 24));
const day = new Day();
await day.begin();
const rests = [await day.report(0)];
for (let hour = 1; hour <= hours; hour++) {
  for (let second = 0; second < HOUR_S; second++) await day.second((hour - 1) * HOUR_S + second);
  rests.push(await day.report(hour));
}
/** The largest of the quarter that begins after so many quarters. */
const most = (quarter: number): number =>
  Math.max(...rests.slice((rests.length * quarter) / 4, (rests.length * (quarter + 1)) / 4));
if (most(3) > most(1) * 1.1) process.exitCode = 1;
