/**
 * A keeper: brings one instance through its lives, and whoever asks for its end beside it.
 *
 *   K1  in each life it creates the instance, sends its messages, each until it is answered, and repeats some; then it
 *       asks for the end, at once with others when so planned, whatever the workers are doing.
 *   K2  the last life goes on. A call of an earlier life that was sent twice, or late, may reach the last one: an unknown
 *       deletion may end it, and an unknown creation may begin it after its messages were refused. So in the end the
 *       keeper looks, and creates and sends again as long as there is no instance or it has had no message.
 *   K4  early in a life it puts a blob that some of its messages name, however late they come: by then the name may have
 *       been given up, and the message is refused.
 *   K3  it never dies: what it still has to do is the environment's, not the system's.
 */
import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { Engine, Failure, InstanceView } from "../../src/index.ts";
import type { Result } from "../../src/std/result.ts";
import { KEPT, type KeptInstance, type KeptMessage, type LifePlan } from "../workloads/lifetimes.ts";
import { NodeClient } from "./node-client.ts";

export interface KeeperSetup {
  readonly simulation: Simulation;
  readonly nodes: readonly Process<Engine>[];
  readonly home: number;
  /** Told once everything that is planned was asked and answered. */
  readonly done: () => void;
  readonly closed: () => boolean;
}

const FOREVER = Number.POSITIVE_INFINITY;
const LEASE_MS = 3_000;
const ATTEMPTS = 30;
/** K2: between two looks at the last life. */
const CARE_MS = 4_000;

export function keeper(name: string, plan: KeptInstance, setup: KeeperSetup): Process<unknown> {
  const { simulation } = setup;
  return simulation.process<null>(name, async (context) => {
    for (const life of plan.lives) await live(plan.id, life, context, setup);
    setup.done();
    const last = plan.lives.at(-1);
    const client = clientOf(context, setup);
    while (last !== undefined && !setup.closed()) {
      await context.clock.sleep(CARE_MS);
      const seen = await client.instance(plan.id);
      if (isMissing(seen)) await begin(plan.id, last, client);
      client.move();
    }
  });
}

function clientOf(context: ProcessContext, { simulation, nodes, home }: KeeperSetup): NodeClient {
  return new NodeClient(simulation, context, nodes, home + context.random.below(nodes.length, "keeper-node"));
}

/** K1. */
async function live(id: string, life: LifePlan, context: ProcessContext, setup: KeeperSetup): Promise<void> {
  const client = clientOf(context, setup);
  await create(id, client);
  const named = await reference(id, life, client);
  const repeats: Promise<void>[] = [];
  for (const message of life.messages) {
    await context.clock.sleep(message.waitMs);
    await send(id, message, named, client);
    if (message.repeats > 0) repeats.push(repeat(id, message, named, context, setup));
  }
  if (life.endsAfterMs === null) {
    await Promise.all(repeats);
    return;
  }
  await context.clock.sleep(life.endsAfterMs);
  const deleters = Array.from({ length: life.deleters }, () => clientOf(context, setup));
  await Promise.all(deleters.map((one) => one.repeat(FOREVER, () => one.delete({ workflow_id: id }))));
}

function create(id: string, client: NodeClient) {
  const request = {
    id,
    ...KEPT,
    state: { count: 0, blob: null },
    lease_ms: LEASE_MS,
    max_attempts: ATTEMPTS,
  };
  return client.repeat(FOREVER, () => client.create(request));
}

/** K4: what the messages of the life name; null: nothing. */
async function reference(id: string, { messages }: LifePlan, client: NodeClient): Promise<string | null> {
  if (!messages.some(({ payload }) => payload.blob === "message")) return null;
  const put = await client.repeat(FOREVER, () =>
    client.putBlob({ workflow_id: id, value: "a large message" }),
  );
  return put.ok ? put.value.reference : null;
}

function send(id: string, { id: messageId, payload }: KeptMessage, named: string | null, client: NodeClient) {
  const message = payload.blob === "message" ? { ...payload, named } : { ...payload };
  const request = { workflow_id: id, id: messageId, message };
  return client.repeat(FOREVER, () => client.send(request));
}

async function repeat(
  id: string,
  message: KeptMessage,
  named: string | null,
  context: ProcessContext,
  setup: KeeperSetup,
): Promise<void> {
  const client = clientOf(context, setup);
  for (let nth = 0; nth < message.repeats; nth++) {
    await context.clock.sleep(message.repeatAfterMs);
    client.move();
    await send(id, message, named, client);
  }
}

/** K2. */
function isMissing(seen: Result<InstanceView, Failure>): boolean {
  if (!seen.ok) return seen.error.kind === "not-found";
  const { pending_messages, completed_turns } = seen.value;
  return pending_messages === 0 && completed_turns === 0;
}

/** K2. */
async function begin(id: string, life: LifePlan, client: NodeClient): Promise<void> {
  await create(id, client);
  for (const message of life.messages) await send(id, message, null, client);
}
