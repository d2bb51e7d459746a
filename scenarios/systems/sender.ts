/**
 * A sender process: creates one instance and brings in its messages, each until it is acknowledged.
 *
 *   X1  a message without an answer is sent again under the same id, perhaps at another node, until there is one.
 *   X2  duplicates follow on purpose, at their time; of two or more, the last one carries another payload, which
 *       has to be refused.
 *
 *   X8  in a crowd each message is brought in by a client of its own, so that several are under way at once, mostly at the
 *       same node. Else each waits for the answer to the one before.
 *   X3  what is planned about a message, its signals and controls, follows once it is acknowledged (`people.ts`).
 *
 * Senders do not die: what they still have to send is the environment's, not the system's.
 */

import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { Origin, SendRequest } from "../../src/index.ts";
import { initialState, payloadOf } from "../workloads/handler.ts";
import type { InstancePlan, MessagePlan } from "../workloads/workload.ts";
import { type Caller, callerOf, type Nodes } from "./caller.ts";
import type { Outside } from "./outside.ts";
import { caretaker, follow, pauses } from "./people.ts";

export interface SenderSetup {
  readonly simulation: Simulation;
  readonly nodes: Nodes;
  readonly outside: Outside;
  readonly home: number;
}

export function sender(name: string, plan: InstancePlan, setup: SenderSetup): Process<null> {
  const { simulation, nodes, outside, home } = setup;
  outside.unsent += 1 + plan.messages.length;
  return simulation.process<null>(name, async (context) => {
    const client = callerOf(simulation, context, nodes, home);
    const { id, workflow_type, version, lease_ms, max_attempts, on_exhausted } = plan;
    const pinned = { id, workflow_type, version, state: initialState(plan), lease_ms, max_attempts };
    const request = on_exhausted === undefined ? pinned : { ...pinned, on_exhausted };
    await client.repeat(Number.POSITIVE_INFINITY, () => client.create(request));
    outside.unsent--;
    const others: Promise<void>[] = [];
    const people = { simulation, context, nodes, outside, home };
    if (pauses(plan)) others.push(caretaker(id, people));
    const bring = async (message: MessagePlan, client: Caller) => {
      await context.clock.sleep(message.sendAtMs - context.clock.monotonicMs());
      const bare = { workflow_id: id, id: message.id, message: payloadOf(message) };
      const send = message.acts === undefined ? bare : { ...bare, origin: originOf("first") };
      const sent = await client.repeat(Number.POSITIVE_INFINITY, () => client.send(send));
      outside.unsent += message.duplicates;
      if (sent.ok) others.push(...follow(id, sent.value.number, message, people));
      outside.unsent--;
      for (let nth = 1; nth <= message.duplicates; nth++)
        others.push(duplicate(send, message, nth, context, client, outside));
    };
    const brought: Promise<void>[] = [];
    for (const message of plan.messages)
      if (plan.crowded === true) brought.push(bring(message, callerOf(simulation, context, nodes, home)));
      else await bring(message, client);
    await Promise.all(brought);
    await Promise.all(others);
  });
}

/** An origin is no part of the message: a repeat may name another one, and the first stays. */
function originOf(note: string): Origin {
  return { kind: "app", note };
}

/** X2. */
async function duplicate(
  send: SendRequest,
  message: MessagePlan,
  nth: number,
  context: ProcessContext,
  client: Caller,
  outside: Outside,
): Promise<void> {
  await context.clock.sleep(nth * message.duplicateAfterMs);
  const differs = nth > 1 && nth === message.duplicates;
  const name = `${message.id}-changed`;
  const again = send.origin === undefined ? send : { ...send, origin: originOf("again") };
  const request = differs ? { ...again, message: { ...payloadOf(message), name } } : again;
  await client.repeat(Number.POSITIVE_INFINITY, () => client.send(request));
  outside.unsent--;
}
