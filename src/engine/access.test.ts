/**
 * Who may do what with reserved types and ids (A1 to A5). Risk: a stranger's worker that gets the operator's work, a
 * write that slips in by a call that forgot to ask, a refusal that has an effect.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { ScriptedStore } from "../adapters/scripted-store.ts";
import type { Caller } from "../vocabulary/caller.ts";
import type { Task } from "../vocabulary/view.ts";
import { DEFAULT_CONFIG } from "./config.ts";
import type { Engine, EngineNode } from "./engine.ts";
import { completionOf, failed, got, KEYS, leaseOf, nodeOver, V1 } from "./example-nodes.ts";

const OWN = { workflow_type: "lbb.documents.parse", version: "v1" };
const REFUSED = { kind: "forbidden", code: "reserved_workflow_type" };
const OTHERS: readonly Caller[] = ["person", "key"];

let store: ScriptedStore;
let clock: ManualClock;
let node: EngineNode;
let own: Engine;

beforeEach(() => {
  store = new ScriptedStore();
  clock = new ManualClock(1_000);
  node = nodeOver(store, clock, countedIds("id"));
  own = node.as("own");
});

/** A running turn of a reserved instance. */
async function reserved(): Promise<Task> {
  await got(own.createInstance({ id: "r", ...OWN }));
  await got(own.sendMessage({ workflow_id: "r", id: "m", message: 1 }));
  const task = await got(own.claim({ worker: "w", workflows: [OWN] }));
  if (task === null) throw new Error("no task");
  return task;
}

/** Every write of a worker to its turn. */
function writesOf(engine: Engine, task: Task) {
  const lease = leaseOf(task);
  const place = { ...lease, position: 0, key: "k" };
  return {
    heartbeat: () => engine.heartbeat(lease),
    operation: () => engine.operation({ ...place, kind: "step" }),
    progress: () => engine.progress({ ...lease, key: "k", sequence: 1, details: 1, checkpoint: 1 }),
    requeue: () => engine.requeue({ ...lease, key: "q", instances: [{ instance: "x", error: "y" }] }),
    migrate: () => engine.migrate({ ...lease, from: "v0", to: "v1", state: 1 }),
    startChild: () => engine.startChild({ ...place, ...V1, message: 1, timeout_ms: 1_000 }),
    waitSignal: () => engine.waitSignal({ ...place, name: "go", timeout_ms: 1_000 }),
    checkpoint: () => engine.checkpoint({ ...place, kind: "step", output: 1 }),
    fail: () => engine.fail({ ...lease, error: "x" }),
    complete: () => engine.complete(completionOf(task)),
  };
}

/** The failure of a call that must have written nothing. */
async function refusedQuietly(call: () => Parameters<typeof failed>[0]) {
  const writes = store.putKeys.length;
  const failure = await failed(call());
  expect(store.putKeys.length).toBe(writes);
  return failure;
}

describe.each(OTHERS)("a %s", (caller) => {
  it("A1: creates neither an instance of a reserved type nor one with a reserved id", async () => {
    const engine = node.as(caller);
    const typed = await refusedQuietly(() => engine.createInstance({ id: "i", ...OWN }));
    expect(typed).toMatchObject({ ...REFUSED, param: "workflow_type" });
    for (const id of DEFAULT_CONFIG.reserved_ids)
      for (const type of [V1, OWN])
        expect(await refusedQuietly(() => engine.createInstance({ id, ...type }))).toMatchObject({
          kind: "forbidden",
          code: "reserved_workflow_id",
          param: "id",
        });
    await got(engine.createInstance({ id: "i", ...V1, workflow_type: "lbb" }));
  });

  it("A2: is refused a claim whole when it names a reserved type", async () => {
    const engine = node.as(caller);
    await got(engine.createInstance({ id: "i", ...V1 }));
    await got(engine.sendMessage({ workflow_id: "i", id: "m", message: 1 }));
    const both = { worker: "w", workflows: [V1, OWN] };
    expect(await refusedQuietly(() => engine.claim(both))).toMatchObject({ ...REFUSED, param: "workflows" });
    expect(await got(engine.claim({ worker: "w", workflows: [V1] }))).not.toBeNull();
  });

  it("A3: writes to no turn of a reserved instance, not even with its token", async () => {
    const task = await reserved();
    for (const call of Object.values(writesOf(node.as(caller), task)))
      expect(await refusedQuietly(call)).toMatchObject(REFUSED);
    expect(await got(own.complete(completionOf(task)))).toMatchObject({ status: "completed" });
    expect(await refusedQuietly(writesOf(node.as(caller), task).complete)).toMatchObject(REFUSED);
  });

  it("A1: starts no child of a reserved type", async () => {
    const engine = node.as(caller);
    await got(engine.createInstance({ id: "i", ...V1 }));
    await got(engine.sendMessage({ workflow_id: "i", id: "m", message: 1 }));
    const task = await got(engine.claim({ worker: "w", workflows: [V1] }));
    if (task === null) throw new Error("no task");
    const child = { ...leaseOf(task), position: 0, key: "k", ...OWN, message: 1, timeout_ms: 1_000 };
    expect(await refusedQuietly(() => engine.startChild(child))).toMatchObject(REFUSED);
  });

  it("A5: reads everything", async () => {
    await reserved();
    const engine = node.as(caller);
    expect((await got(engine.getInstance("r"))).workflow_type).toBe(OWN.workflow_type);
    expect((await got(engine.getTurn("r", 1))).status).toBe("running");
    expect((await got(engine.listInstances({}))).instances).toHaveLength(1);
    expect((await got(engine.inbox({ workflow_id: "r" }))).entries).toHaveLength(1);
    expect((await got(engine.typeInbox({ workflow_type: OWN.workflow_type }))).instances).toHaveLength(1);
    expect((await got(engine.history({ workflow_id: "r" }))).turns).toEqual([]);
  });
});

describe("A4: of a reserved instance", () => {
  const managing = (engine: Engine) => [
    () => engine.sendMessage({ workflow_id: "r", id: "m-2", message: 1 }),
    () => engine.signal({ workflow_id: "r", turn: 1, id: "s", name: "go", value: 1 }),
    () => engine.control({ workflow_id: "r", action: "pause" }),
    () => engine.control({ workflow_id: "r", action: "resume" }),
    () => engine.control({ workflow_id: "r", action: "cancel_turn", turn: 1 }),
  ];

  it("a person sends to it, signals and controls it", async () => {
    await reserved();
    for (const call of managing(node.as("person"))) await got<unknown>(call());
  });

  it("a key does none of it, and that is what a node is for when nobody says more", async () => {
    await reserved();
    for (const engine of [node, node.as("key")])
      for (const call of managing(engine)) expect(await refusedQuietly(call)).toMatchObject(REFUSED);
  });
});

describe("the operator's own worker", () => {
  it("A1 to A3: does everything, with reserved ids too", async () => {
    await got(own.createInstance({ id: "calibration", ...OWN }));
    const task = await reserved();
    await got(own.heartbeat(leaseOf(task)));
    await got(own.complete(completionOf(task)));
  });

  it("is told of the end of a child whose worker is a stranger: the reply is nobody's call", async () => {
    const task = await reserved();
    const child = { ...leaseOf(task), position: 0, key: "k", ...V1, message: 1, timeout_ms: 60_000 };
    await got(own.startChild(child));
    const work = await got(node.claim({ worker: "w", workflows: [V1] }));
    if (work === null) throw new Error("no task");
    await got(node.complete(completionOf(work)));
    expect((await got(own.getTurn("r", 1))).steps[0]).toMatchObject({ output: { received: true } });
  });
});

describe("the configuration", () => {
  it("names the prefix and the ids; an empty prefix reserves nothing", async () => {
    const other = nodeOver(
      store,
      clock,
      countedIds("n"),
      {},
      { reserved_prefix: "", reserved_ids: ["mine"] },
    );
    await got(other.createInstance({ id: "calibration", ...OWN }));
    expect(await failed(other.createInstance({ id: "mine", ...V1 }))).toMatchObject({
      code: "reserved_workflow_id",
    });
    expect(store.putKeys).toContain(KEYS.instance("calibration"));
  });
});
