/**
 * What of a workload is not done, as the stored identities say; read from the store itself, past every server.
 *
 *   N1  done is what it is in the simulation: every inbox is empty, or stands behind a turn that failed for good, and as
 *       many turns have finished as were planned, unless somebody may end turns.
 *   N2  a read that fails leaves an instance unfinished: it is looked at again.
 */
import type { ObjectStore } from "../../src/ports/index.ts";
import { isOver } from "../checkers/kinds.ts";
import { Decoder, type Space } from "../checkers/records.ts";
import { type InstancePlan, mayBeCut, plannedTurns, type Workload } from "../workloads/workload.ts";
import { nobodysRequest } from "./chains.ts";

export class Unfinished {
  readonly #store: ObjectStore;
  readonly #decoder: Decoder;
  /** By instance: what it waits for. */
  #open: ReadonlyMap<InstancePlan, string>;

  constructor(store: ObjectStore, space: Space, workload: Workload) {
    this.#store = store;
    this.#decoder = new Decoder(space);
    this.#open = new Map(workload.instances.map((plan) => [plan, "it was not looked at"]));
  }

  /** Looks at what was unfinished so far; answers what still is, in words. */
  async look(): Promise<readonly string[]> {
    const open = new Map<InstancePlan, string>();
    for (const plan of this.#open.keys()) {
      const why = await this.#waitsFor(plan);
      if (why !== null) open.set(plan, why);
    }
    this.#open = open;
    return [...open].map(([{ id }, why]) => `${id}: ${why}`);
  }

  async #waitsFor(plan: InstancePlan): Promise<string | null> {
    const key = this.#decoder.identityKey(plan.id);
    const found = await this.#store.get(key);
    if (found.kind === "not-found") return "it does not exist";
    if (found.kind !== "ok") return `the store answered ${found.kind}`;
    const { body, etag } = found;
    const operation = nobodysRequest(key, body, 0);
    const identity = this.#decoder.identity({ key, index: 0, body, etag, atMs: 0, operation });
    if (identity === null) return "its object cannot be read";
    const { turns, completed_turns, paused } = identity.value;
    const head = turns.find((turn) => !isOver(turn));
    if (paused) return "it is paused";
    if (head === undefined) {
      const planned = mayBeCut(plan) ? 0 : plannedTurns(plan);
      return completed_turns >= planned ? null : `${completed_turns} of ${planned} turns are completed`;
    }
    if (head.status === "failed") return null;
    const holder = head.holder === null ? "nobody" : `${head.holder.worker} until ${head.holder.deadline_ms}`;
    return `turn ${head.number} (${head.message_id}) is ${head.status} in attempt ${head.attempt}, ready at ${head.ready_at_ms}, held by ${holder}`;
  }
}

/** Every object of a store. Rejects when it does not answer after some tries. */
export async function everyObject(
  store: ObjectStore,
): Promise<readonly { readonly key: string; readonly body: string; readonly etag: string }[]> {
  const keys: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await patient(() => store.list({ prefix: "", cursor, limit: 1_000 }));
    if (page.kind !== "ok") throw new Error(`the store cannot be listed: ${page.kind}`);
    keys.push(...page.entries.map(({ key }) => key));
    if (page.next === null) break;
    cursor = page.next;
  }
  const objects: { key: string; body: string; etag: string }[] = [];
  for (const key of new Set(keys)) {
    const found = await patient(() => store.get(key));
    if (found.kind === "not-found") continue;
    if (found.kind !== "ok") throw new Error(`${key} cannot be read: ${found.kind}`);
    objects.push({ key, body: found.body, etag: found.etag });
  }
  return objects;
}

const TRIES = 5;

async function patient<O extends { readonly kind: string }>(ask: () => Promise<O>): Promise<O> {
  for (let tried = 1; ; tried++) {
    const outcome = await ask();
    const open = outcome.kind === "throttled" || outcome.kind === "unknown-outcome";
    if (!open || tried === TRIES) return outcome;
  }
}
