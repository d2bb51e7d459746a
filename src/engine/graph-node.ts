/**
 * A node of a graph that can be created and deleted: each call is served by the engine of the present epoch.
 *
 * Owns the calls about the graph itself and P97; everything else is handed to the engine of the epoch as it is.
 *
 *   E1  a call is carried to one epoch, the one that was present when it began as far as this node knows. It is never
 *       repeated in another: what it did in an epoch that has ended is gone with it.
 *   E2  with no epoch present a call answers that the graph is not found and touches nothing; a sweep goes on with what
 *       a deletion has left.
 *   E3  all callers of a node share what it knows of the head (`epochs.ts`); each has an engine of its own.
 *
 * What it does not cover: a child that is started in an epoch just ended (P97) stays there, unseen and unswept.
 */
import { NO_GRAPH } from "../documents/graph-head.ts";
import { err, ok } from "../std/result.ts";
import type { Caller } from "../vocabulary/caller.ts";
import type { CreateRequest, StartChildRequest } from "../vocabulary/requests.ts";
import type { DeletionView, GraphView, InstanceView, TurnView } from "../vocabulary/view.ts";
import type { Engine, EngineNode, ReconcileReport, Reply } from "./engine.ts";
import type { Epochs } from "./epochs.ts";
import type { Parts } from "./parts.ts";
import { Relay } from "./relay.ts";

/** Makes the engine of an epoch for a caller. */
export type Serve = (parts: Parts, caller: Caller) => Engine;

const NOTHING: ReconcileReport = { instances: 0, repaired: 0, unread: 0 };

export class GraphNode extends Relay implements EngineNode {
  readonly #epochs: Epochs;
  readonly #caller: Caller;
  readonly #serve: Serve;
  #served: { readonly parts: Parts; readonly engine: Engine } | null = null;

  constructor(epochs: Epochs, caller: Caller, serve: Serve) {
    super();
    this.#epochs = epochs;
    this.#caller = caller;
    this.#serve = serve;
  }

  as(caller: Caller): Engine {
    return new GraphNode(this.#epochs, caller, this.#serve);
  }

  endWaits(): void {
    this.#epochs.waits.end();
  }

  flush(): Promise<void> {
    return this.#epochs.flush();
  }

  beginGraph(): Reply<boolean> {
    return this.#epochs.begin();
  }

  override createGraph(): Reply<GraphView> {
    return this.#epochs.create();
  }

  override async deleteGraph(): Reply<DeletionView> {
    const deleted = await this.#epochs.delete();
    return deleted.ok ? ok({ deleted: deleted.value }) : deleted;
  }

  /** E2. Without a graph there is nothing to sweep but what a deletion has left. */
  override async reconcile(): Reply<ReconcileReport> {
    const present = await this.#epochs.present();
    if (present.ok) return this.#engineOf(present.value).reconcile();
    if (present.error !== NO_GRAPH) return present;
    const erased = await this.#epochs.erase();
    return erased.ok ? ok(NOTHING) : erased;
  }

  override createInstance(request: CreateRequest): Reply<InstanceView> {
    return this.#creating(request.id, (engine) => engine.createInstance(request));
  }

  /** A child that comes too late stays in its ended epoch, where its parent is a tombstone. */
  override startChild(request: StartChildRequest): Reply<TurnView> {
    return this.#creating(null, (engine) => engine.startChild(request));
  }

  /** P97. */
  async #creating<T>(id: string | null, create: (engine: Engine) => Reply<T>): Reply<T> {
    const present = await this.#epochs.present();
    if (!present.ok) return present;
    const created = await create(this.#engineOf(present.value));
    if (!created.ok) return created;
    const goesOn = await this.#epochs.goesOn(present.value);
    if (!goesOn.ok) return err({ ...goesOn.error, kind: "unknown-outcome" });
    if (goesOn.value) return created;
    if (id !== null) await present.value.instances.delete(id, () => null);
    return err(NO_GRAPH);
  }

  /** E1. */
  protected override async relay<T>(call: (engine: Engine) => Reply<T>): Reply<T> {
    const present = await this.#epochs.present();
    return present.ok ? call(this.#engineOf(present.value)) : present;
  }

  /** E3. */
  #engineOf(parts: Parts): Engine {
    if (this.#served?.parts !== parts) this.#served = { parts, engine: this.#serve(parts, this.#caller) };
    return this.#served.engine;
  }
}
