/**
 * The epochs of a graph as a node knows them: which one is served now, and the erasure of one that ended.
 *
 * The head is read when the node starts and again when what it knows is older than `poll_ms`. Until then a node may
 * carry calls to an epoch that has ended: its instances are tombstones, which refuse them (P95).
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import { GraphHeadObject, NO_GRAPH, UNERASED_GRAPH } from "../documents/graph-head.ts";
import { inParallel } from "../std/parallel.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { GraphHead } from "../vocabulary/graph-head.ts";
import type { EngineConfig } from "./config.ts";
import { type Parts, partsOf } from "./parts.ts";
import type { Waits } from "./waits.ts";

/** Instances that an erasure deletes at a time. */
const AT_ONCE = 8;
/** A creation that meets an unfinished erasure finishes it and looks again, this often. */
const ERASURES = 3;

const UNFINISHED = failure(
  "unknown-outcome",
  "graph_deletion_unfinished",
  "the graph is deleted, and some of its instances may still be served for a moment; repeat the request",
);

export class Epochs {
  readonly #ports: StorePorts;
  readonly #config: EngineConfig;
  readonly waits: Waits;
  readonly #head: GraphHeadObject;
  #known: { readonly head: GraphHead | null; readonly atMs: number } | null = null;
  #parts: Parts | null = null;

  constructor(ports: StorePorts, config: EngineConfig, waits: Waits) {
    this.waits = waits;
    this.#ports = ports;
    this.#config = config;
    this.#head = new GraphHeadObject(ports, config);
  }

  /** The parts that serve the present epoch. */
  async present(): Promise<Result<Parts, Failure>> {
    const nowMs = this.#ports.clock.monotonicMs();
    const isFresh = this.#known !== null && nowMs - this.#known.atMs < this.#config.poll_ms;
    const head = isFresh ? ok(this.#known?.head ?? null) : await this.look();
    if (!head.ok) return head;
    return head.value?.live ? ok(this.#of(head.value.epoch)) : err(NO_GRAPH);
  }

  /** The head as it is now. */
  async look(): Promise<Result<GraphHead | null, Failure>> {
    const atMs = this.#ports.clock.monotonicMs();
    const head = await this.#head.read();
    if (head.ok) this.#known = { head: head.value, atMs };
    return head;
  }

  /** P97: whether the epoch that these parts serve still goes on. */
  async goesOn(parts: Parts): Promise<Result<boolean, Failure>> {
    const head = await this.look();
    return head.ok ? ok(head.value?.live === true && head.value.epoch === parts.config.epoch) : head;
  }

  /** P117. Answers whether an epoch goes on. */
  async begin(): Promise<Result<boolean, Failure>> {
    const begun = await this.#head.begin();
    this.#known = null;
    return begun;
  }

  async create(): Promise<Result<{ readonly epoch: number; readonly created: boolean }, Failure>> {
    for (let erasures = 0; ; erasures++) {
      const created = await this.#head.create();
      this.#known = null;
      if (created.ok) return ok({ epoch: created.value.head.epoch, created: created.value.created });
      if (created.error !== UNERASED_GRAPH || erasures === ERASURES) return created;
      const erased = await this.erase();
      if (!erased.ok) return erased;
    }
  }

  /**
   * Answers whether this call ended the epoch, and only once every instance of it is a tombstone: until then a node that
   * has not noticed could take a write (P95). What was not finished is finished by the repeat, or by who meets the head.
   */
  async delete(): Promise<Result<boolean, Failure>> {
    const retired = await this.#head.retire();
    this.#known = null;
    if (!retired.ok) return retired.error === NO_GRAPH ? ok(false) : retired;
    const erased = await this.erase();
    return erased.ok ? ok(retired.value.deleted) : err(UNFINISHED);
  }

  /** Goes on where the erasure of a deleted graph stopped, if one is unfinished. */
  async erase(): Promise<Result<null, Failure>> {
    const head = await this.look();
    if (!head.ok) return head;
    if (head.value === null || head.value.live || head.value.erased) return ok(null);
    const { epoch } = head.value;
    const { sweeper, index, instances } = this.#of(epoch);
    const [listed, indexed] = await Promise.all([sweeper.ids(), index.read()]);
    if (!listed.ok) return listed;
    if (!indexed.ok) return indexed;
    const ids = [...new Set([...listed.value, ...indexed.value.keys()])];
    const ended = await inParallel(ids, AT_ONCE, async (id): Promise<Result<unknown, Failure>> => {
      const deleted = await instances.delete(id, () => null);
      return deleted.ok ? instances.erase(id) : deleted;
    });
    const failed = ended.find((one) => !one.ok);
    return failed !== undefined && !failed.ok ? failed : this.#head.noteErased(epoch);
  }

  /** Of the epoch that was served last; another's moves and entries are of no use. */
  async flush(): Promise<void> {
    await Promise.all([this.#parts?.history.flush(), this.#parts?.index.flush()]);
  }

  #of(epoch: number): Parts {
    if (this.#parts?.config.epoch !== epoch)
      this.#parts = partsOf(this.#ports, { ...this.#config, epoch }, this.waits);
    return this.#parts;
  }
}
