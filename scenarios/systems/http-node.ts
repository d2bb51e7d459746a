/**
 * A server as a process: the real handlers over the real engine, over the simulated store.
 *
 *   D1  it is asked through `handle` and nothing else, as a socket would.
 *   D2  told to stop, it drains: waiting claims are answered, what is under way is finished, what others do not know yet
 *       is told, and it is done.
 *   D3  what the engine was asked for a request, and what the server made of the answer, is kept for the checkers.
 *   D4  it sweeps the graph that it was started for, whether anybody has asked for it in this life or not.
 */
import type { Process, ProcessContext, SimulatedStore, Simulation, Stage } from "../../sim/index.ts";
import { createNode, type EngineConfig, type EngineNode } from "../../src/index.ts";
import type { HttpRequest, HttpResponse } from "../../src/ports/http.ts";
import { SILENT } from "../../src/ports/index.ts";
import { createServer } from "../../src/server/index.ts";
import type { Abortable } from "../../src/std/cancel.ts";
import type { EngineCall, HttpLog } from "./http-log.ts";
import { type Asked, saidBy } from "./http-wire.ts";

export interface HttpNode {
  /** The life that serves. */
  readonly context: ProcessContext;
  handle(request: HttpRequest, asked: Asked, gone: Abortable): Promise<HttpResponse>;
}

export interface HttpNodeSetup {
  readonly simulation: Simulation;
  readonly store: SimulatedStore;
  readonly config: EngineConfig;
  readonly log: HttpLog;
  readonly strikes: Stage["strikes"];
}

/** What clients send. */
export const TOKEN = "token-of-the-simulation";

export function httpNode(name: string, setup: HttpNodeSetup): Process<HttpNode> {
  const { simulation, config, log } = setup;
  return simulation.process<HttpNode>(name, async (context, serve) => {
    const { clock, ids, random } = context;
    const store = setup.store.client(context);
    const calls: EngineCall[] = [];
    const server = createServer({
      clock,
      ids,
      trace: SILENT,
      tokens: { api: TOKEN },
      version: "0.0.0",
      openGraph: (graph) =>
        watched(createNode({ store, clock, ids, random, trace: SILENT }, { ...config, graph }), calls),
    });
    let underWay = 0;
    let stopped: (() => void) | null = null;
    const handle: HttpNode["handle"] = async (request, asked, gone) => {
      underWay++;
      const from = calls.length;
      const response = await server.handle(request, gone);
      underWay--;
      if (underWay === 0) stopped?.();
      const said = saidBy(asked.operation, response);
      log.served.push({
        node: name,
        asked,
        response,
        said,
        atMs: simulation.now(),
        calls: calls.slice(from),
      });
      return response;
    };
    const stop = (): Promise<void> =>
      new Promise<void>((resolve) => {
        server.drain();
        stopped = resolve;
        if (underWay === 0) resolve();
      }).then(() => server.flush());
    serve({ context, handle }, stop);
    for (;;) {
      await clock.sleep(config.reconcile_ms);
      // D4.
      server.node(config.graph);
      await server.sweep();
    }
  });
}

/** D3: the same node, each call of which is kept. */
function watched(node: EngineNode, calls: EngineCall[]): EngineNode {
  return new Proxy(node, {
    get(target, operation) {
      const member: unknown = Reflect.get(target, operation, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        const made: unknown = Reflect.apply(member, target, args);
        if (operation === "as" && isNode(made)) return watched(made, calls);
        const call: EngineCall = { operation: String(operation), args, reply: undefined };
        calls.push(call);
        if (made instanceof Promise)
          made.then((reply: unknown) => {
            call.reply = reply;
          });
        return made;
      };
    },
  });
}

/** `as` answers an engine; nobody asks that one for another caller. */
function isNode(value: unknown): value is EngineNode {
  return typeof value === "object" && value !== null;
}
