/**
 * The budget of a graph (P47 to P49, U1 to U3). Risk: a graph that grows without end, a full one that nobody can work
 * off, a refusal that has an effect, requests that are made for the budget's sake.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { ScriptedStore } from "../adapters/scripted-store.ts";
import { indexCodec } from "../documents/codec.ts";
import { currentBytes } from "../protocol/budget.ts";
import { finished, queued, running } from "../protocol/example-turns.ts";
import type { EngineConfig } from "./config.ts";
import type { EngineNode } from "./engine.ts";
import { completionOf, failed, got, KEYS, leaseOf, nodeOver, taken, V1 } from "./example-nodes.ts";

let store: ScriptedStore;
let clock: ManualClock;

beforeEach(() => {
  store = new ScriptedStore();
  clock = new ManualClock(1_000);
});

/** That of the defaults, which no stored text names. */
const LAYOUT = { history_segment_turns: 32, history_page_turns: 256 };
const nodeWith = (config: Partial<EngineConfig>, name = "id") =>
  nodeOver(store, clock, countedIds(name), {}, { ...LAYOUT, ...config });
const create = (engine: EngineNode, id: string, state: unknown = null) =>
  engine.createInstance({ id, ...V1, state: state as null });
const send = (engine: EngineNode, id: string, message = "x") =>
  engine.sendMessage({ workflow_id: "a", id, message });

/** The failure of a call that must have written nothing. */
async function refusedQuietly(call: () => Parameters<typeof failed>[0]) {
  const writes = store.putKeys.length;
  const failure = await failed(call());
  expect(store.putKeys.length).toBe(writes);
  return failure;
}

/** The bytes that the index counts for an instance. */
async function countedBytes(id: string): Promise<number> {
  const read = await store.get(KEYS.index);
  const index = read.kind === "ok" ? indexCodec.decode(read.body) : null;
  return index?.ok ? (index.value.value.entries.get(id)?.bytes ?? 0) : 0;
}

describe("P47: a creation", () => {
  it("is refused at the limit of instances, with limit, value and remedy; a repeat is answered", async () => {
    const engine = nodeWith({ max_instances: 2 });
    await got(create(engine, "a"));
    await got(create(engine, "b"));
    const full = await refusedQuietly(() => create(engine, "c"));
    expect(full).toMatchObject({ kind: "over-limit", code: "graph_full" });
    expect(full.message).toContain("has 2 instances, the limit is 2; delete some");
    await got(create(engine, "a"));
  });

  it("is refused when its bytes would pass the budget, and taken when they just fit", async () => {
    const probe = nodeWith({});
    await got(create(probe, "a", "x".repeat(100)));
    const each = await countedBytes("a");
    const name = { id: "b", state: "x".repeat(100) };
    /** The smallest budget of which so much is open to new work. */
    const budgetFor = (open: number) => {
      let max = open;
      while (max - Math.floor(max / 16) < open) max++;
      return { max_state_bytes: max };
    };
    const tight = nodeWith(budgetFor(2 * each - 1), "it");
    await tight.reconcile();
    expect(await refusedQuietly(() => create(tight, name.id, name.state))).toMatchObject({
      code: "graph_full",
    });
    const fits = nodeWith(budgetFor(2 * each), "iu");
    await fits.reconcile();
    await got(create(fits, name.id, name.state));
  });

  it("is refused to the starter of a child, and the parent goes on", async () => {
    const engine = nodeWith({ max_instances: 1 });
    await got(create(engine, "a"));
    await got(send(engine, "m"));
    const task = await taken(engine);
    const child = { ...leaseOf(task), position: 0, key: "k", ...V1, message: 1, timeout_ms: 1_000 };
    expect(await refusedQuietly(() => engine.startChild(child))).toMatchObject({ code: "graph_full" });
    await got(engine.complete(completionOf(task)));
  });
});

describe("P48: in a full graph", () => {
  /** An instance with a running turn, on a node whose graph is full. */
  async function full() {
    const roomy = nodeWith({});
    await got(create(roomy, "a"));
    await got(send(roomy, "m"));
    const task = await taken(roomy);
    const lease = leaseOf(task);
    await got(roomy.operation({ ...lease, position: 0, key: "k", kind: "step" }));
    await got(roomy.signal({ workflow_id: "a", turn: 1, id: "s", name: "go", value: 1 }));
    const engine = nodeWith({ max_state_bytes: 1 }, "it");
    await engine.reconcile();
    return { engine, task, lease };
  }

  it("what brings content in is refused, and its repeats are answered", async () => {
    const { engine, lease } = await full();
    const place = { ...lease, position: 0, key: "k" };
    const refused = { kind: "over-limit", code: "graph_full" };
    for (const call of [
      () => send(engine, "m-2"),
      () => engine.signal({ workflow_id: "a", turn: 1, id: "s-2", name: "go", value: 1 }),
      () => engine.progress({ ...lease, key: "k", sequence: 1, details: 1, checkpoint: 1 }),
      () => engine.checkpoint({ ...place, kind: "step", output: 1 }),
      () => engine.requeue({ ...lease, key: "q", instances: [{ instance: "x", error: "y" }] }),
    ])
      expect(await refusedQuietly(call)).toMatchObject(refused);
    await got(send(engine, "m"));
    await got(engine.signal({ workflow_id: "a", turn: 1, id: "s", name: "go", value: 1 }));
  });

  it("what new work may not fill is open to the steps of the work that is there", async () => {
    const { task, lease } = await full();
    const used = await countedBytes("a");
    const engine = nodeWith({ max_state_bytes: used + 1 }, "iu");
    await engine.reconcile();
    expect(await refusedQuietly(() => send(engine, "m-2"))).toMatchObject({ code: "graph_full" });
    await got(engine.progress({ ...lease, key: "k", sequence: 1, details: 1, checkpoint: 1 }));
    await got(engine.checkpoint({ ...lease, position: 0, key: "k", kind: "step", output: 1 }));
    await got(engine.complete(completionOf(task)));
    await got(send(engine, "m-2"));
  });

  it("work goes on to its end: renewals, sleeps, failures, controls, claims and completions are taken", async () => {
    const { engine, lease } = await full();
    await got(engine.heartbeat(lease));
    await got(engine.fail({ ...lease, error: "x" }));
    await got(engine.control({ workflow_id: "a", action: "pause" }));
    await got(engine.control({ workflow_id: "a", action: "resume" }));
    clock.pass(2_000);
    const again = await taken(engine);
    await got(engine.checkpoint({ ...leaseOf(again), position: 0, key: "z", kind: "sleep", delay_ms: 0 }));
    await got(engine.complete(completionOf(await taken(engine))));
  });
});

describe("P49", () => {
  it("finished turns do not count, so a graph is worked off", async () => {
    expect(currentBytes(finished)).toBeLessThan(currentBytes(running));
    expect(currentBytes({ ...queued(), turns: [] })).toBeLessThan(currentBytes(queued()));
    const engine = nodeWith({});
    await got(create(engine, "a"));
    const empty = await countedBytes("a");
    await got(send(engine, "m", "x".repeat(10_000)));
    expect(await countedBytes("a")).toBeGreaterThan(empty + 10_000);
    await got(engine.complete(completionOf(await taken(engine), "s")));
    expect(await countedBytes("a")).toBeLessThan(empty + 500);
  });
});

describe("what a node knows", () => {
  it("U1, U2: costs no request while the graph is less than half full", async () => {
    const engine = nodeWith({ max_instances: 5 });
    let reads = 0;
    const get = store.get.bind(store);
    store.get = (key) => {
      reads += key === KEYS.index ? 1 : 0;
      return get(key);
    };
    await got(create(engine, "a"));
    expect(reads).toBe(1); // of the update of the index itself
    clock.pass(60_000);
    for (const id of ["m-1", "m-2", "m-3"]) await got(send(engine, id));
    expect(reads).toBe(1); // the node remembers the index that it wrote
  });

  it("U1: is read again from half on, so that others' creations count", async () => {
    const [one, other] = [nodeWith({ max_instances: 2 }), nodeWith({ max_instances: 2 }, "it")];
    await got(create(one, "a"));
    await got(create(other, "b"));
    clock.pass(1_000);
    expect(await failed(create(one, "c"))).toMatchObject({ code: "graph_full" });
  });
});
