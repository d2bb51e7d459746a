/**
 * What stands around an engine in its process: it is told to stop, and its memory may be lossy.
 *
 *   G1  told to stop, a node takes no further claim, finishes the calls that it has begun, tells what others do not know
 *       yet, and is done. Other calls that come meanwhile are served.
 *   G2  N07: a claim may find the node without the copies that it kept, and a sweep may be missed as a timer that
 *       never fired is. Calls that are under way go on with what they had.
 *
 * Every other call is handed on as it is and counted while it is under way: what a node answers is never changed here.
 *
 * Claims that wait when the stop is told are not ended, so one of them may still take a turn. A server ends them
 * (`http-node.ts`).
 */
import {
  type ClaimRequest,
  type Engine,
  type EngineNode,
  type Failure,
  type ReconcileReport,
  Relay,
  type Reply,
  type Task,
} from "../../src/index.ts";
import type { Abortable } from "../../src/std/cancel.ts";
import { err, ok } from "../../src/std/result.ts";

const STOPPING: Failure = {
  kind: "unavailable",
  code: "stopping",
  message: "the node is about to stop; ask another one",
  param: null,
};
/** One life of an engine's memory: what its callers ask, and the node beneath. */
export interface Booted {
  readonly engine: Engine;
  readonly node: Pick<EngineNode, "flush">;
}

const NOT_SWEPT = { instances: 0, repaired: 0, unread: 0 };

export class NodeShell extends Relay {
  readonly #boot: () => Booted;
  readonly #losesMemory: () => boolean;
  #booted: Booted;
  #underWay = 0;
  #stopped: (() => void) | null = null;

  /** `boot` makes an engine with empty memory; `losesMemory` is asked at each claim and sweep. */
  constructor(boot: () => Booted, losesMemory: () => boolean) {
    super();
    this.#boot = boot;
    this.#losesMemory = losesMemory;
    this.#booted = boot();
  }

  /** G1. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#stopped = resolve;
      if (this.#underWay === 0) resolve();
    });
    await this.#booted.node.flush();
  }

  override claim(request: ClaimRequest, gone?: Abortable): Reply<Task | null> {
    if (this.#stopped !== null) return Promise.resolve(err(STOPPING));
    if (this.#losesMemory()) this.#booted = this.#boot();
    return super.claim(request, gone);
  }
  override reconcile(): Reply<ReconcileReport> {
    if (this.#stopped !== null || this.#losesMemory()) return Promise.resolve(ok(NOT_SWEPT));
    return super.reconcile();
  }

  /** The reply as it is; the last one under way ends a stop. */
  protected override async relay<T>(call: (engine: Engine) => Reply<T>): Reply<T> {
    this.#underWay++;
    try {
      return await call(this.#booted.engine);
    } finally {
      this.#underWay--;
      if (this.#underWay === 0) this.#stopped?.();
    }
  }
}
