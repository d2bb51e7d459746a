/**
 * Everybody who asks something of the servers of a real run, in the process that leads it: senders, people, a reader.
 *
 * They are the environment and not the system: they are never killed, and go on until everything is answered.
 */
import type { Process } from "../../sim/index.ts";
import type { Engine } from "../../src/index.ts";
import { Outside } from "../systems/outside.ts";
import { reader } from "../systems/reader.ts";
import { sender } from "../systems/sender.ts";
import type { Workload } from "../workloads/workload.ts";
import { type RealPorts, RealWorld } from "./real-world.ts";

export interface Callers {
  /** What was not answered yet. */
  readonly unsent: number;
  /** No more calls. */
  end(): void;
}

/** Starts them; their messages are sent at times of the run's axis, `laterMs` after those of the workload. */
export function startCallers(
  workload: Workload,
  engines: readonly (readonly [name: string, engine: Engine])[],
  ports: RealPorts,
  laterMs: number,
): Callers {
  const simulation = new RealWorld(ports);
  const outside = new Outside();
  const nodes = engines.map(([name, engine]) => simulation.remote(name, engine));
  const shared = { simulation, nodes, outside };
  const instances = workload.instances.map((plan) => ({
    ...plan,
    messages: plan.messages.map((message) => ({ ...message, sendAtMs: message.sendAtMs + laterMs })),
  }));
  const callers: Process<null>[] = instances.map((plan, n) =>
    sender(`sender-${n + 1}`, plan, { ...shared, home: n }),
  );
  const ids = instances.map(({ id }) => id);
  callers.push(reader("reader-1", { ...shared, ids, inboxes: true }));
  for (const caller of callers) caller.start();
  return {
    get unsent() {
      return outside.unsent;
    },
    end() {
      outside.closed = true;
      for (const caller of callers) caller.crash();
    },
  };
}
