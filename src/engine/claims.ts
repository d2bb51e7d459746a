/**
 * Claims: from a hint in the scheduling index to a decision on an identity.
 *
 *   N1  the index only says where to look; whether a turn is claimed is decided on the identity, in one write.
 *   N2  a wrong entry costs one look and is mended.
 *   N3  one instance that cannot be read or written delays no other (catalogue I18).
 *   N4  a claim whose outcome is unknown is not followed by another claim in the same call: the worker hears of
 *       it, and the lease, if there is one, ends by itself.
 *
 *   N5  work that this node knows of, because it admitted it, is looked at before the index is read. But no index that is
 *       older than `PATIENT_POLLS` times `poll_ms` is done without: else the work of others would wait for ever.
 *   N6  a claim that waits does not read while what the node knows is no older than that: new work of its own comes sooner,
 *       mostly. What others have written is polled for all that wait, once each `poll_ms` (`waits.ts`).
 *   N7  an instance that another claim of this node is at, or has found taken meanwhile, is passed over: of many claims
 *       that wait each looks for a turn of its own.
 *
 * The node keeps a copy of the index for `poll_ms`: a hint of a hint, lost with the node.
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import { isOther } from "../documents/index-mends.ts";
import type { Instances } from "../documents/instances.ts";
import type { Keys } from "../documents/keys.ts";
import { entryOf, type IndexObject } from "../documents/scheduling-index.ts";
import { claim, servingVersion } from "../protocol/claim.ts";
import { inboxHead } from "../protocol/inbox.ts";
import { scheduleOf } from "../protocol/schedule.ts";
import { claimedTask } from "../protocol/view.ts";
import type { Abortable } from "../std/cancel.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { IndexEntry, SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { ClaimRequest, WorkflowVersion } from "../vocabulary/requests.ts";
import { isTombstone } from "../vocabulary/tombstone.ts";
import type { Task } from "../vocabulary/view.ts";
import { Handing } from "./handing.ts";
import type { Source, Waits } from "./waits.ts";

/** N5, N6. */
const PATIENT_POLLS = 5;

export class Claims implements Source {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #instances: Instances;
  readonly #index: IndexObject;
  readonly #pollMs: number;
  readonly #waits: Waits;
  /** N7. */
  readonly #tried = new Set<string>();

  constructor(
    ports: StorePorts,
    keys: Keys,
    instances: Instances,
    index: IndexObject,
    pollMs: number,
    waits: Waits,
  ) {
    this.#waits = waits;
    this.#ports = ports;
    this.#keys = keys;
    this.#instances = instances;
    this.#index = index;
    this.#pollMs = pollMs;
  }

  /** The next task for the worker, or null when nothing became ready within its wait. */
  next(request: ClaimRequest, gone?: Abortable): Promise<Result<Task | null, Failure>> {
    return this.#waits.claim(this, request, gone);
  }

  /** For a call that may give its turn to a claim that waits. */
  handing(): Handing {
    const { clock, ids } = this.#ports;
    return new Handing(this.#waits, clock, () => ids.next(), this.#keys.effectScope);
  }

  async look(request: ClaimRequest): Promise<Result<Task | null, Failure>> {
    const oldestMs = (request.wait_ms ?? 0) > 0 ? PATIENT_POLLS * this.#pollMs : this.#pollMs;
    if (this.#index.ageMs < PATIENT_POLLS * this.#pollMs) {
      const own = await this.#first(this.#index.noted, request);
      if (own !== null) return own;
    }
    const index = await this.#index.refresh(oldestMs);
    if (!index.ok) return index;
    return (await this.#first(index.value, request)) ?? ok(null);
  }

  /** The first that can be claimed, or what must be heard of (N4); null: none of these. */
  async #first(index: SchedulingIndex, request: ClaimRequest): Promise<Result<Task | null, Failure> | null> {
    for (const [id] of this.#candidates(index, request)) {
      if (this.#isTaken(id)) continue;
      this.#tried.add(id);
      const claimed = await this.#claim(id, request).finally(() => this.#tried.delete(id));
      if (claimed.ok ? claimed.value !== null : claimed.error.kind === "unknown-outcome") return claimed;
    }
    return null;
  }

  async poll(): Promise<readonly WorkflowVersion[]> {
    const index = await this.#index.refresh(this.#pollMs);
    return index.ok ? readyIn(index.value, this.#ports.clock.wallMs()).map(([, entry]) => entry) : [];
  }

  /** N7. */
  #isTaken(id: string): boolean {
    const known = this.#index.entry(id);
    return this.#tried.has(id) || (known !== undefined && !isReady(known, this.#ports.clock.wallMs()));
  }

  /** Decides on the identity (N1) and notes what it calls for (N2). */
  async #claim(id: string, request: ClaimRequest): Promise<Result<Task | null, Failure>> {
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
    await this.#hear(id, entryOf(instance, stamp), turn === null && !settled.value.wrote);
    if (turn === null) return ok(null);
    return ok(claimedTask(instance, turn, this.#keys.effectScope));
  }

  /** N2. What a claim wrote has been told with its commit. */
  async #hear(id: string, right: IndexEntry, led: boolean): Promise<void> {
    if (led && isOther(this.#index.entry(id), right)) await this.#index.hear(id, right);
    this.#index.learn(id, right);
  }

  /** The entry led to a deleted instance (N2). */
  async #unlist(id: string): Promise<void> {
    const looked = await this.#instances.look(id);
    if (!looked.ok || looked.value === null || !isTombstone(looked.value.value)) return;
    await this.#index.mend(new Map(), new Map([[id, looked.value.stamp.sequence]]));
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
    const ready = readyIn(index, this.#ports.clock.wallMs()).filter(
      ([, entry]) => servingVersion(request.workflows, entry) !== null,
    );
    if (ready.length <= 1) return ready;
    ready.sort(([a, left], [b, right]) => readyAt(left) - readyAt(right) || (a < b ? -1 : 1));
    const start = this.#ports.random.below(ready.length, "claim-start");
    return [...ready.slice(start), ...ready.slice(0, start)];
  }

  /** Work that can be claimed now is rung for. */
  newWork({ workflow_type, version }: WorkflowVersion): void {
    this.#waits.ring(workflow_type, version);
  }

  /** What the instance waits for is another thing now. */
  rescheduled(instance: Instance): void {
    const { status, ready_at_ms } = scheduleOf(instance);
    const isReady = ready_at_ms !== null && ready_at_ms <= this.#ports.clock.wallMs();
    if (status !== "running" && isReady) this.newWork(instance);
  }
}

function isReady({ ready_at_ms }: IndexEntry, nowMs: number): boolean {
  return ready_at_ms !== null && ready_at_ms <= nowMs;
}

/** What can be claimed by now. */
function readyIn(index: SchedulingIndex, nowMs: number): (readonly [string, IndexEntry])[] {
  const ready: [string, IndexEntry][] = [];
  // Not by a copy of the index: it may be large, and nearly all of it waits.
  for (const [id, entry] of index) if (isReady(entry, nowMs)) ready.push([id, entry]);
  return ready;
}

function readyAt(entry: IndexEntry): number {
  return entry.ready_at_ms ?? 0;
}
