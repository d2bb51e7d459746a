/**
 * Claims over a node's whole way: hint, decision, mending. Risk: work that nobody finds, a worker that waits for
 * nothing, one bad instance in everybody's way.
 */
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import {
  followed,
  lostAnswer,
  lostRequest,
  type PutStep,
  pass,
  ScriptedStore,
} from "../adapters/scripted-store.ts";
import { indexCodec } from "../documents/codec.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
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
import { Waits } from "./waits.ts";

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

const claimOn = (node: Engine, fields: { version?: string } = {}) => {
  const { version = "v1", ...rest } = fields;
  return node.claim({ worker: "w", workflows: [{ ...V1, version }], ...rest });
};

async function entryOf(id: string): Promise<IndexEntry | undefined> {
  const read = await store.beneath.get(KEYS.index);
  const decoded = indexCodec.decode(read.kind === "ok" ? read.body : "");
  return decoded.ok ? decoded.value.value.entries.get(id) : undefined;
}

describe("the order of claims", () => {
  it("is oldest first, from a place that is drawn", async () => {
    for (const id of ["i-c", "i-a", "i-b"]) {
      await instanceWith(a, id, "m");
      clock.pass(10);
    }
    const order = [];
    for (let n = 0; n < 3; n++) order.push((await taken(b)).turn.workflow_id);
    expect(order).toEqual(["i-c", "i-a", "i-b"]);
  });

  it("begins elsewhere when the draw says so, and still takes all", async () => {
    const ports = { random: { below: (n: number) => n - 1 } };
    const drawn = nodeOver(store, clock, countedIds("c"), ports);
    for (const id of ["i-a", "i-b", "i-c"]) await instanceWith(a, id, "m");
    const order = [];
    for (let n = 0; n < 3; n++) order.push((await taken(drawn)).turn.workflow_id);
    expect(order).toEqual(["i-c", "i-b", "i-a"]);
    expect(await got(claimOn(drawn))).toBeNull();
  });

  it("leaves other types and versions alone", async () => {
    await instanceWith(a, "i-1", "m");
    expect(await got(claimOn(a, { version: "v2" }))).toBeNull();
    expect((await taken(a)).turn.workflow_id).toBe("i-1");
  });
});

describe("a claim after an admission", () => {
  it("finds what its own node admits without waiting for its copy to age", async () => {
    await instanceWith(a, "i-1");
    expect(await got(claimOn(a))).toBeNull();
    await got(a.sendMessage({ workflow_id: "i-1", id: "m", message: 1 }));
    expect((await taken(a)).turn.number).toBe(1);
  });
});

describe("a wrong index", () => {
  it("N1, N2: promises nothing: the identity decides, and the entry is mended", async () => {
    await instanceWith(a, "i-1", "m");
    const wrong = { ...V1, status: "queued", ready_at_ms: 0, sequence: 0 } as const;
    await taken(a);
    const stamp = { sequence: 1, write_id: "x", lineage: [] };
    const document = { entries: new Map([["i-1", wrong]]), removed: new Map() };
    await store.beneath.put(KEYS.index, indexCodec.encode(stamp, document), { kind: "none" });
    expect(await got(claimOn(b))).toBeNull();
    expect(await entryOf("i-1")).toMatchObject({ status: "running", ready_at_ms: clock.nowMs + 1_000 });
  });

  it("N2: still says the first end of a lease that was renewed, and costs one look", async () => {
    await instanceWith(a, "i-1", "m");
    const task = await taken(a);
    clock.pass(900);
    await got(a.heartbeat(leaseOf(task)));
    clock.pass(200);
    expect(await got(claimOn(b))).toBeNull();
    expect(await entryOf("i-1")).toMatchObject({ ready_at_ms: clock.nowMs + 800 });
  });

  it("is repaired by the listing when it was lost, and reports what it mended", async () => {
    await instanceWith(a, "i-1", "m");
    await instanceWith(a, "i-2");
    await store.beneath.delete(KEYS.index, { kind: "none" });
    expect(await got(claimOn(b))).toBeNull();
    expect(await got(b.reconcile())).toEqual({ instances: 2, repaired: 2, unread: 0 });
    expect(await got(b.reconcile())).toEqual({ instances: 2, repaired: 0, unread: 0 });
    clock.pass(1_000);
    expect((await taken(b)).turn.workflow_id).toBe("i-1");
  });

  it("misses an update without harm: the send is answered and the next listing shows the work", async () => {
    await instanceWith(a, "i-1");
    store.scripted = (key) => key === KEYS.index;
    store.puts = Array(3).fill(lostRequest);
    await got(a.sendMessage({ workflow_id: "i-1", id: "m", message: 1 }));
    expect(await got(claimOn(b))).toBeNull();
    expect(await got(a.reconcile())).toMatchObject({ repaired: 1 });
    clock.pass(1_000);
    expect((await taken(b)).turn.message_id).toBe("m");
  });

  it("is told when an instance fails for good, and then offers it to nobody", async () => {
    await instanceWith(a, "i-1", "m");
    for (let attempt = 1; attempt <= 3; attempt++) {
      await taken(a);
      clock.pass(1_000);
    }
    expect(await got(claimOn(b))).toBeNull();
    expect(await entryOf("i-1")).toMatchObject({ status: "failed", ready_at_ms: null });
    expect(await got(a.getInstance("i-1"))).toMatchObject({ status: "failed", current_turn: { attempt: 3 } });
  });
});

describe("bad instances", () => {
  it("N3: one that cannot be read is passed over", async () => {
    await instanceWith(a, "i-1", "m");
    await instanceWith(a, "i-2", "m");
    await store.beneath.put(KEYS.instance("i-1"), "damaged", { kind: "none" });
    expect((await taken(b)).turn.workflow_id).toBe("i-2");
    expect(await got(claimOn(b))).toBeNull();
  });

  it("N4: a claim with an unknown outcome is answered so, and no other instance is claimed", async () => {
    await instanceWith(a, "i-1", "m");
    await instanceWith(a, "i-2", "m");
    store.scripted = (key) => key === KEYS.instance("i-1");
    store.puts = Array(8).fill(lostRequest);
    expect(await failed(claimOn(b))).toMatchObject({ kind: "unknown-outcome" });
    expect((await got(a.getInstance("i-2"))).status).toBe("queued");
  });

  it("N4: the turn of a claim whose answer was lost is found and handed out", async () => {
    await instanceWith(a, "i-1", "m");
    store.puts = [lostAnswer];
    const task = await taken(b);
    expect((await got(a.complete(completionOf(task)))).status).toBe("completed");
  });
});

describe("tokens", () => {
  /** The claim's first write lands unseen; then others write so much that its lineage is gone. */
  function hiddenClaim(then: () => Promise<unknown>): Engine {
    store.scripted = (key) => key === KEYS.instance("i-1");
    store.puts = [followed(then, lostAnswer) as PutStep, pass];
    return nodeOver(store, clock, countedIds("c"));
  }
  const sends = (from: number) => async () => {
    for (let n = from; n < from + 10; n++)
      await got(
        nodeOver(store.beneath, clock, countedIds(`s${n}`)).sendMessage({
          workflow_id: "i-1",
          id: `m-${n}`,
          message: 1,
        }),
      );
  };

  it("P12: the attempt of a hidden claim is recognised while it holds the turn", async () => {
    await instanceWith(a, "i-1", "m");
    const task = await taken(hiddenClaim(sends(0)));
    expect(task).toMatchObject({ token: "c-1", turn: { attempt: 1 } });
  });

  it("P12: a hidden claim whose lease has ended is followed by an attempt with a token of its own", async () => {
    await instanceWith(a, "i-1", "m");
    const retry = hiddenClaim(async () => {
      clock.pass(1_000);
      await work(nodeOver(store.beneath, clock, countedIds("o")), 1);
      await sends(0)();
    });
    const task = await taken(retry);
    expect(task.turn).toMatchObject({ number: 2, attempt: 1 });
    expect(task.token).not.toBe("c-1");
  });
});

describe("the bell", () => {
  it("rings for work that can be claimed now, with its type and version, and not for what is not due", async () => {
    const rings: string[] = [];
    const ring = vi.spyOn(Waits.prototype, "ring");
    onTestFinished(() => ring.mockRestore());
    ring.mockImplementation((type, version) => void rings.push(`${type} ${version}`));
    const node = nodeOver(store, clock, countedIds("bell"));
    await instanceWith(node, "i", "m", "n");
    expect(rings.splice(0)).toEqual(["counter v1"]);
    const task = await taken(node);
    expect(rings.splice(0)).toEqual([]);
    await got(node.fail({ ...leaseOf(task), error: "later", retry_at_ms: clock.wallMs() + 60_000 }));
    expect(rings.splice(0)).toEqual([]);
    await got(node.control({ workflow_id: "i", action: "wake" }));
    expect(rings.splice(0)).toEqual(["counter v1"]);
    await got(node.complete(completionOf(await taken(node))));
    expect(rings).toEqual(["counter v1"]);
  });
});
