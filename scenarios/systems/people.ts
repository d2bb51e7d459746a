/**
 * What follows a message: the senders of its signals, and the person who acts on its turn.
 *
 *   X4  each signal and each action is repeated until it is answered, and then again as often as planned: the same
 *       event; of two or more repeats the last has another value, which has to be refused. An answer is an answer,
 *       also when it is a refusal.
 *   X5  what is aimed waits for its turn to wait, looking now and then, and is sent about `AIM_MS` around the end of that
 *       wait: its length after it was seen to have begun, whatever this process's wall clock shows. When the turn never
 *       waits it is sent all the same.
 *   X6  a pause that was sent twice may take hold after the resume. So a caretaker looks at an instance that somebody
 *       pauses, and resumes it until all work is done.
 *   X7  a wake names its turn when that is an even one, and means whichever is at the head when it is not. One that names
 *       its turn is aimed at the end of the wait of the turn in front, which it must not end.
 *
 * Each acts through a client of its own, so that two of them may use two nodes at once.
 */
import type { ProcessContext, Simulation } from "../../sim/index.ts";
import type { ControlRequest, SignalRequest, WaitReason } from "../../src/index.ts";
import type { ControlPlan, InstancePlan, MessagePlan, SignalPlan } from "../workloads/workload.ts";
import { type Caller, callerOf, type Nodes } from "./caller.ts";
import type { Outside } from "./outside.ts";

export interface PeopleSetup {
  readonly simulation: Simulation;
  readonly context: ProcessContext;
  readonly nodes: Nodes;
  readonly outside: Outside;
  readonly home: number;
}

const FOREVER = Number.POSITIVE_INFINITY;
/** A turn that nobody ever admits. */
const MISSING_TURN = 99;
/** X5. */
const LOOKS = 25;
const LOOK_MS = 400;
const AIM_MS = 150;
/** Between two looks of the caretaker, milliseconds. */
const CARE_MS = 3_000;

/** Starts everything that is planned about the turn of a message. */
export function follow(id: string, turn: number, message: MessagePlan, people: PeopleSetup): Promise<void>[] {
  const { signals = [], controls = [] } = message;
  people.outside.unsent += signals.length + controls.length;
  return [
    ...signals.map((plan) => signalTurn(id, turn, plan, people)),
    ...controls.map((plan) => actOnTurn(id, turn, plan, people)),
  ];
}

async function signalTurn(id: string, turn: number, plan: SignalPlan, people: PeopleSetup): Promise<void> {
  const { context, outside } = people;
  const client = clientOf(people);
  const target = plan.stray === "missing" ? MISSING_TURN : turn + (plan.stray === "next" ? 1 : 0);
  const request: SignalRequest = {
    workflow_id: id,
    turn: target,
    id: plan.id,
    name: plan.name,
    value: plan.value,
  };
  await moment(id, turn, plan, ["signal"], client, people);
  await client.repeat(FOREVER, () => client.signal(request));
  for (let nth = 1; nth <= plan.repeats; nth++) {
    await context.clock.sleep(plan.repeatAfterMs);
    client.move();
    const differs = nth > 1 && nth === plan.repeats;
    const again = differs ? { ...request, value: "another" } : request;
    await client.repeat(FOREVER, () => client.signal(again));
  }
  outside.unsent--;
}

async function actOnTurn(id: string, turn: number, plan: ControlPlan, people: PeopleSetup): Promise<void> {
  const { context, outside } = people;
  const client = clientOf(people);
  const { action } = plan;
  const ofTurn = action === "retry" || action === "skip" || action === "cancel_turn";
  // X7.
  const named = ofTurn || (action === "wake" && turn % 2 === 0);
  const request: ControlRequest = named ? { workflow_id: id, action, turn } : { workflow_id: id, action };
  const watched = named && !ofTurn ? turn - 1 : turn;
  await moment(id, watched, plan, ["retry", "capacity"], client, people);
  await client.repeat(FOREVER, () => client.control(request));
  for (let nth = 1; nth <= plan.repeats; nth++) {
    await context.clock.sleep(plan.repeatAfterMs);
    client.move();
    await client.repeat(FOREVER, () => client.control(request));
  }
  outside.unsent--;
}

/** A client at a node of its own choosing. */
function clientOf({ simulation, context, nodes, home }: PeopleSetup): Caller {
  return callerOf(simulation, context, nodes, home + context.random.below(nodes.length, "person-node"));
}

/** X5: waits until the plan's time has come. */
async function moment(
  id: string,
  turn: number,
  { aimed, afterMs }: { readonly aimed: boolean; readonly afterMs: number },
  reasons: readonly WaitReason[],
  client: Caller,
  { context }: PeopleSetup,
): Promise<void> {
  if (!aimed) return context.clock.sleep(afterMs);
  for (let look = 1; look <= LOOKS; look++) {
    const seen = await client.turn(id, turn);
    if (seen.ok && seen.value.waiting_for !== null && reasons.includes(seen.value.waiting_for)) {
      const { ready_at_ms, updated_at_ms } = seen.value;
      const leftMs = ready_at_ms - updated_at_ms - LOOK_MS / 2;
      const offMs = context.random.below(2 * AIM_MS, "person-aims") - AIM_MS;
      return context.clock.sleep(Math.max(0, Math.min(leftMs + offMs, LOOKS * LOOK_MS)));
    }
    if (seen.ok && seen.value.finished_at_ms !== null) return;
    await context.clock.sleep(LOOK_MS);
  }
}

/** Whether somebody pauses the instance. */
export function pauses({ messages }: InstancePlan): boolean {
  return messages.some(({ controls = [] }) => controls.some(({ action }) => action === "pause"));
}

/** X6. */
export async function caretaker(id: string, people: PeopleSetup): Promise<void> {
  const { context, outside } = people;
  const client = clientOf(people);
  while (!outside.closed) {
    await context.clock.sleep(CARE_MS);
    const seen = await client.instance(id);
    if (seen.ok && seen.value.status === "paused")
      await client.repeat(FOREVER, () => client.control({ workflow_id: id, action: "resume" }));
    client.move();
  }
}
