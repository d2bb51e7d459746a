/**
 * Requeue, migration and children through nodes that stop. Risk: a second message, half a migration, a second child or a
 * lost reply, because a node stopped between two of its requests to the store.
 *
 * Each operation is run by a node whose store is cut off at its k-th request, for every k, once before the request had
 * its effect and once after it; then other nodes finish the work.
 */
import { describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import type { Result } from "../std/result.ts";
import { blobReference } from "../vocabulary/blob.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { Task } from "../vocabulary/view.ts";
import type { Engine } from "./engine.ts";
import { completionOf, failed, got, instanceWith, leaseOf, nodeOver, taken, V1 } from "./example-nodes.ts";

const V2 = { workflow_type: "counter", version: "v2", migrates_from: ["v1"] };
const CHILD = { workflow_type: "parcel", version: "v1" };
const LOST = { kind: "unknown-outcome", detail: "cut off" } as const;

/** A store that answers nothing from its k-th request on, which still has its effect when `last` says so. */
class CutStore implements ObjectStore {
  requests = 0;
  readonly #store: ObjectStore;
  readonly #cutAt: number;
  readonly #last: boolean;

  constructor(store: ObjectStore, cutAt: number, last: boolean) {
    this.#store = store;
    this.#cutAt = cutAt;
    this.#last = last;
  }

  async #through<T>(send: () => Promise<T>): Promise<T | typeof LOST> {
    this.requests += 1;
    if (this.requests < this.#cutAt) return send();
    if (this.requests === this.#cutAt && this.#last) await send();
    return LOST;
  }

  get(key: string) {
    return this.#through(() => this.#store.get(key));
  }
  put(...[key, body, condition]: Parameters<ObjectStore["put"]>) {
    return this.#through(() => this.#store.put(key, body, condition));
  }
  delete(...[key, condition]: Parameters<ObjectStore["delete"]>) {
    return this.#through(() => this.#store.delete(key, condition));
  }
  list(...[request]: Parameters<ObjectStore["list"]>) {
    return this.#through(() => this.#store.list(request));
  }
}

/** A store with one instance whose turn is claimed, seen through a sound node. */
async function bench() {
  const store = new MemoryStore();
  const clock = new ManualClock(1_000_000);
  const ids = countedIds("id");
  const node = nodeOver(store, clock, ids);
  await instanceWith(node, "i-1", "m-1");
  const cut = (cutAt: number, last: boolean) => {
    const limited = new CutStore(store, cutAt, last);
    return { limited, node: nodeOver(limited, new ManualClock(clock.nowMs), ids) };
  };
  return { store, clock, node, cut };
}
type Bench = Awaited<ReturnType<typeof bench>>;

/** Runs the operation with every cut; `finish` is what others do afterwards, and says what must be true. */
async function everyCut(
  prepare: (on: Bench) => Promise<Task>,
  operate: (node: Engine, task: Task) => Promise<Result<unknown, Failure>>,
  finish: (on: Bench, task: Task, answered: boolean) => Promise<void>,
): Promise<number> {
  let cuts = 0;
  for (const last of [false, true])
    for (let cutAt = 1; ; cutAt++) {
      const on = await bench();
      const task = await prepare(on);
      const { limited, node } = on.cut(cutAt, last);
      const reply = await operate(node, task);
      if (!reply.ok) expect(["unknown-outcome", "unavailable"]).toContain(reply.error.kind);
      await finish(on, task, reply.ok);
      if (limited.requests < cutAt) break;
      cuts++;
    }
  return cuts;
}

const claimFor = async (node: Engine, workflows: readonly (typeof V1 | typeof V2)[]) => {
  const task = await got(node.claim({ worker: "w", workflows, wait_ms: 2_000 }));
  if (task === null) throw new Error("nothing to claim");
  return task;
};

/** The lease is over, and the node's copy of the index as well. */
const laterBy = (on: Bench, ms: number) => on.clock.pass(ms);

describe("a turn that sends back what it could not do", () => {
  const FAILED = [{ instance: "urn:a", error: "refused" }];
  const requeue = (node: Engine, task: Task) =>
    node.requeue({ ...leaseOf(task), key: "requeue", instances: FAILED });

  it("P60: makes one message, wherever its node stops; the next attempt finds it or makes it", async () => {
    const cuts = await everyCut(
      ({ node }) => taken(node),
      requeue,
      async (on, _task, answered) => {
        laterBy(on, 5_000);
        const again = await taken(on.node);
        const before = (await got(on.node.getInstance("i-1"))).pending_messages;
        if (answered) expect(before).toBe(2);
        const view = await got(requeue(on.node, again));
        expect(view).toMatchObject({ message_id: "requeue-1-requeue", attempt: 1 });
        await got(on.node.complete(completionOf(again)));
        expect(await got(on.node.getInstance("i-1"))).toMatchObject({
          status: "waiting",
          pending_messages: 1,
        });
        laterBy(on, 60_000);
        const second = await taken(on.node);
        expect(second.turn).toMatchObject({
          number: 2,
          message: { requeue: FAILED },
          origin: { attempt: 1 },
        });
      },
    );
    expect(cuts).toBeGreaterThanOrEqual(4);
  });

  it("writes nothing when it gives up or is refused", async () => {
    const on = await bench();
    await got(
      on.node.sendMessage({
        workflow_id: "i-1",
        id: "m-2",
        message: 2,
        origin: { kind: "requeue", attempt: 3 },
      }),
    );
    await got(on.node.complete(completionOf(await taken(on.node))));
    const task = await taken(on.node);
    const { sequence } = await got(on.node.getInstance("i-1"));
    const given = await got(requeue(on.node, task));
    expect(given).toMatchObject({ attempt: 4, due_at_ms: null });
    expect((await failed(requeue(on.node, { ...task, token: "other" }))).kind).toBe("fenced");
    const long = { ...leaseOf(task), key: "k".repeat(128), instances: FAILED };
    expect((await failed(on.node.requeue(long))).code).toBe("invalid_name");
    const none = { ...leaseOf(task), key: "k", instances: [] };
    expect((await failed(on.node.requeue(none))).code).toBe("invalid_instances");
    const large = { ...leaseOf(task), key: "k", instances: FAILED, message: "x".repeat(33_000) };
    expect((await failed(on.node.requeue(large))).code).toBe("value_too_large");
    expect((await got(on.node.getInstance("i-1"))).sequence).toBe(sequence);
  });

  it("keeps the id of its messages to itself", async () => {
    const { node } = await bench();
    const forged = node.sendMessage({ workflow_id: "i-1", id: "requeue-1-x", message: 1 });
    expect((await failed(forged)).code).toBe("reserved_message_id");
  });
});

describe("a migration", () => {
  const migrate = (node: Engine, task: Task) =>
    node.migrate({ ...leaseOf(task), from: "v1", to: "v2", state: { total: 0 } });

  it("P65: has happened whole or not at all, wherever its node stops, and is then finished by the next worker", async () => {
    const cuts = await everyCut(
      ({ node }) => claimFor(node, [V2]),
      migrate,
      async (on, _task, answered) => {
        const seen = await got(on.node.getInstance("i-1"));
        if (answered) expect(seen.version).toBe("v2");
        expect(seen.state).toEqual(seen.version === "v2" ? { total: 0 } : { n: 0 });
        laterBy(on, 5_000);
        const again = await claimFor(on.node, [V2]);
        expect(again.migration).toEqual(seen.version === "v2" ? null : { from: "v1", to: "v2" });
        if (again.migration !== null) await got(migrate(on.node, again));
        const turn = await got(on.node.complete(completionOf(again, { total: 1 })));
        expect(turn.migrations).toMatchObject([{ from: "v1", to: "v2" }]);
        await got(on.node.sendMessage({ workflow_id: "i-1", id: "m-2", message: 2 }));
        laterBy(on, 2_000);
        expect(await got(on.node.claim({ worker: "old", workflows: [V1], wait_ms: 2_000 }))).toBeNull();
        expect((await claimFor(on.node, [V2])).migration).toBeNull();
      },
    );
    expect(cuts).toBeGreaterThanOrEqual(4);
  });

  it("writes nothing when it is refused", async () => {
    const { node } = await bench();
    const task = await claimFor(node, [V2]);
    const { sequence } = await got(node.getInstance("i-1"));
    const wrong = { ...leaseOf(task), from: "v0", to: "v2", state: 1 };
    expect((await failed(node.migrate(wrong))).code).toBe("no_migration");
    expect((await failed(node.complete(completionOf(task)))).code).toBe("migration_pending");
    expect((await failed(node.migrate({ ...wrong, to: "a b" }))).code).toBe("invalid_name");
    expect((await failed(node.migrate({ ...wrong, from: "v1", state: "x".repeat(70_000) }))).code).toBe(
      "value_too_large",
    );
    const many = { ...V2, migrates_from: Array(33).fill("v1") };
    expect((await failed(node.claim({ worker: "w", workflows: [many] }))).code).toBe("invalid_migrates_from");
    expect((await got(node.getInstance("i-1"))).sequence).toBe(sequence);
  });
});

describe("a child", () => {
  const start = (node: Engine, task: Task) =>
    node.startChild({
      ...leaseOf(task),
      position: 0,
      key: "ship",
      ...CHILD,
      message: { parcel: 1 },
      timeout_ms: 600_000,
    });
  const children = async (node: Engine) =>
    (await got(node.listInstances({}))).instances.filter(({ id }) => id.startsWith("child-"));

  /** The parent's turn has suspended: the child works, the parent goes on with its reply. */
  async function throughReply(on: Bench): Promise<void> {
    // Its entry in the index may be lost; a sweep finds it.
    await got(on.node.reconcile());
    laterBy(on, 2_000);
    const work = await claimFor(on.node, [CHILD]);
    expect(work.turn).toMatchObject({ message_id: "start", message: { parcel: 1 } });
    await got(on.node.complete({ ...completionOf(work), result: "label" }));
    laterBy(on, 2_000);
    const parent = await taken(on.node);
    expect(parent.turn.signals).toHaveLength(1);
    expect(parent.turn.steps).toMatchObject([
      { key: "ship", output: { received: true, value: { status: "completed", result: "label" } } },
    ]);
    await got(on.node.complete(completionOf(parent)));
    expect(await children(on.node)).toHaveLength(1);
  }

  it("P69, P70: is one, with its work, wherever the node stops that starts it", async () => {
    const cuts = await everyCut(
      ({ node }) => taken(node),
      start,
      async (on, task, answered) => {
        const seen = await got(on.node.getInstance("i-1"));
        if (answered) expect(seen.current_turn?.status).toBe("waiting");
        if (seen.current_turn?.status !== "waiting") {
          laterBy(on, 5_000);
          const again = await taken(on.node);
          expect(again.effect_prefix).toBe(task.effect_prefix);
          await got(start(on.node, again));
        }
        await throughReply(on);
      },
    );
    expect(cuts).toBeGreaterThanOrEqual(10);
  });

  it("P72: is heard once by its parent, wherever the node stops that completes it; sweeps finish the move", async () => {
    const cuts = await everyCut(
      async ({ node }) => {
        await got(start(node, await taken(node)));
        return claimFor(node, [CHILD]);
      },
      (node, task) => node.complete({ ...completionOf(task), result: "label" }),
      async (on, task, answered) => {
        const seen = await got(on.node.getTurn(task.turn.workflow_id, 1));
        if (answered) expect(seen.status).toBe("completed");
        if (seen.status !== "completed") {
          laterBy(on, 61_000);
          const again = await claimFor(on.node, [CHILD]);
          await got(on.node.complete({ ...completionOf(again), result: "label" }));
        }
        await got(on.node.reconcile());
        await got(on.node.reconcile());
        laterBy(on, 2_000);
        const parent = await taken(on.node);
        expect(parent.turn.signals).toHaveLength(1);
        expect(parent.turn.steps).toMatchObject([{ output: { received: true, value: { result: "label" } } }]);
        expect(await got(on.node.getInstance(task.turn.workflow_id))).toMatchObject({ history_through: 1 });
      },
    );
    expect(cuts).toBeGreaterThanOrEqual(10);
  });

  it("P75: replies without a result that names what its parent has given up", async () => {
    const { node, clock } = await bench();
    const task = await taken(node);
    await got(start(node, task));
    const [, , , , incarnation = ""] = task.effect_prefix.split("/");
    const work = await claimFor(node, [CHILD]);
    await got(node.complete({ ...completionOf(work), result: blobReference(0, incarnation, "x") }));
    clock.pass(2_000);
    const parent = await taken(node);
    const value = { status: "completed", result: null, result_omitted: true };
    expect(parent.turn.steps).toMatchObject([{ output: { received: true, value } }]);
  });

  it("P70: replies before its parent waits, and the parent's next attempt finds the reply", async () => {
    const on = await bench();
    const task = await taken(on.node);
    // Get, get and put of the child; then the node stops before the parent's write.
    const { node } = on.cut(4, false);
    expect((await failed(start(node, task))).kind).toBe("unknown-outcome");
    await got(on.node.reconcile());
    const work = await claimFor(on.node, [CHILD]);
    await got(on.node.complete({ ...completionOf(work), result: "label" }));
    laterBy(on, 5_000);
    const again = await taken(on.node);
    const turn = await got(start(on.node, again));
    expect(turn).toMatchObject({ status: "running", steps: [{ output: { received: true } }] });
  });

  it("I01: a start that wrote the child and lost the parent says that it does not know, and its repeat is refused", async () => {
    const on = await bench();
    const task = await taken(on.node);
    let gets = 0;
    const racing: ObjectStore = {
      get: async (key) => {
        // The parent is read to look at its fence, and again to be written.
        if (key.endsWith("/i-1.json") && ++gets === 2)
          await got(on.node.control({ workflow_id: "i-1", action: "cancel_turn", turn: 1 }));
        return on.store.get(key);
      },
      put: (...args) => on.store.put(...args),
      delete: (...args) => on.store.delete(...args),
      list: (...args) => on.store.list(...args),
    };
    const node = nodeOver(racing, on.clock, countedIds("other"));
    expect(await failed(start(node, task))).toMatchObject({ kind: "unknown-outcome", code: "child_started" });
    expect((await failed(start(node, task))).kind).toBe("fenced");
    laterBy(on, 2_000);
    const work = await claimFor(on.node, [CHILD]);
    await got(on.node.complete(completionOf(work)));
    expect((await got(on.node.getInstance(work.turn.workflow_id))).history_through).toBe(1);
  });

  it("P76: is deleted only when its parent has heard of its end, wherever the node stops", async () => {
    const cuts = await everyCut(
      async ({ node }) => {
        await got(start(node, await taken(node)));
        return claimFor(node, [CHILD]);
      },
      (node, task) => node.deleteInstance({ workflow_id: task.turn.workflow_id }),
      async (on, task) => {
        await got(on.node.deleteInstance({ workflow_id: task.turn.workflow_id }));
        expect((await failed(on.node.getInstance(task.turn.workflow_id))).kind).toBe("not-found");
        expect((await failed(on.node.complete(completionOf(task)))).kind).toBe("not-found");
        laterBy(on, 2_000);
        await got(on.node.reconcile());
        const parent = await taken(on.node);
        const end = { workflow_id: task.turn.workflow_id, turn: 1, status: "cancelled", result: null };
        expect(parent.turn.steps).toMatchObject([{ output: { received: true, value: end } }]);
        await got(on.node.complete(completionOf(parent)));
      },
    );
    expect(cuts).toBeGreaterThanOrEqual(10);
  });

  it("P70, P84: is not started again when it was deleted; a reply that came before is taken all the same", async () => {
    const on = await bench();
    const task = await taken(on.node);
    const { node } = on.cut(4, false);
    expect((await failed(start(node, task))).kind).toBe("unknown-outcome");
    const [child] = await children(on.node);
    await got(on.node.deleteInstance({ workflow_id: child?.id ?? "" }));
    laterBy(on, 5_000);
    const turn = await got(start(on.node, await taken(on.node)));
    expect(turn).toMatchObject({
      status: "running",
      steps: [{ output: { value: { status: "cancelled" } } }],
    });
    expect(await children(on.node)).toEqual([]);
  });

  it("writes nothing when it is refused", async () => {
    const { node } = await bench();
    const task = await taken(node);
    const { sequence } = await got(node.getInstance("i-1"));
    const request = { ...leaseOf(task), position: 0, key: "ship", ...CHILD, message: 1, timeout_ms: 10 };
    const cases: readonly [object, string][] = [
      [{ token: "other" }, "lease_lost"],
      [{ position: 1 }, "step_out_of_order"],
      [{ key: "k".repeat(125) }, "invalid_name"],
      [{ version: "a b" }, "invalid_name"],
      [{ timeout_ms: 0 }, "invalid_number"],
      [{ lease_ms: 1 }, "invalid_number"],
      [{ message: "x".repeat(33_000) }, "value_too_large"],
      [{ state: "x".repeat(66_000) }, "value_too_large"],
      [{ workflow_id: "none" }, "instance_not_found"],
    ];
    for (const [fields, code] of cases)
      expect((await failed(node.startChild({ ...request, ...fields }))).code).toBe(code);
    expect(await children(node)).toEqual([]);
    expect((await got(node.getInstance("i-1"))).sequence).toBe(sequence);
  });

  it("is the only one that replies: signals from outside may not be called so", async () => {
    const { node } = await bench();
    const one = { workflow_id: "i-1", turn: 1, id: "s", name: "s", value: 1 };
    expect((await failed(node.signal({ ...one, id: "reply-x" }))).code).toBe("reserved_signal");
    expect((await failed(node.signal({ ...one, name: "reply-x" }))).code).toBe("reserved_signal");
    const wait = { ...leaseOf(await taken(node)), position: 0, key: "k", name: "reply-x", timeout_ms: 5 };
    expect((await failed(node.waitSignal(wait))).code).toBe("reserved_signal");
  });
});
