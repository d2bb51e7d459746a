/**
 * The requests of sweeps: a list of all identities, then the index, each shard of it at once, then each identity in the
 * order of ids, then the index again where it is mended.
 *
 *   S1  a pass asks for one thing after the other, so the next request of it is sent at the very time the last one was
 *       answered; when it had something else to do in between, it is the next request for that key.
 *   S2  what a pass does about an identity that has work left (its history) is not its own: it has its own cause.
 *
 * Not covered: the list that somebody asks for through a call (`typeInbox`); no measured scenario does.
 */
import type { StoreOperation } from "../sim/index.ts";
import { placeOf } from "./places.ts";

/** Of one process's requests, in the order of sending, those of its sweeps. */
export function sweepsAmong(operations: readonly StoreOperation[]): ReadonlySet<StoreOperation> {
  const found = new Set<StoreOperation>();
  const gets = new GetsByKey(operations);
  for (const list of operations) {
    if (list.kind !== "list" || placeOf(list.key).kind !== "identities") continue;
    found.add(list);
    const listed = list.outcome?.kind === "ok" && "entries" in list.outcome ? list.outcome.entries : [];
    let nowMs = list.answeredAtMs;
    if (nowMs !== null && listed.length > 0) nowMs = addIndex(operations, "get", nowMs, found);
    for (const key of listed.map((entry) => entry.key).sort(byId)) {
      const get = nowMs === null ? null : gets.next(key, nowMs, found);
      if (get === null) break;
      found.add(get);
      nowMs = get.answeredAtMs;
    }
    if (nowMs !== null && listed.length > 0) addIndex(operations, "put", nowMs, found);
  }
  return found;
}

/** What goes to the index at that time; answers when the last of it was answered, null: not all of it was. */
function addIndex(
  operations: readonly StoreOperation[],
  kind: StoreOperation["kind"],
  sentAtMs: number,
  found: Set<StoreOperation>,
): number | null {
  let answeredAtMs: number | null = sentAtMs;
  for (const one of operations) {
    if (one.kind !== kind || one.sentAtMs !== sentAtMs || found.has(one)) continue;
    if (placeOf(one.key).kind !== "index") continue;
    found.add(one);
    if (one.answeredAtMs === null || answeredAtMs === null) answeredAtMs = null;
    else answeredAtMs = Math.max(answeredAtMs, one.answeredAtMs);
  }
  return answeredAtMs;
}

function byId(a: string, b: string): number {
  const [left, right] = [a.replace(/\.json$/, ""), b.replace(/\.json$/, "")];
  return left < right ? -1 : 1;
}

class GetsByKey {
  readonly #gets = new Map<string, StoreOperation[]>();

  constructor(operations: readonly StoreOperation[]) {
    for (const operation of operations) {
      if (operation.kind !== "get") continue;
      const known = this.#gets.get(operation.key);
      if (known === undefined) this.#gets.set(operation.key, [operation]);
      else known.push(operation);
    }
  }

  /** S1. */
  next(key: string, atMs: number, taken: ReadonlySet<StoreOperation>): StoreOperation | null {
    const later = (this.#gets.get(key) ?? []).filter((get) => get.sentAtMs >= atMs && !taken.has(get));
    return later[0] ?? null;
  }
}
