/**
 * What holds when nobody says otherwise, and what is a cap and no refusal. Risk: a default that is not the contract's.
 *
 * Each through the engine's public face; numbers stand here as the contract has them, not as the code names them.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds } from "../adapters/manual-ports.ts";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import { instanceCodec } from "../documents/codec.ts";
import type { Json } from "../std/json.ts";
import { CHILD_PREFIX, CONTINUATION_PREFIX, REPLY_PREFIX, REQUEUE_PREFIX } from "../vocabulary/limits.ts";
import { failed, got, KEYS, leaseOf, nodeOver, taken, V1, work } from "./example-nodes.ts";
import { NOW, type Reply, World } from "./limit-world.contract.ts";

const OTHER = { workflow_type: "other", version: "v1" };
let world: World;

beforeEach(async () => {
  world = await World.begin();
});

/** An instance that says nothing of itself, with a message. */
async function plain(id = "plain"): Promise<void> {
  await got(world.node.createInstance({ id, ...OTHER }));
  await got(world.node.sendMessage({ workflow_id: id, id: "m", message: 1 }));
}

async function claimed() {
  const task = await got(world.node.claim({ worker: "w", workflows: [OTHER] }));
  if (task === null) throw new Error("nothing to claim");
  return task;
}

/** The attempt fails; answers how long its turn waits then, or null when it has failed for good. */
async function failing(): Promise<number | null> {
  const turn = await got(world.node.fail({ ...leaseOf(await claimed()), error: "x" }));
  const waitMs = turn.ready_at_ms - world.clock.nowMs;
  world.clock.pass(Math.max(0, waitMs));
  return turn.status === "failed" ? null : waitMs;
}

describe("an instance by default", () => {
  it("has a lease of a minute", async () => {
    await plain();
    const task = await claimed();
    expect(task.lease_ms).toBe(60_000);
    expect(task.turn.deadline_ms).toBe(NOW + 60_000);
  });

  it("has three attempts", async () => {
    await plain();
    expect([await failing(), await failing(), await failing()]).toEqual([1_000, 2_000, null]);
  });
});

describe("a turn", () => {
  it("waits a second after its first failure, then twice as long, up to a minute", async () => {
    await got(world.node.createInstance({ id: "many", ...OTHER, max_attempts: 9 }));
    await got(world.node.sendMessage({ workflow_id: "many", id: "m", message: 1 }));
    const waits: (number | null)[] = [];
    for (let n = 0; n < 9; n++) waits.push(await failing());
    expect(waits.map((ms) => ms && ms / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, null]);
  });
});

describe("an operation by default", () => {
  it("may run for five minutes", async () => {
    const { operation } = await got(
      world.node.operation({ ...world.lease, position: 0, key: "k", kind: "step" }),
    );
    expect(operation).toMatchObject({ timeout_ms: 300_000, deadline_ms: NOW + 300_000 });
    expect(operation?.heartbeat_timeout_ms).toBeNull();
  });
});

describe("a page by default", () => {
  it("has fifty turns of history, fifty instances, fifty turns of an inbox", async () => {
    for (let n = 0; n < 52; n++) await plain(`n-${n}`);
    expect((await got(world.node.listInstances({}))).instances.length).toBe(50);
    expect((await got(world.node.typeInbox(OTHER))).instances.length).toBe(50);
    await world.messages(52);
    expect((await got(world.node.inbox({ workflow_id: "i" }))).entries.length).toBe(50);
    await got(world.complete({}));
    await work(world.node, 52);
    expect((await got(world.node.history({ workflow_id: "i" }))).turns.length).toBe(50);
  });
});

describe("a claim", () => {
  it("waits at most ten seconds, however long it is asked to", async () => {
    const clock = new VirtualClock();
    const node = nodeOver(world.store, clock, countedIds("w"));
    for (const wait_ms of [9_999, 10_000, 10_001, Number.MAX_SAFE_INTEGER]) {
      const from = clock.monotonicMs();
      await clock.until(got(node.claim({ worker: "w", workflows: [OTHER], wait_ms })));
      expect(clock.monotonicMs() - from).toBe(Math.min(wait_ms, 10_000));
    }
  });

  it("rests between two looks on a node that keeps no copy of the index", async () => {
    const { store } = world;
    const clock = new VirtualClock();
    const node = nodeOver(store, clock, countedIds("w"), {}, { poll_ms: 0 });
    const get = store.get.bind(store);
    let looks = 0;
    store.get = (key) => {
      if (key.endsWith("index.json")) looks += 1;
      return get(key);
    };
    await clock.until(got(node.claim({ worker: "w", workflows: [OTHER], wait_ms: 1_000 })));
    expect(looks).toBeGreaterThan(10);
    expect(looks).toBeLessThanOrEqual(101);
  });
});

describe("what is sent back", () => {
  it("comes after 1, 4 and 16 minutes, and then no more", async () => {
    const minutes: (number | null)[] = [];
    for (let n = 0; n < 4; n++) {
      const sent = await got(
        world.node.requeue({ ...world.lease, key: "k", instances: [{ instance: "one", error: "e" }] }),
      );
      const waitMs = sent.due_at_ms === null ? null : sent.due_at_ms - world.clock.nowMs;
      minutes.push(waitMs && waitMs / 60_000);
      await got(world.complete({}));
      if (waitMs === null) break;
      world.clock.pass(waitMs - 1);
      expect(await got(world.node.claim({ worker: "w", workflows: [V1] }))).toBeNull();
      world.clock.pass(1);
      world.lease = leaseOf(await taken(world.node));
    }
    expect(minutes).toEqual([1, 4, 16, null]);
  });
});

describe("a name that the engine makes", () => {
  it.each<[string, (prefix: string) => Reply, readonly string[]]>([
    ["of messages", (prefix) => world.send({ id: `${prefix}1` }), [CONTINUATION_PREFIX, REQUEUE_PREFIX]],
    ["of signals", (prefix) => world.signal({ id: `${prefix}1` }), [REPLY_PREFIX]],
    ["that signals have", (prefix) => world.signal({ name: `${prefix}1` }), [REPLY_PREFIX]],
    ["that is waited for", (prefix) => world.wait({ name: `${prefix}1` }), [REPLY_PREFIX]],
  ])("is refused to everybody else, and nothing is written: %s", async (_, call, prefixes) => {
    for (const prefix of prefixes) {
      const before = await world.stored();
      const failure = await failed(call(prefix));
      expect(failure).toMatchObject({ kind: "invalid", code: expect.stringContaining("reserved") });
      expect(failure.message).toContain(`${prefix} `);
      expect(await world.stored()).toEqual(before);
      expect(await call(prefix.slice(0, -1))).toMatchObject({ ok: true });
    }
  });

  it("begins the id of every child", async () => {
    const { steps } = await got(
      world.node.startChild({ ...world.lease, position: 0, key: "k", ...OTHER, message: 1, timeout_ms: 1 }),
    );
    expect(steps[0]?.child_id?.startsWith(CHILD_PREFIX)).toBe(true);
    expect(CHILD_PREFIX).toBe("child-");
  });
});

describe("a history by default", () => {
  const LAYOUT = { history_segment_turns: 32, history_page_turns: 256 };
  const more = async (count: number, message: Json = 1) => {
    for (let n = 0; n < count; n++) {
      await got(world.send({ id: `h-${world.clock.nowMs}-${n}`, message }));
      await work(world.node, 1);
    }
  };
  const seen = () => got(world.node.getInstance("i"));

  it("keeps the newest 256 turns, and all of a day", async () => {
    await got(world.complete({}));
    await more(299);
    const pruned = async () => (await seen()).history_pruned_through;
    world.clock.pass(24 * 3_600_000 - 1);
    await more(1);
    await got(world.node.reconcile());
    expect(await pruned()).toBe(0);
    // When turns finished is remembered to a twelfth of the day.
    world.clock.pass(2 * 3_600_000);
    await more(1);
    await got(world.node.reconcile());
    expect(await pruned()).toBe(302 - 256);
    expect(await failed(world.node.getTurn("i", 302 - 256))).toMatchObject({ kind: "not-found" });
    await got(world.node.getTurn("i", 302 - 255));
  });

  it("moves turns by the block of 32, or when they are longer than 64 KiB", async () => {
    world = await World.begin(LAYOUT);
    await got(world.complete({}));
    await more(30);
    await got(world.node.reconcile());
    expect((await seen()).history_through).toBe(0);
    world.clock.pass(1);
    await more(1);
    await got(world.node.reconcile());
    expect((await seen()).history_through).toBe(32);
    world.clock.pass(1);
    await more(2, "x".repeat(31 * 1024));
    await got(world.node.reconcile());
    expect((await seen()).history_through).toBe(32);
    world.clock.pass(1);
    await more(1, "x".repeat(31 * 1024));
    await got(world.node.reconcile());
    expect((await seen()).history_through).toBe(35);
  });

  it("has at most two pages of 256 marks in the instance", async () => {
    world = await World.begin({ ...LAYOUT, history_segment_turns: 64 });
    await got(world.complete({}));
    await more(2 * 256 + 64);
    await got(world.node.reconcile());
    expect((await seen()).history_through).toBe(2 * 256 + 64);
    const read = await world.store.get(KEYS.instance("i"));
    const decoded = instanceCodec.decode(read.kind === "ok" ? read.body : "");
    expect(decoded.ok && decoded.value.value.history_ids.length).toBe(4 * (256 + 64));
    expect((await world.store.get(KEYS.idPage({ id: "i", life: 1 }, 1))).kind).toBe("ok");
  });
});
