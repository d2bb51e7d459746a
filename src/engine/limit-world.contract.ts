/**
 * The world in which each limit is tried, and what a row of the table of limits is. Only tests use it.
 *
 * A world has an instance `i` with a running turn whose lease is a day, on a node over a store that keeps the chain of its
 * versions. Calls go through the engine's public face and take any value: a row may ask what the types forbid.
 */
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import type { DeleteCondition, PutCondition } from "../ports/object-store.ts";
import { assert } from "../std/assert.ts";
import type { Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { EngineConfig } from "./config.ts";
import type { EngineNode } from "./engine.ts";
import { got, leaseOf, nodeOver, taken, V1 } from "./example-nodes.ts";

export type Reply = Promise<Result<unknown, Failure>>;

export interface Row {
  /** The constants that it shows, as `LIMITS.stateBytes`; none for a limit that stands beside its only use. */
  readonly of: readonly string[];
  readonly what: string;
  /** `most`: one above is refused; `least`: one below is. */
  readonly side: "most" | "least";
  readonly limit: number;
  readonly kind: Failure["kind"];
  /** What the refusal says of the limit, when that is not its number. */
  readonly says?: string;
  /** What is there before the call. */
  readonly fill?: (world: World, n: number) => Promise<unknown>;
  readonly call: (world: World, n: number) => Reply;
}

export const NOW = 1_000_000;
export const DAY_MS = 24 * 3_600_000;

/** JSON text of exactly that many bytes, in two-byte characters as far as they go. */
export const text = (bytes: number) => "é".repeat(Math.floor((bytes - 2) / 2)) + "x".repeat(bytes % 2);
export const name = (chars: number) => "n".repeat(chars);
/** Text of that many characters, each of four bytes and of two units of a JavaScript string. */
export const wide = (chars: number) => "😀".repeat(chars);

/** Records every version that it applies, and every removal. */
export class ChainStore extends MemoryStore {
  readonly chain: string[] = [];

  override async put(key: string, body: string, condition: PutCondition) {
    const outcome = await super.put(key, body, condition);
    if (outcome.kind === "ok") this.chain.push(`${key} ${body}`);
    return outcome;
  }

  override async delete(key: string, condition: DeleteCondition) {
    const outcome = await super.delete(key, condition);
    if (outcome.kind === "ok") this.chain.push(`${key} removed`);
    return outcome;
  }
}

export class World {
  readonly store = new ChainStore();
  readonly clock = new ManualClock(NOW);
  readonly node: EngineNode;
  readonly references: string[] = [];
  /** Of turn 1 of `i`. */
  lease = { workflow_id: "i", turn: 1, token: "" };

  constructor(config: Partial<EngineConfig>) {
    this.node = this.nodeWith(config, "id");
  }

  static async begin(config: Partial<EngineConfig> = {}): Promise<World> {
    const world = new World(config);
    await got(world.node.createInstance({ id: "i", ...V1, lease_ms: DAY_MS }));
    await got(world.send({ id: "m" }));
    world.lease = leaseOf(await taken(world.node));
    return world;
  }

  nodeWith(config: Partial<EngineConfig>, ids = "it"): EngineNode {
    return nodeOver(this.store, this.clock, countedIds(ids), {}, config);
  }

  /** The etag of every object, how long the chain is, and what the identity says of its version. */
  async stored() {
    const etags = new Map<string, string>();
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await this.store.list({ prefix: "", cursor: cursor === "" ? null : cursor, limit: 1_000 });
      assert(page.kind === "ok", "a store in memory lists");
      for (const { key, etag } of page.entries) etags.set(key, etag);
      cursor = page.next;
    }
    const { sequence, updated_at_ms } = await got(this.node.getInstance("i"));
    return { etags, versions: this.store.chain.length, sequence, updated_at_ms };
  }

  create(fields: object): Reply {
    return this.node.createInstance({ id: "new", ...V1, ...fields } as never);
  }
  send(fields: object): Reply {
    return this.node.sendMessage({ workflow_id: "i", id: "m-2", message: 1, ...fields } as never);
  }
  origin(fields: object): Reply {
    return this.send({ origin: { kind: "app", ...fields } });
  }
  signal(fields: object): Reply {
    return this.node.signal({ workflow_id: "i", turn: 1, id: "s", name: "go", value: 1, ...fields } as never);
  }
  control(fields: object): Reply {
    return this.node.control({ workflow_id: "i", action: "pause", ...fields } as never);
  }
  claim(fields: object): Reply {
    return this.node.claim({ worker: "w", workflows: [V1], ...fields } as never);
  }
  step(fields: object): Reply {
    const place = { position: 0, key: "k", kind: "step", output: 1 };
    return this.node.checkpoint({ ...this.lease, ...place, ...fields } as never);
  }
  sleep(fields: object): Reply {
    return this.step({ kind: "sleep", output: null, delay_ms: 0, ...fields });
  }
  wait(fields: object): Reply {
    const place = { position: 0, key: "k", name: "go", timeout_ms: 1 };
    return this.node.waitSignal({ ...this.lease, ...place, ...fields } as never);
  }
  operation(fields: object): Reply {
    return this.node.operation({ ...this.lease, position: 0, key: "k", kind: "tool", ...fields } as never);
  }
  progress(fields: object): Reply {
    const report = { key: "k", sequence: 1, details: 1, checkpoint: 1 };
    return this.node.progress({ ...this.lease, ...report, ...fields } as never);
  }
  complete(fields: object): Reply {
    return this.node.complete({ ...this.lease, state: 1, ...fields } as never);
  }
  fail(fields: object): Reply {
    return this.node.fail({ ...this.lease, error: "x", ...fields } as never);
  }
  child(fields: object): Reply {
    const work = { position: 0, key: "k", ...V1, message: 1, timeout_ms: 1 };
    return this.node.startChild({ ...this.lease, ...work, ...fields } as never);
  }
  sendBack(fields: object): Reply {
    return this.node.requeue({ ...this.lease, key: "k", instances: [ONE], message: 1, ...fields } as never);
  }

  /** Puts that many blobs, to be named by a later call. */
  async blobs(count: number): Promise<void> {
    for (let n = 0; n < count; n++)
      this.references.push((await got(this.node.putBlob({ workflow_id: "i", value: n }))).reference);
  }
  /** That many more steps, from the first on. */
  async steps(count: number): Promise<void> {
    for (let position = 0; position < count; position++)
      await got(this.step({ position, key: `k-${position}` }));
  }
  async signals(count: number): Promise<void> {
    for (let n = 0; n < count; n++) await got(this.signal({ id: `s-${n}` }));
  }
  async messages(count: number): Promise<void> {
    for (let n = 0; n < count; n++) await got(this.send({ id: `more-${n}` }));
  }
}

export const ONE = { instance: "one", error: "not now" };
