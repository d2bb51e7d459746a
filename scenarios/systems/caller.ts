/**
 * How a sender, a person or a reader asks the system: by calls to a node, or over HTTP by the real client.
 *
 * Owns the choice between the two, so that who asks is written once. Does not own what is asked.
 */
import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { Engine } from "../../src/index.ts";
import { NodeClient } from "./node-client.ts";

/** What people and senders ask; workers have ways of their own. */
export type Caller = Pick<
  NodeClient,
  | "move"
  | "create"
  | "send"
  | "signal"
  | "control"
  | "instance"
  | "turn"
  | "history"
  | "inbox"
  | "typeInbox"
  | "repeat"
>;

/** The nodes as something that can be spoken to: so many of them, and a caller that begins at one. */
export interface Connect {
  readonly length: number;
  connect(context: ProcessContext, home: number): Caller;
}

export type Nodes = readonly Process<Engine>[] | Connect;

/** A caller of its own; `home`: the node it begins at, counted around. */
export function callerOf(
  simulation: Simulation,
  context: ProcessContext,
  nodes: Nodes,
  home: number,
): Caller {
  return "connect" in nodes ? nodes.connect(context, home) : new NodeClient(simulation, context, nodes, home);
}
