/**
 * What is measured: one entry for each row of the ledger, in the order in which it is shown.
 *
 * A handoff is the way of one message: admitted, claimed, its steps saved, completed. In most rows one comes after the
 * other and nothing else goes on beside them but the sweeps of the nodes, so the counts do not depend on timing. In
 * `at-once-64`, `contended` and the rates callers race each other on purpose; they are told by their seed and have no
 * serial time.
 *
 *   O1  nodes sweep all the while, at their usual interval: what that costs a handoff depends on how many there are in an
 *       interval, and belongs to it.
 *   O2  the first turns are not counted: caches fill, the history begins to move, copies age.
 *   O3  a row's name stays when its protocol gets cheaper: it names the work, not how it is done.
 *
 * What several rows differ in is a curve: `steps-*`, `identities-*`, `nodes-*`, `inbox-*`, `history-*`. Its first point
 * is `sticky`.
 */
import { type Desk, identityOf } from "./desk.ts";
import { type MeasuredPlan, type MeasuredScenario, measured } from "./measured.ts";

const WARM_UP = 16;
const HANDOFFS = 128;

/**
 * The worker that completes a turn takes the next one of the instance with it: its message came, one by one, while the
 * worker had the turn before. With several identities it is one turn of each after the other.
 */
async function onAndOn(desk: Desk, handoffs: number): Promise<void> {
  const { identities, waiting, history } = desk.configuration;
  const all = Array.from({ length: identities }, (_, n) => n);
  await desk.create();
  for (let n = 0; n < waiting; n++) await desk.send(0);
  await Promise.all(all.map((identity) => desk.send(0, identity)));
  const tasks = await Promise.all(all.map(() => desk.claim(0)));
  const turns = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      const task = tasks[n % identities] ?? (await desk.claim(0));
      await desk.send(0, identityOf(task));
      tasks[n % identities] = (await desk.work(0, task)) ?? (await desk.claim(0));
    }
  };
  await turns(Math.max(WARM_UP, history));
  desk.begin();
  await turns(handoffs);
  desk.end();
}

/** One message after the other through the first node, each claimed by a call at the next node in turn. */
async function oneByOne(desk: Desk, handoffs: number): Promise<void> {
  const turns = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      await desk.send(0);
      await desk.work(n, await desk.claim(n));
    }
  };
  await desk.create();
  await turns(WARM_UP);
  desk.begin();
  await turns(handoffs);
  desk.end();
}

function sticky(plan: Omit<MeasuredPlan, "drive">, handoffs = HANDOFFS): MeasuredScenario {
  return measured({ ...plan, drive: (desk) => onAndOn(desk, handoffs) });
}

/** Nothing waits when a turn ends, so each message is claimed by a call. */
function apart(plan: Omit<MeasuredPlan, "drive">): MeasuredScenario {
  return measured({ ...plan, drive: (desk) => oneByOne(desk, HANDOFFS) });
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
    let task = await desk.look(node, worker);
    for (; task !== null; left.turns--) task = await desk.work(node, task, worker);
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

/**
 * As many workers as there are identities take what comes. Each identity gets its messages one by one at its node, the next
 * one when a worker has begun with the one before. The first and the last tenth of the turns are not counted: there the
 * work is still, or already, uneven.
 */
async function pour(desk: Desk, each: number): Promise<void> {
  const { identities } = desk.configuration;
  const count = desk.nodes.length;
  const turns = identities * each;
  let done = 0;
  const left = Array.from({ length: identities }, () => each);
  const send = async (identity: number): Promise<void> => {
    if (left[identity] === 0) return;
    left[identity] = (left[identity] ?? 0) - 1;
    await desk.send(identity % count, identity);
  };
  const work = async (worker: number): Promise<void> => {
    const name = `worker-${worker}`;
    while (done < turns) {
      let task = await desk.look(worker % count, name);
      while (task !== null) {
        await send(identityOf(task));
        task = await desk.work(worker % count, task, name);
        done++;
        if (done * 10 === turns) desk.begin();
        if (done * 10 === turns * 9) desk.end();
      }
    }
  };
  await desk.create();
  const all = Array.from({ length: identities }, (_, n) => n);
  await Promise.all([...all.map(send), ...all.map(work)]);
}

export const workloads: readonly MeasuredScenario[] = [
  sticky({ name: "sticky", claim: "the same worker takes one turn after the other" }, 1_024),
  sticky({
    name: "sticky-checkpoint",
    claim: "the same, and each step is saved by a checkpoint of its own",
    worker: { folds: false },
  }),
  sticky({
    name: "sticky-documented",
    claim: "the same by the calls of the documented protocol",
    worker: { folds: false, claims_next: false, records_starts: true },
  }),
  apart({ name: "cross-node", claim: "each turn is claimed on another node than the last", nodes: 2 }),
  ...[2, 8, 32, 64].map((steps) =>
    sticky({ name: `steps-${steps}`, claim: `turns of ${steps} steps`, steps }, steps < 32 ? 32 : 8),
  ),
  ...[10, 100, 1_000].map((identities) =>
    sticky({ name: `identities-${identities}`, claim: `${identities} identities in turn`, identities }, 64),
  ),
  measured({
    name: "at-once-64",
    claim:
      "64 messages are sent to one identity at once, and the node is told how often a key may be written",
    waiting: 64,
    keyWritesPerSecond: 15,
    // One write admits many messages, so what one of them waited for is in the handoff of another.
    races: true,
    drive: (desk) => atOnce(desk, 64, 2),
  }),
  measured({
    name: "contended",
    claim: "four nodes with a sender and a worker each race about one identity",
    nodes: 4,
    // What a node does about the messages of others stands between two completions of its own.
    races: true,
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
  measured({
    name: "graph-rate",
    claim: "a thousand identities at work at once at four nodes",
    nodes: 4,
    identities: 1_000,
    // Completions follow each other within a millisecond: between two of them lies the work on other identities.
    races: true,
    drive: (desk) => pour(desk, 4),
  }),
  measured({
    name: "graph-rate-slow-keys",
    claim: "the same on a store that takes one write of a key in a second",
    profile: "r2",
    keyWritesPerSecond: 1,
    nodes: 4,
    identities: 1_000,
    // As above.
    races: true,
    drive: (desk) => pour(desk, 4),
  }),
  ...[4, 8].map((nodes) =>
    apart({ name: `nodes-${nodes}`, claim: `each turn is claimed on the next of ${nodes} nodes`, nodes }),
  ),
  ...[16, 64, 120].map((waiting) =>
    sticky({ name: `inbox-${waiting}`, claim: `${waiting} messages wait behind each turn`, waiting }, 32),
  ),
  ...[64, 256, 512].map((history) =>
    sticky({ name: `history-${history}`, claim: `${history} turns are finished before`, history }, 32),
  ),
];
