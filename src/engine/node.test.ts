/**
 * The engine as callers see it: one node and two, over a memory store. Risk: the parts fit, but not together.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { Gate, ScriptedStore } from "../adapters/scripted-store.ts";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import { present } from "../std/assert.ts";
import type { EngineConfig } from "./config.ts";
import type { Engine } from "./engine.ts";
import {
  completionOf,
  failed,
  got,
  instanceWith,
  KEYS,
  leaseOf,
  nodeOver,
  taken,
  V1,
  work,
} from "./example-nodes.ts";

let store: ScriptedStore;
let clock: ManualClock;
let a: Engine;
let b: Engine;

beforeEach(() => {
  store = new ScriptedStore();
  clock = new ManualClock(1_000_000);
  const ids = countedIds("id");
  a = nodeOver(store, clock, ids);
  b = nodeOver(store, clock, ids);
});

describe("the life of an instance", () => {
  it("goes from creation over steps, a failure and a continuation to history", async () => {
    await instanceWith(a, "i-1", "m-1");
    const first = await taken(a);
    expect(first).toMatchObject({
      state: { n: 0 },
      lease_ms: 1_000,
      effect_prefix: expect.stringMatching(/\/1\/m-1$/),
    });
    const step = {
      ...leaseOf(first),
      position: 0,
      key: "charge",
      kind: "step",
      output: { paid: 5 },
    } as const;
    expect((await got(a.checkpoint(step))).steps.length).toBe(1);
    clock.pass(900);
    expect((await got(a.heartbeat(leaseOf(first)))).deadline_ms).toBe(clock.nowMs + 1_000);
    await got(a.fail({ ...leaseOf(first), error: "boom" }));
    expect(await got(a.claim({ worker: "w", workflows: [V1] }))).toBeNull();
    clock.pass(1_000);
    const second = await taken(a);
    expect(second.turn).toMatchObject({ attempt: 2, steps: [{ key: "charge", output: { paid: 5 } }] });
    expect(second.effect_prefix).toBe(first.effect_prefix);
    await got(a.complete({ ...completionOf(second), continuation: { message: "more" } }));
    await work(a, 1);
    const { turns } = await got(a.history({ workflow_id: "i-1" }));
    expect(turns.map((turn) => [turn.number, turn.message_id, turn.status, turn.attempt])).toEqual([
      [1, "m-1", "completed", 2],
      [2, "continue-1", "completed", 1],
    ]);
    await got(a.reconcile());
    const view = await got(a.getInstance("i-1"));
    expect(view).toMatchObject({ status: "idle", state: { n: 2 }, completed_turns: 2, history_through: 2 });
  });

  it("is shown the same by every node", async () => {
    await instanceWith(a, "i-1", "m-1", "m-2");
    await work(b, 1);
    for (const read of [(e: Engine) => e.getInstance("i-1"), (e: Engine) => e.getTurn("i-1", 1)])
      expect(await read(a)).toEqual(await read(b));
    expect(await got(b.getTurn("i-1", 2))).toMatchObject({ status: "queued" });
    expect(await failed(b.getTurn("i-1", 3))).toMatchObject({ kind: "not-found" });
    expect(await failed(a.getInstance("nobody"))).toMatchObject({ kind: "not-found", param: "id" });
  });
});

describe("repeats", () => {
  it("of a creation answer the instance on any node; other content conflicts", async () => {
    await instanceWith(a, "i-1");
    await instanceWith(b, "i-1");
    const other = b.createInstance({ id: "i-1", ...V1, state: 2 });
    expect(await failed(other)).toMatchObject({ kind: "conflict", code: "instance_conflict" });
  });

  it("P9: of a message answer its turn also when it has moved to history; another payload conflicts", async () => {
    await instanceWith(a, "i-1", "m-1", "m-2");
    await work(a, 1);
    await got(a.reconcile());
    expect((await got(b.getInstance("i-1"))).history_through).toBe(1);
    for (const [id, number] of [
      ["m-1", 1],
      ["m-2", 2],
    ] as const) {
      expect(await got(b.sendMessage({ workflow_id: "i-1", id, message: 1 }))).toMatchObject({ number });
      const other = await failed(b.sendMessage({ workflow_id: "i-1", id, message: 2 }));
      expect(other).toMatchObject({ kind: "conflict", code: "message_conflict" });
    }
    expect((await got(a.getInstance("i-1"))).pending_messages).toBe(1);
  });

  it("P18: of a completion answer the same from history; other content conflicts, another token is fenced", async () => {
    await instanceWith(a, "i-1", "m-1");
    const task = await taken(a);
    const done = await got(a.complete(completionOf(task)));
    await got(a.reconcile());
    expect((await got(a.getInstance("i-1"))).history_through).toBe(1);
    expect(await got(b.complete(completionOf(task)))).toEqual(done);
    expect(await failed(b.complete(completionOf(task, 7)))).toMatchObject({ kind: "conflict" });
    const foreign = { ...completionOf(task), token: "foreign" };
    expect(await failed(b.complete(foreign))).toMatchObject({ kind: "fenced", code: "turn_finished" });
    expect(await failed(b.heartbeat(leaseOf(task)))).toMatchObject({ kind: "fenced", code: "turn_finished" });
  });

  it("of calls on an unknown instance are not found and create nothing", async () => {
    const lease = { workflow_id: "nobody", turn: 1, token: "t" };
    const calls = [
      a.sendMessage({ workflow_id: "nobody", id: "m", message: 1 }),
      a.heartbeat(lease),
      a.checkpoint({ ...lease, position: 0, key: "k", kind: "step", output: 1 }),
      a.complete({ ...lease, state: 1 }),
      a.fail({ ...lease, error: "x" }),
    ];
    for (const call of calls) expect(await failed(call)).toMatchObject({ kind: "not-found" });
    expect(store.putKeys).toEqual([]);
  });
});

describe("two nodes on one store", () => {
  it("P7, P12: hand a turn over at the end of a lease, and fence the first holder on both", async () => {
    await instanceWith(a, "i-1", "m-1");
    const first = await taken(a, "w-a");
    expect(await got(b.claim({ worker: "w-b", workflows: [V1] }))).toBeNull();
    clock.pass(1_000);
    const second = await taken(b, "w-b");
    expect(second.token).not.toBe(first.token);
    for (const node of [a, b]) {
      expect(await failed(node.complete(completionOf(first)))).toMatchObject({ kind: "fenced" });
      expect(await failed(node.heartbeat(leaseOf(first)))).toMatchObject({ kind: "fenced" });
    }
    await got(a.complete(completionOf(second)));
    expect((await got(b.getTurn("i-1", 1))).worker).toBe("w-b");
  });

  it.each([false, true])(
    "X2: know at once of what one that stops had not told yet (heads: %s)",
    async (graph_heads) => {
      const still = new VirtualClock();
      const apart = (config: Partial<EngineConfig>) =>
        nodeOver(store, still, countedIds("apart"), {}, { ...config, graph_heads });
      const stopping = apart({ defer_index: true });
      if (graph_heads) await got(stopping.createGraph());
      await instanceWith(stopping, "i-1", "m-1");
      expect(await got(apart({}).claim({ worker: "w-b", workflows: [V1] }))).toBeNull();
      await stopping.flush();
      const writes = store.putKeys.length;
      await stopping.flush();
      expect(store.putKeys.length).toBe(writes);
      expect((await taken(apart({}))).turn.message_id).toBe("m-1");
    },
  );

  it("D2: answer a completion before its turns have moved, and wait for that when they stop", async () => {
    const node = nodeOver(store, clock, countedIds("c"));
    await instanceWith(node, "i-1", "m-1");
    const gate = new Gate();
    store.scripted = (key) => key.includes("/segments/");
    store.puts = [gate.hold];
    await got(node.complete(completionOf(await taken(node))));
    let flushed = false;
    const flushing = node.flush().then(() => {
      flushed = true;
    });
    await new Promise(setImmediate);
    expect(flushed).toBe(false);
    gate.open();
    await flushing;
    const segment = await store.beneath.get(KEYS.segment({ id: "i-1", life: 1 }, 1));
    expect(segment.kind).toBe("ok");
  });

  it("D2: throw what a move threw that nobody waited for at the next call that commits", async () => {
    await instanceWith(a, "i-1", "m-1");
    store.scripted = (key) => key.includes("/segments/");
    store.puts = [() => Promise.reject(new Error("broken"))];
    await work(a, 1);
    await new Promise(setImmediate);
    const next = { workflow_id: "i-1", id: "m-2", message: 2 };
    await expect(a.sendMessage(next)).rejects.toThrow("broken");
    expect(await got(a.sendMessage(next))).toMatchObject({ number: 2 });
  });

  it("D3: wait for the move under way before they move turns whose block is not full", async () => {
    const node = nodeOver(store, clock, countedIds("c"), {}, { history_segment_turns: 5 });
    const messages = Array.from({ length: 15 }, (_, n) => `m-${n + 1}`);
    await instanceWith(node, "i-1", ...messages);
    const gate = new Gate();
    store.scripted = (key) => key.includes("/segments/");
    store.puts = [gate.hold];
    await work(node, 13);
    const blocked = work(node, 1);
    await new Promise(setImmediate);
    gate.open();
    await blocked;
    await node.flush();
    const segments = store.putKeys.filter((key) => key.includes("/segments/"));
    expect(segments).toEqual([1, 6].map((turn) => KEYS.segment({ id: "i-1", life: 1 }, turn)));
  });

  it("P12: give one turn to one of many claims at once", async () => {
    await instanceWith(a, "i-1", "m-1");
    const claims = [a, b, a, b].map((node, n) => got(node.claim({ worker: `w-${n}`, workflows: [V1] })));
    expect((await Promise.all(claims)).filter((task) => task !== null).length).toBe(1);
  });

  it("P1: number concurrent messages without hole or repeat", async () => {
    await instanceWith(a, "i-1");
    const sends = ["a", "b", "c", "d"].map((id, n) =>
      got((n % 2 === 0 ? a : b).sendMessage({ workflow_id: "i-1", id, message: 1 })),
    );
    const numbers = (await Promise.all(sends)).map((turn) => turn.number);
    expect(numbers.sort()).toEqual([1, 2, 3, 4]);
  });
});

describe("what callers hold", () => {
  it("is theirs: changing a request after the call changes nothing that is stored", async () => {
    const state = { list: [1] };
    const message = { list: [1] };
    await got(a.createInstance({ id: "i-1", ...V1, state }));
    await got(a.sendMessage({ workflow_id: "i-1", id: "m", message }));
    state.list.push(2);
    message.list.push(2);
    const task = await taken(a);
    expect([task.state, task.turn.message]).toEqual([{ list: [1] }, { list: [1] }]);
  });

  it("P16: is theirs: a handler that changes its task in place changes no saved state, not even by its next checkpoint", async () => {
    await got(a.createInstance({ id: "i-1", ...V1, state: { list: [1] } }));
    await got(a.sendMessage({ workflow_id: "i-1", id: "m", message: { list: [1] } }));
    const task = await taken(a);
    (task.state as { list: number[] }).list.push(2);
    (task.turn.message as { list: number[] }).list.push(2);
    const step = { ...leaseOf(task), position: 0, key: "k", kind: "step", output: { list: [1] } } as const;
    const saved = await got(a.checkpoint(step));
    (present(saved.steps[0], "a step").output as { list: number[] }).list.push(2);
    (saved.steps as unknown[]).pop();
    await got(a.heartbeat(leaseOf(task)));
    for (const node of [a, nodeOver(store, clock, countedIds("c"))]) {
      const view = await got(node.getInstance("i-1"));
      expect(view.state).toEqual({ list: [1] });
      expect(view.current_turn).toMatchObject({ message: { list: [1] }, steps: [{ output: { list: [1] } }] });
    }
    expect(KEYS.instance("i-1")).toBe(store.putKeys[0]);
  });
});
