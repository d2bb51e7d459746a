/**
 * A node: the engine over one store. A thin shell that checks a request, carries a command to a document and
 * shows what became of it. It keeps nothing but a short-lived copy of the scheduling index.
 */
import { indexCodec, instanceCodec } from "../documents/codec.ts";
import type { StorePorts } from "../documents/conditional-write.ts";
import { History } from "../documents/history.ts";
import { Instances } from "../documents/instances.ts";
import { Keys } from "../documents/keys.ts";
import { remembered } from "../documents/remembered-codec.ts";
import { IndexObject } from "../documents/scheduling-index.ts";
import { checkpoint } from "../protocol/checkpoint.ts";
import { complete, repeatedComplete } from "../protocol/complete.ts";
import { create } from "../protocol/create.ts";
import { refuse } from "../protocol/decision.ts";
import { fail } from "../protocol/fail.ts";
import { heartbeat } from "../protocol/heartbeat.ts";
import { repeatedSend, send } from "../protocol/send.ts";
import { instanceView, turnView } from "../protocol/view.ts";
import { err, ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { TurnView } from "../vocabulary/view.ts";
import { Claims } from "./claims.ts";
import type { EngineConfig } from "./config.ts";
import type { Engine } from "./engine.ts";
import { Reads } from "./reads.ts";
import {
  checkCheckpoint,
  checkClaim,
  checkComplete,
  checkCreate,
  checkFail,
  checkLease,
  checkSend,
} from "./request-check.ts";
import { Sweeper } from "./sweeper.ts";

/** A node over these ports. Any number of nodes may share a store. */
export function createNode(ports: StorePorts, config: EngineConfig): Engine {
  const keys = new Keys(config);
  const codecs = { instance: remembered(instanceCodec), index: remembered(indexCodec) };
  const history = new History(ports, keys, codecs);
  const index = new IndexObject(ports, keys, codecs);
  const instances = new Instances(ports, keys, codecs, history, index);
  const claims = new Claims(ports, keys, instances, index, config.poll_ms);
  const sweeper = new Sweeper(ports, keys, instances, history, index);
  const reads = new Reads(ports, instances, history, sweeper);
  return {
    getInstance: (id) => reads.instance(id),
    listInstances: (request) => reads.instances(request),
    history: (request) => reads.history(request),
    getTurn: (id, turn) => reads.turn(id, turn),
    reconcile: () => sweeper.pass(),

    async createInstance(request) {
      const wrong = checkCreate(request);
      if (wrong !== null) return err(wrong);
      const incarnation = ports.ids.next();
      const settled = await instances.create(request.id, (instance, moment) =>
        create(instance, request, incarnation, moment),
      );
      if (!settled.ok) return settled;
      return ok(instanceView(settled.value.reply, settled.value.stamp, ports.clock.wallMs()));
    },

    async sendMessage(request) {
      const wrong = checkSend(request);
      if (wrong !== null) return err(wrong);
      const settled = await instances.change(request.workflow_id, async (instance, moment) => {
        const moved = await history.turnOfMessage(instance, request.id);
        if (!moved.ok) return refuse(moved.error);
        if (moved.value === null || moved.value > instance.history_through)
          return send(instance, request, moment);
        const earlier = await history.turn(instance, moved.value);
        return earlier.ok ? repeatedSend(earlier.value, request) : refuse(earlier.error);
      });
      if (settled.ok && settled.value.wrote) claims.forget();
      return shownTurn(request.workflow_id, settled);
    },

    async claim(request) {
      const wrong = checkClaim(request);
      return wrong === null ? claims.next(request) : err(wrong);
    },

    async heartbeat(request) {
      const wrong = checkLease(request);
      if (wrong !== null) return err(wrong);
      const settled = await instances.change(request.workflow_id, (i, moment) =>
        heartbeat(i, request, moment),
      );
      return shownTurn(request.workflow_id, settled);
    },

    async checkpoint(request) {
      const wrong = checkCheckpoint(request);
      if (wrong !== null) return err(wrong);
      const settled = await instances.change(request.workflow_id, (i, moment) =>
        checkpoint(i, request, moment),
      );
      return shownTurn(request.workflow_id, settled);
    },

    async complete(request) {
      const wrong = checkComplete(request);
      if (wrong !== null) return err(wrong);
      const settled = await instances.change(request.workflow_id, async (instance, moment) => {
        if (request.turn > instance.history_through) return complete(instance, request, moment);
        const moved = await history.turn(instance, request.turn);
        return moved.ok ? repeatedComplete(moved.value, request) : refuse(moved.error);
      });
      if (settled.ok && settled.value.wrote) claims.forget();
      return shownTurn(request.workflow_id, settled);
    },

    async fail(request) {
      const wrong = checkFail(request);
      if (wrong !== null) return err(wrong);
      const settled = await instances.change(request.workflow_id, (i, moment) => fail(i, request, moment));
      return shownTurn(request.workflow_id, settled);
    },
  };
}

function shownTurn(
  workflowId: string,
  settled: Result<{ readonly reply: Turn }, Failure>,
): Result<TurnView, Failure> {
  return settled.ok ? ok(turnView(workflowId, settled.value.reply)) : settled;
}
