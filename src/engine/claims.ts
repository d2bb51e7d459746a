/**
 * Claims: from a hint in the scheduling index to a decision on an identity.
 *
 *   N1  the index only says where to look; whether a turn is claimed is decided on the identity, in one write.
 *   N2  a wrong entry costs one look and is mended.
 *   N3  one instance that cannot be read or written delays no other (catalogue I18).
 *   N4  a claim whose outcome is unknown is not followed by another claim in the same call: the worker hears of
 *       it, and the lease, if there is one, ends by itself.
 *
 * The node keeps a copy of the index for `poll_ms`: a hint of a hint, lost with the node.
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import type { Instances } from "../documents/instances.ts";
import type { Keys } from "../documents/keys.ts";
import { entryOf, type IndexObject } from "../documents/scheduling-index.ts";
import { claim, servingVersion } from "../protocol/claim.ts";
import { inboxHead } from "../protocol/inbox.ts";
import { sameSchedule, scheduleOf } from "../protocol/schedule.ts";
import { claimedTask } from "../protocol/view.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { IndexEntry, SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { ClaimRequest, WorkflowVersion } from "../vocabulary/requests.ts";
import { isTombstone } from "../vocabulary/tombstone.ts";
import type { Task } from "../vocabulary/view.ts";

/** Between two looks of a claim that waits, also on a node that keeps no copy at all: `poll_ms` 0 is no reason to spin. */
const LEAST_REST_MS = 10;

export class Claims {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #instances: Instances;
  readonly #index: IndexObject;
  readonly #pollMs: number;
  #copy: { readonly index: SchedulingIndex; readonly readAtMs: number } | null = null;

  constructor(ports: StorePorts, keys: Keys, instances: Instances, index: IndexObject, pollMs: number) {
    this.#ports = ports;
    this.#keys = keys;
    this.#instances = instances;
    this.#index = index;
    this.#pollMs = pollMs;
  }

  /** The next task for the worker, or null when nothing became ready within its wait. */
  async next(request: ClaimRequest): Promise<Result<Task | null, Failure>> {
    const { clock } = this.#ports;
    const untilMs = clock.monotonicMs() + Math.min(request.wait_ms ?? 0, LIMITS.claimWaitMs);
    for (;;) {
      const claimed = await this.#look(request);
      const leftMs = untilMs - clock.monotonicMs();
      if (!claimed.ok || claimed.value !== null || leftMs <= 0) return claimed;
      await clock.sleep(Math.min(Math.max(this.#pollMs, LEAST_REST_MS), leftMs));
    }
  }

  async #look(request: ClaimRequest): Promise<Result<Task | null, Failure>> {
    let index = this.#freshCopy();
    if (index === null) {
      const read = await this.#readIndex();
      if (!read.ok) return read;
      index = read.value;
    }
    for (const [id, entry] of this.#candidates(index, request)) {
      const claimed = await this.#claim(id, entry, request);
      if (claimed.ok ? claimed.value !== null : claimed.error.kind === "unknown-outcome") return claimed;
    }
    return ok(null);
  }

  /** Decides on the identity (N1) and mends the entry that led there (N2). */
  async #claim(id: string, entry: IndexEntry, request: ClaimRequest): Promise<Result<Task | null, Failure>> {
    const { worker, workflows } = request;
    const token = this.#tokens();
    const settled = await this.#instances.change(id, (instance, moment) =>
      claim(instance, { worker, workflows, token: token(instance) }, moment),
    );
    if (!settled.ok) {
      if (settled.error.kind === "not-found") await this.#unlist(id);
      return settled;
    }
    const { value: instance, stamp, reply: turn } = settled.value;
    const right = entryOf(instance, stamp);
    const wrong = !sameSchedule(right, entry) || right.version !== entry.version;
    if (turn === null && !settled.value.wrote && wrong) await this.#index.mend(new Map([[id, right]]));
    this.#note(id, right);
    if (turn === null) return ok(null);
    return ok(claimedTask(instance, turn, this.#keys.effectScope));
  }

  /** The entry led to a deleted instance (N2). */
  async #unlist(id: string): Promise<void> {
    const looked = await this.#instances.look(id);
    if (!looked.ok || looked.value === null || !isTombstone(looked.value.value)) return;
    await this.#index.mend(new Map(), new Map([[id, looked.value.stamp.sequence]]));
    if (this.#copy === null) return;
    const index = new Map(this.#copy.index);
    index.delete(id);
    this.#copy = { ...this.#copy, index };
  }

  /**
   * A token for each decision of one claim: a fresh one, because an earlier decision may have been written and its
   * attempt be over (P12); except while the turn is held by one of them, which is then answered.
   */
  #tokens(): (instance: Instance) => string {
    const issued: string[] = [];
    return (instance) => {
      const held = inboxHead(instance)?.holder?.token;
      if (held !== undefined && issued.includes(held)) return held;
      const fresh = this.#ports.ids.next();
      issued.push(fresh);
      return fresh;
    };
  }

  /** Ready entries of the wanted types and versions, oldest first, begun at a random place to spread the nodes. */
  #candidates(index: SchedulingIndex, request: ClaimRequest): readonly (readonly [string, IndexEntry])[] {
    const nowMs = this.#ports.clock.wallMs();
    const ready = [...index].filter(
      ([, entry]) =>
        entry.ready_at_ms !== null &&
        entry.ready_at_ms <= nowMs &&
        servingVersion(request.workflows, entry) !== null,
    );
    if (ready.length <= 1) return ready;
    ready.sort(([a, left], [b, right]) => readyAt(left) - readyAt(right) || (a < b ? -1 : 1));
    const start = this.#ports.random.below(ready.length, "claim-start");
    return [...ready.slice(start), ...ready.slice(0, start)];
  }

  /** The node's copy of the index, unless it is too old. */
  #freshCopy(): SchedulingIndex | null {
    if (this.#copy === null) return null;
    const ageMs = this.#ports.clock.monotonicMs() - this.#copy.readAtMs;
    return ageMs < this.#pollMs ? this.#copy.index : null;
  }

  async #readIndex(): Promise<Result<SchedulingIndex, Failure>> {
    const nowMs = this.#ports.clock.monotonicMs();
    const read = await this.#index.read();
    if (read.ok) this.#copy = { index: read.value, readAtMs: nowMs };
    return read;
  }

  /** What this node learned itself goes into its copy at once. */
  #note(id: string, entry: IndexEntry): void {
    if (this.#copy === null) return;
    this.#copy = { ...this.#copy, index: new Map(this.#copy.index).set(id, entry) };
  }

  /** Work that this node admitted is found by its next claim without waiting for the copy to age. */
  forget(): void {
    this.#copy = null;
  }

  /** The same for work that can be claimed now, which is rung for. */
  newWork({ workflow_type, version }: WorkflowVersion): void {
    this.forget();
    this.#ports.bell?.ring(workflow_type, version);
  }

  /** What the instance waits for is another thing now. */
  rescheduled(instance: Instance): void {
    this.forget();
    if (this.#ports.bell === undefined) return;
    const { status, ready_at_ms } = scheduleOf(instance);
    const isReady = ready_at_ms !== null && ready_at_ms <= this.#ports.clock.wallMs();
    if (status !== "running" && isReady) this.newWork(instance);
  }
}

function readyAt(entry: IndexEntry): number {
  return entry.ready_at_ms ?? 0;
}
