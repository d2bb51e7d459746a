/**
 * The lives of a graph. Risk: something of a deleted graph is seen in the next one, a node that has not noticed goes on
 * serving it, a deletion that dies half-way keeps the graph from coming back (catalogue B31, B49, B77).
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import { preceded, ScriptedStore } from "../adapters/scripted-store.ts";
import { atEveryStop } from "../adapters/stopping-store.ts";
import { Keys } from "../documents/keys.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import { DEFAULT_CONFIG } from "./config.ts";
import type { EngineNode } from "./engine.ts";
import {
  completionOf,
  failed,
  got,
  instanceWith,
  leaseOf,
  nodeOver,
  taken,
  V1,
  work,
} from "./example-nodes.ts";

const ID = { workflow_id: "i-1" };
const HEADS = { graph_heads: true };
const T0 = 1_000_000;

let store: ScriptedStore;
let clock: ManualClock;
let a: EngineNode;
let b: EngineNode;

function node(over: ObjectStore, time: Clock, ids: Ids): EngineNode {
  return nodeOver(over, time, ids, {}, HEADS);
}

/** What is left of an epoch, apart from its index. */
async function leftOf(of: ObjectStore, epoch: number): Promise<readonly string[]> {
  const { instances } = new Keys({ ...DEFAULT_CONFIG, epoch });
  const root = instances.slice(0, -"state/instances/".length);
  const listed = await of.list({ prefix: root, cursor: null, limit: 1_000 });
  const keys = listed.kind === "ok" ? listed.entries.map(({ key }) => key) : [];
  const left: string[] = [];
  for (const key of keys) {
    const read = await of.get(key);
    const body = read.kind === "ok" ? read.body : "";
    if (!key.endsWith("state/index.json") && !body.includes("baton.tombstone.v1")) left.push(key);
    if (body.includes("baton.tombstone.v1") && !body.includes('"erased":true')) left.push(key);
  }
  return left;
}

beforeEach(() => {
  store = new ScriptedStore();
  clock = new ManualClock(T0);
  a = node(store, clock, countedIds("a"));
  b = node(store, clock, countedIds("b"));
});

describe("a graph", () => {
  it("is not there before it is created, and fixed when the node is told so", async () => {
    expect(await failed(a.getInstance("i-1"))).toMatchObject({ code: "graph_not_found" });
    expect(await failed(a.createInstance({ id: "i-1", ...V1 }))).toMatchObject({ code: "graph_not_found" });
    expect(await got(a.deleteGraph())).toEqual({ deleted: false });
    expect(await got(a.reconcile())).toMatchObject({ instances: 0 });
    const fixed = nodeOver(store, clock, countedIds("f"));
    for (const reply of [fixed.beginGraph(), fixed.createGraph(), fixed.deleteGraph()])
      expect(await failed(reply)).toMatchObject({ code: "graph_fixed" });
  });

  it("P117: is begun by a node that starts, unless it was deleted", async () => {
    expect([await got(a.beginGraph()), await got(b.beginGraph())]).toEqual([true, true]);
    await instanceWith(b, "i-1");
    expect(await got(a.createGraph())).toEqual({ epoch: 1, created: false });
    await got(a.deleteGraph());
    expect(await got(b.beginGraph())).toBe(false);
    expect(await failed(b.getInstance("i-1"))).toMatchObject({ code: "graph_not_found" });
    expect(await got(b.createGraph())).toEqual({ epoch: 2, created: true });
    expect(await got(a.beginGraph())).toBe(true);
  });

  it("P94: begins anew after its deletion: no instance, no turn, no effect id of the old one", async () => {
    expect(await got(a.createGraph())).toEqual({ epoch: 1, created: true });
    expect(await got(b.createGraph())).toEqual({ epoch: 1, created: false });
    await instanceWith(a, "i-1", "m-1", "m-2");
    await instanceWith(a, "i-2");
    await work(a, 1);
    const old = await taken(b);
    expect(await got(b.deleteGraph())).toEqual({ deleted: true });
    expect(await got(b.deleteGraph())).toEqual({ deleted: false });
    expect(await leftOf(store.beneath, 1)).toEqual([]);
    expect(await failed(b.getInstance("i-1"))).toMatchObject({ code: "graph_not_found" });
    expect(await got(a.createGraph())).toEqual({ epoch: 2, created: true });
    expect((await got(a.listInstances({}))).instances).toEqual([]);
    await instanceWith(a, "i-1", "m-1");
    const task = await taken(a);
    expect(task.turn.number).toBe(1);
    expect(task.effect_prefix).not.toBe(old.effect_prefix);
    expect((await failed(a.heartbeat({ ...leaseOf(old), turn: 1 }))).kind).toBe("fenced");
    await got(a.complete(completionOf(task)));
  });

  it("P95: a node that has not noticed is refused, and notices within its poll interval", async () => {
    await got(a.createGraph());
    await instanceWith(a, "i-1", "m-1");
    expect((await got(b.listInstances({}))).instances.length).toBe(1);
    await got(a.deleteGraph());
    await got(a.createGraph());
    await instanceWith(a, "i-1");
    expect((await failed(b.sendMessage({ ...ID, id: "m-2", message: 1 }))).kind).toBe("not-found");
    clock.pass(DEFAULT_CONFIG.poll_ms);
    expect(await got(b.getInstance("i-1"))).toMatchObject({ pending_messages: 0 });
  });

  it("P97: a creation that comes after the tombstones is taken back", async () => {
    await got(a.createGraph());
    await got(b.listInstances({}));
    store.scripted = (key) => key.endsWith("/i-1.json");
    const other = node(store.beneath, clock, countedIds("c"));
    store.puts = [
      preceded(async () => {
        await other.deleteGraph();
        await other.createGraph();
      }),
    ];
    expect(await failed(b.createInstance({ id: "i-1", ...V1 }))).toMatchObject({ code: "graph_not_found" });
    expect(await leftOf(store.beneath, 1)).toEqual([]);
    expect(await failed(a.getInstance("i-1"))).toMatchObject({ kind: "not-found" });
  });
});

describe("a deletion of a graph that stops anywhere", () => {
  it("P96: is finished by the next node, and then the graph can be created again", async () => {
    const stops = await atEveryStop(
      async () => {
        const memory = new MemoryStore();
        const ids = countedIds("id");
        const first = node(memory, new ManualClock(T0), ids);
        await got(first.createGraph());
        await instanceWith(first, "i-1", "m-1", "m-2");
        await instanceWith(first, "i-2", "n-1");
        await work(first, 2);
        return { scene: { memory, ids }, store: memory };
      },
      (stopping, { ids }) => node(stopping, new ManualClock(T0), ids).deleteGraph(),
      async ({ memory, ids }, requests) => {
        const other = node(memory, new ManualClock(T0), ids);
        const swept = requests % 2 === 0;
        if (swept) await got(other.reconcile());
        const { epoch, created } = await got(other.createGraph());
        if (!created) {
          expect((await got(other.listInstances({}))).instances.length).toBe(2);
          return;
        }
        expect(epoch).toBe(2);
        expect(await leftOf(memory, 1)).toEqual([]);
        expect((await got(other.listInstances({}))).instances).toEqual([]);
        await instanceWith(other, "i-1", "m-1");
        await work(other, 1);
      },
    );
    expect(stops).toBeGreaterThan(20);
  });
});
