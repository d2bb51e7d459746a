/**
 * Reads: instances, lists, turns and history, from the objects as they are now.
 *
 * Reads change nothing, not even an interrupted move or a wrong index entry. A page is as wide as it is asked for, or
 * it fails whole: a page with a hole would be taken for the truth.
 *
 * A page of history begins at the oldest kept turn and is read from the segments of its blocks at once.
 * A turn that is pruned between the read of its identity and its own is looked for again. A list is in the order of ids, which is not the
 * order of keys (`a.json` sorts after `a-b.json`).
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import { type History, MOVED_ON } from "../documents/history.ts";
import type { Instances } from "../documents/instances.ts";
import { isInHistory, turnNumbered, unmovedTurns } from "../protocol/inbox.ts";
import { instanceView, turnView, turnViewAt } from "../protocol/view.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { DEFAULTS, LIMITS } from "../vocabulary/limits.ts";
import type { HistoryRequest, ListRequest } from "../vocabulary/requests.ts";
import type { HistoryPage, InstancePage, InstanceView, TurnView } from "../vocabulary/view.ts";
import { checkInteger, checkName } from "./field-check.ts";
import type { Sweeper } from "./sweeper.ts";

/** Objects that one read asks for at a time. */
const AT_ONCE = 50;
/** Times that a read is made while history moves on under it. */
const READS = 3;

export class Reads {
  readonly #ports: StorePorts;
  readonly #instances: Instances;
  readonly #history: History;
  readonly #sweeper: Sweeper;

  constructor(ports: StorePorts, instances: Instances, history: History, sweeper: Sweeper) {
    this.#ports = ports;
    this.#instances = instances;
    this.#history = history;
    this.#sweeper = sweeper;
  }

  async instance(id: string): Promise<Result<InstanceView, Failure>> {
    const wrong = checkName(id, "id");
    if (wrong !== null) return err(wrong);
    const loaded = await this.#instances.load(id);
    if (!loaded.ok) return loaded;
    return ok(instanceView(loaded.value.value, loaded.value.stamp, this.#ports.clock.wallMs()));
  }

  async instances(request: ListRequest): Promise<Result<InstancePage, Failure>> {
    const { after = null, limit = DEFAULTS.instancePage } = request;
    const wrong =
      (after === null ? null : checkName(after, "after")) ??
      checkInteger(limit, "limit", 1, LIMITS.instancePage);
    if (wrong !== null) return err(wrong);
    const listed = await this.#sweeper.ids();
    if (!listed.ok) return listed;
    const ids = listed.value.filter((id) => after === null || id > after);
    return this.#page(ids, limit);
  }

  /** The first instances of the list that are there: an id may be that of a deleted one. */
  async #page(ids: readonly string[], limit: number): Promise<Result<InstancePage, Failure>> {
    const instances: InstanceView[] = [];
    for (let at = 0; at < ids.length; ) {
      if (instances.length === limit) return ok({ instances, next_after: instances.at(-1)?.id ?? null });
      const looked = ids.slice(at, at + Math.min(limit - instances.length, AT_ONCE));
      at += looked.length;
      for (const view of await Promise.all(looked.map((id) => this.instance(id))))
        if (view.ok) instances.push(view.value);
        else if (view.error.kind !== "not-found") return view;
    }
    return ok({ instances, next_after: null });
  }

  /** Any turn of the instance. */
  async turn(id: string, number: number): Promise<Result<TurnView, Failure>> {
    const wrong = checkName(id, "id") ?? checkInteger(number, "turn", 1, Number.MAX_SAFE_INTEGER);
    if (wrong !== null) return err(wrong);
    return steadily(() => this.#turn(id, number));
  }

  async #turn(id: string, number: number): Promise<Result<TurnView, Failure>> {
    const loaded = await this.#instances.load(id);
    if (!loaded.ok) return loaded;
    const instance = loaded.value.value;
    if (isInHistory(instance, number)) {
      const moved = await this.#history.turn(instance, number);
      return moved.ok ? ok(turnView(id, moved.value)) : moved;
    }
    const turn = turnNumbered(instance, number);
    if (turn !== null) return ok(turnViewAt(instance, turn, this.#ports.clock.wallMs()));
    return err(failure("not-found", "turn_not_found", `turn ${number} of ${id} does not exist`, "turn"));
  }

  /** Finished turns after the cursor, oldest kept one first; also those that are about to move. */
  async history(request: HistoryRequest): Promise<Result<HistoryPage, Failure>> {
    const { workflow_id: id, limit = DEFAULTS.historyPage } = request;
    const cursor = request.after ?? 0;
    const wrong =
      checkName(id, "workflow_id") ??
      checkInteger(cursor, "after", 0, Number.MAX_SAFE_INTEGER) ??
      checkInteger(limit, "limit", 1, LIMITS.historyPage);
    if (wrong !== null) return err(wrong);
    return steadily(() => this.#finished(id, cursor, limit));
  }

  async #finished(id: string, cursor: number, limit: number): Promise<Result<HistoryPage, Failure>> {
    const loaded = await this.#instances.load(id);
    if (!loaded.ok) return loaded;
    const instance = loaded.value.value;
    const after = Math.max(cursor, instance.history_pruned_through);
    const unmoved = unmovedTurns(instance);
    const finishedThrough = instance.history_through + unmoved.length;
    const through = Math.min(after + limit, finishedThrough);
    const moved = await this.#history.turns(instance, after + 1, Math.min(through, instance.history_through));
    if (!moved.ok) return moved;
    const here = unmoved.filter(({ number }) => number > after && number <= through);
    const turns = [...moved.value, ...here].map((turn) => turnView(id, turn));
    return ok({ turns, next_after: through < finishedThrough ? through : null });
  }
}

/** Reads again from a newer identity when history moved on between the two. */
async function steadily<T>(read: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
  for (let again = 1; ; again++) {
    const result = await read();
    if (result.ok || result.error !== MOVED_ON || again === READS) return result;
  }
}
