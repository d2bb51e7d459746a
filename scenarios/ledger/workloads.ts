/**
 * What is measured: one entry for each row of the ledger, in the order in which it is shown.
 *
 * A handoff is the way of one message: admitted, claimed, its steps saved, completed. In most rows one comes after the
 * other and nothing else goes on beside them but the sweeps of the nodes, so the counts do not depend on timing. In
 * `at-once-64` and `contended` callers race each other on purpose; they are told by their seed.
 *
 *
 *   O1  nodes sweep all the while, at their usual interval: what that costs a handoff depends on how many there are in an
 *       interval, and belongs to it.
 *   O2  the first turns are not counted: caches fill, the history begins to move, copies age.
 *   O3  a row's name stays when its protocol gets cheaper: it names the work, not how it is done.
 *
 * What several rows differ in is a curve: `steps-*`, `identities-*`, `nodes-*`, `inbox-*`, `history-*`. Its first point
 * is `sticky`.
 */
import type { Desk } from "./desk.ts";
import { type MeasuredPlan, type MeasuredScenario, measured } from "./measured.ts";

const WARM_UP = 16;
const HANDOFFS = 128;

/** One message after the other, each claimed at the node that `at` names for the turn, counted from 0. */
async function oneByOne(desk: Desk, handoffs: number, at: (n: number) => number): Promise<void> {
  const { identities, waiting, history } = desk.configuration;
  const turn = async (n: number): Promise<void> => {
    await desk.send(0, n % identities);
    await desk.work(at(n), await desk.claim(at(n)));
  };
  await desk.create();
  for (let n = 0; n < waiting; n++) await desk.send(0);
  const first = Math.max(WARM_UP, history);
  for (let n = 0; n < first; n++) await turn(n);
  desk.begin();
  for (let n = first; n < first + handoffs; n++) await turn(n);
  desk.end();
}

const here = (): number => 0;

function sticky(plan: Omit<MeasuredPlan, "drive">, handoffs = HANDOFFS): MeasuredScenario {
  return measured({ ...plan, drive: (desk) => oneByOne(desk, handoffs, here) });
}

/** A turn for each message that waits; `workers` race for them. */
async function drain(
  desk: Desk,
  turns: number,
  node: number,
  worker: string,
  left: { turns: number },
): Promise<void> {
  left.turns = Math.max(left.turns, turns);
  while (left.turns > 0) {
    const task = await desk.look(node, worker);
    if (task === null) continue;
    await desk.work(node, task);
    left.turns--;
  }
}

async function atOnce(desk: Desk, messages: number, rounds: number): Promise<void> {
  await desk.create();
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) desk.begin();
    await Promise.all(Array.from({ length: messages }, () => desk.send(0)));
    await drain(desk, messages, 0, "worker-1", { turns: messages });
  }
  desk.end();
}

/** Each node has a sender that sends one message after the other, and a worker; all about one identity. */
async function contend(desk: Desk, each: number): Promise<void> {
  const nodes = desk.nodes.map((_, node) => node);
  const send = async (node: number, messages: number): Promise<void> => {
    for (let n = 0; n < messages; n++) await desk.send(node);
  };
  const round = async (messages: number): Promise<void> => {
    const left = { turns: messages * nodes.length };
    const workers = nodes.map((node) => drain(desk, 0, node, `worker-${node + 1}`, left));
    await Promise.all([...nodes.map((node) => send(node, messages)), ...workers]);
  };
  await desk.create();
  await round(2);
  desk.begin();
  await round(each);
  desk.end();
}

/** A worker dies with its node after half of the steps; another one at another node ends the turn. */
async function recover(desk: Desk, handoffs: number): Promise<void> {
  const turn = async (): Promise<void> => {
    await desk.send(0);
    await desk.step(1, await desk.claim(1, "worker-1"), 0);
    const [, lost] = desk.nodes;
    lost?.crash();
    lost?.start();
    await desk.work(0, await desk.claim(0, "worker-2"));
  };
  await desk.create(15_000);
  for (let n = 0; n < 2; n++) await turn();
  desk.begin();
  for (let n = 0; n < handoffs; n++) await turn();
  desk.end();
}

/** A step that takes as long as a lease, so it is renewed each third. */
async function renew(desk: Desk, handoffs: number): Promise<void> {
  const turn = async (): Promise<void> => {
    await desk.send(0);
    const task = await desk.claim(0);
    await desk.step(0, task, 0, 3);
    await desk.complete(0, task);
  };
  await desk.create();
  for (let n = 0; n < 4; n++) await turn();
  desk.begin();
  for (let n = 0; n < handoffs; n++) await turn();
  desk.end();
}

/**
 * Nothing to do; that many workers wait at each node. Whole claims: what a worker asks goes on for as long as is measured.
 * Before that each node has looked at each identity once, as it does again after an hour; that look is not counted.
 */
async function idle(desk: Desk, workers: number, claims: number): Promise<void> {
  const waiting = desk.nodes.flatMap((_, node) =>
    Array.from({ length: workers }, (_, n) => [node, n] as const),
  );
  const wait = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++)
      await Promise.all(waiting.map(([node, worker]) => desk.look(node, `worker-${node + 1}-${worker + 1}`)));
  };
  await desk.create();
  await wait(12);
  desk.begin();
  await wait(claims);
  desk.end();
}

export const workloads: readonly MeasuredScenario[] = [
  sticky({ name: "sticky", claim: "the same worker takes one turn after the other" }),
  measured({
    name: "cross-node",
    claim: "each turn is claimed on another node than the last",
    nodes: 2,
    drive: (desk) => oneByOne(desk, HANDOFFS, (n) => n),
  }),
  ...[2, 8, 32, 64].map((steps) =>
    sticky({ name: `steps-${steps}`, claim: `turns of ${steps} steps`, steps }, steps < 32 ? 32 : 8),
  ),
  ...[10, 100, 1_000].map((identities) =>
    sticky({ name: `identities-${identities}`, claim: `${identities} identities in turn`, identities }, 64),
  ),
  measured({
    name: "at-once-64",
    claim: "64 messages are sent to one identity at once",
    waiting: 64,
    drive: (desk) => atOnce(desk, 64, 2),
  }),
  measured({
    name: "contended",
    claim: "four nodes with a sender and a worker each race about one identity",
    nodes: 4,
    drive: (desk) => contend(desk, 16),
  }),
  measured({
    name: "long-step",
    claim: "the lease is renewed three times within one step",
    drive: (desk) => renew(desk, 32),
  }),
  sticky(
    {
      name: "long-history",
      claim: "a long history in its steady state: each turn that comes lets one be pruned",
      history: 640,
      keepMs: 60_000,
    },
    256,
  ),
  measured({
    name: "crash-recovery",
    claim: "a worker dies with its node in the middle of a turn, and another one ends it",
    nodes: 2,
    steps: 2,
    drive: (desk) => recover(desk, 16),
  }),
  measured({
    name: "idle-fleet",
    claim: "nothing to do: four workers wait at each of four nodes, which know a thousand identities",
    unit: "node-hour",
    nodes: 4,
    identities: 1_000,
    steps: 0,
    drive: (desk) => idle(desk, 4, 36),
  }),
  ...[4, 8].map((nodes) =>
    measured({
      name: `nodes-${nodes}`,
      claim: `each turn is claimed on the next of ${nodes} nodes`,
      nodes,
      drive: (desk: Desk) => oneByOne(desk, HANDOFFS, (n) => n),
    }),
  ),
  ...[16, 64, 120].map((waiting) =>
    sticky({ name: `inbox-${waiting}`, claim: `${waiting} messages wait behind each turn`, waiting }, 32),
  ),
  ...[64, 256, 512].map((history) =>
    sticky({ name: `history-${history}`, claim: `${history} turns are finished before`, history }, 32),
  ),
];
