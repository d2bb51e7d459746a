/**
 * A command of the comparison as a call of the engine.
 *
 * The names are those of the engine's methods. A request reaches the engine as it is: what is wrong in it was made wrong on
 * purpose, and the engine has to refuse it itself. Reads that take their arguments one by one get them from the fields of
 * the same name in the contract.
 */
import type { Engine, Failure } from "../../src/index.ts";
import type { Abortable } from "../../src/std/cancel.ts";
import type { Result } from "../../src/std/result.ts";

type Reply = Promise<Result<unknown, Failure>>;
type Request = { readonly [field: string]: unknown };

/**
 * Asks the engine. The request may have fields of any type: the engine has to refuse those that are wrong. `gone`: when the
 * caller of a claim hangs up.
 */
export function ask(engine: Engine, operation: string, request: Request, gone?: Abortable): Reply {
  // biome-ignore lint/suspicious/noExplicitAny: what comes from outside has no type, and wrong types are asked on purpose
  const any: any = request;
  switch (operation) {
    case "createInstance":
      return engine.createInstance(any);
    case "sendMessage":
      return engine.sendMessage(any);
    case "signal":
      return engine.signal(any);
    case "control":
      return engine.control(any);
    case "heartbeat":
      return engine.heartbeat(any);
    case "operation":
      return engine.operation(any);
    case "progress":
      return engine.progress(any);
    case "checkpoint":
      return engine.checkpoint(any);
    case "waitSignal":
      return engine.waitSignal(any);
    case "complete":
      return engine.complete(any);
    case "fail":
      return engine.fail(any);
    case "requeue":
      return engine.requeue(any);
    case "migrate":
      return engine.migrate(any);
    case "startChild":
      return engine.startChild(any);
    case "deleteInstance":
      return engine.deleteInstance(any);
    case "createGraph":
      return engine.createGraph();
    case "deleteGraph":
      return engine.deleteGraph();
    case "putBlob":
      return engine.putBlob(any);
    case "getBlob":
      return engine.getBlob(any.workflow_id, any.reference);
    case "reconcile":
      return engine.reconcile();
    case "getInstance":
      return engine.getInstance(any.id);
    case "getTurn":
      return engine.getTurn(any.workflow_id, any.turn);
    case "history":
      return engine.history(any);
    case "inbox":
      return engine.inbox(any);
    case "typeInbox":
      return engine.typeInbox(any);
    case "listInstances":
      return engine.listInstances(any);
    default:
      return engine.claim(any, gone);
  }
}
