/**
 * Requests that are refused before anything is read or written. Risk: a bad value in a document, a truncation, a
 * limit that is off by one.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { ScriptedStore } from "../adapters/scripted-store.ts";
import type { Engine } from "./engine.ts";
import { failed, got, instanceWith, leaseOf, nodeOver, taken, V1 } from "./example-nodes.ts";

let store: ScriptedStore;
let engine: Engine;
let reads: number;

beforeEach(() => {
  store = new ScriptedStore();
  reads = 0;
  const get = store.get.bind(store);
  store.get = (key) => {
    reads += 1;
    return get(key);
  };
  engine = nodeOver(store, new ManualClock(0), countedIds("id"));
});

const KIB = 1024;
const text = (bytes: number) => "x".repeat(bytes - 2);
const NAMES = ["", "x".repeat(129), "a b", "a/b", "é", "a\n", 5, null, undefined];
const lease = { workflow_id: "i-1", turn: 1, token: "t" };
const create = (fields: object) => engine.createInstance({ id: "i-1", ...V1, ...fields } as never);
const send = (fields: object) =>
  engine.sendMessage({ workflow_id: "i-1", id: "m", message: 1, ...fields } as never);
const checkpoint = (fields: object) =>
  engine.checkpoint({ ...lease, position: 0, key: "k", kind: "step", output: 1, ...fields } as never);
const complete = (fields: object) => engine.complete({ ...lease, state: 1, ...fields } as never);
const fail = (fields: object) => engine.fail({ ...lease, error: "x", ...fields } as never);
const claim = (fields: object) => engine.claim({ worker: "w", workflows: [V1], ...fields } as never);

async function refuses(call: Promise<never> | ReturnType<typeof create>, kind: string, param: string | null) {
  expect(await failed(call as ReturnType<typeof create>)).toMatchObject({ kind, param });
  expect([store.putKeys, reads]).toEqual([[], 0]);
}

describe("names", () => {
  it.each(NAMES)("%o is none, in any field, and nothing is read or written", async (name) => {
    const calls: [Promise<never>, string][] = [
      [create({ id: name }) as never, "id"],
      [create({ workflow_type: name }) as never, "workflow_type"],
      [create({ version: name }) as never, "version"],
      [send({ workflow_id: name }) as never, "workflow_id"],
      [send({ id: name }) as never, "id"],
      [claim({ worker: name }) as never, "worker"],
      [claim({ workflows: [V1, { ...V1, version: name }] }) as never, "version"],
      [checkpoint({ key: name }) as never, "key"],
      [complete({ workflow_id: name }) as never, "workflow_id"],
      [engine.heartbeat({ ...lease, workflow_id: name as string }) as never, "workflow_id"],
      [engine.getInstance(name as string) as never, "id"],
      [engine.getTurn(name as string, 1) as never, "id"],
      [engine.history({ workflow_id: name as string }) as never, "workflow_id"],
    ];
    for (const [call, param] of calls) await refuses(call, "invalid", param);
  });

  it.each(["x", "x".repeat(128), "A.z_9-", "..", "__proto__", "constructor"])("%s is one", async (id) => {
    await got(create({ id }));
    await got(send({ workflow_id: id }));
    expect((await taken(engine)).turn.workflow_id).toBe(id);
    expect((await got(engine.getInstance(id))).id).toBe(id);
  });

  it("that begin with continue- are the engine's as message ids", async () => {
    await refuses(send({ id: "continue-1" }) as never, "invalid", "id");
    await instanceWith(engine, "continue-1", "continued");
  });
});

describe("numbers", () => {
  it.each([Number.NaN, 1.5, "1", null, -1, 2 ** 53])(
    "%o is no turn, position, wait or cursor",
    async (value) => {
      const calls: [unknown, string][] = [
        [engine.heartbeat({ ...lease, turn: value as number }), "turn"],
        [engine.getTurn("i-1", value as number), "turn"],
        [checkpoint({ position: value }), "position"],
        [engine.listInstances({ limit: value as number }), "limit"],
        [engine.history({ workflow_id: "i-1", limit: value as number }), "limit"],
      ];
      if (value !== null) calls.push([claim({ wait_ms: value }), "wait_ms"]);
      for (const [call, param] of calls) await refuses(call as never, "invalid", param);
    },
  );

  it("are taken at both ends of their range and refused beyond", async () => {
    const ranges: [(value: number) => unknown, string, number, number][] = [
      [(lease_ms) => create({ lease_ms }), "lease_ms", 1_000, 86_400_000],
      [(max_attempts) => create({ max_attempts }), "max_attempts", 1, 100],
      [(limit) => engine.listInstances({ limit }), "limit", 1, 100],
      [(limit) => engine.history({ workflow_id: "i-1", limit }), "limit", 1, 50],
    ];
    for (const [call, param, min, max] of ranges) {
      for (const value of [min - 1, max + 1]) await refuses(call(value) as never, "invalid", param);
    }
    for (const [call, , min, max] of ranges)
      for (const value of [min, max])
        expect(await (call(value) as Promise<object>)).not.toMatchObject({ error: { kind: "invalid" } });
  });
});

describe("values", () => {
  it("of any JSON are taken up to their limit and refused one byte above, unwritten", async () => {
    const limits: [(value: unknown) => unknown, string, number][] = [
      [(state) => create({ id: "s", state }), "state", 64 * KIB],
      [(message) => send({ message }), "message", 32 * KIB],
      [(output) => checkpoint({ output }), "output", 64 * KIB],
      [(state) => complete({ state }), "state", 64 * KIB],
      [(result) => complete({ result }), "result", 64 * KIB],
      [(message) => complete({ continuation: { message } }), "continuation", 32 * KIB],
    ];
    for (const [call, param, limit] of limits) {
      await refuses(call(text(limit + 1)) as never, "over-limit", param);
      await refuses(call([undefined]) as never, "invalid", param);
      await refuses(call(new Date(0)) as never, "invalid", param);
    }
    for (const [call, , limit] of limits)
      for (const bytes of [limit - 1, limit])
        expect(await (call(text(bytes)) as Promise<object>)).not.toMatchObject({
          error: { kind: "over-limit" },
        });
  });

  it("with a lone surrogate are JSON: they are stored, given back and recognised", async () => {
    const odd = { text: "half \ud83d" };
    for (let n = 0; n < 2; n++) {
      await got(create({ state: odd }));
      await got(send({ message: odd }));
    }
    const task = await taken(engine);
    expect([task.state, task.turn.message]).toEqual([odd, odd]);
    for (let n = 0; n < 2; n++) await got(engine.complete({ ...leaseOf(task), state: odd, result: odd }));
  });

  it("that must be there are: a message, an output, a state", async () => {
    await refuses(send({ message: undefined }) as never, "invalid", "message");
    await refuses(checkpoint({ output: undefined }) as never, "invalid", "output");
    await refuses(complete({ state: undefined }) as never, "invalid", "state");
    for (const continuation of [{}, "x", 5, false, 0])
      await refuses(complete({ continuation }) as never, "invalid", "continuation");
  });
});

describe("the rest", () => {
  it("of a request is checked too: token, kind, error, workflows", async () => {
    for (const token of ["", "x".repeat(129), 1]) await refuses(fail({ token }) as never, "invalid", "token");
    await refuses(checkpoint({ kind: "signal" }) as never, "invalid", "kind");
    await refuses(fail({ error: 1 }) as never, "invalid", "error");
    await refuses(fail({ error: "x".repeat(4_001) }) as never, "over-limit", "error");
    await refuses(claim({ workflows: [] }) as never, "invalid", "workflows");
    for (const workflows of [undefined, null, "x", {}])
      await refuses(claim({ workflows }) as never, "invalid", "workflows");
    for (const entry of [null, "x", 1])
      await refuses(claim({ workflows: [entry] }) as never, "invalid", "workflow_type");
    await refuses(engine.listInstances({ after: "a/b" }) as never, "invalid", "after");
    await refuses(engine.history({ workflow_id: "i-1", after: -1 }) as never, "invalid", "after");
  });

  it("of an error is stored whole up to its limit", async () => {
    await instanceWith(engine, "i-1", "m");
    const task = await taken(engine);
    const turn = await got(engine.fail({ ...leaseOf(task), error: "é".repeat(4_000) }));
    expect(turn.error?.length).toBe(4_000);
  });
});
