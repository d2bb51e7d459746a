/**
 * The operator's own workflow beside strangers: an instance of a reserved type, the operator's worker, a person, and a
 * stranger who tries everything that is not the stranger's.
 *
 *   U1  each asks nodes that take it for what it is (`NodeCast.nodeFor`): who a caller is, is decided before the engine.
 *   U2  the stranger knows the token of every attempt of the operator: nothing but its being a stranger keeps it out.
 *   U3  done means: the person and the stranger have asked all that is planned, and no turn is unfinished or unmoved.
 *   U4  processes are named after who they are, which the checker goes by.
 *   U5  the stranger has an instance of its own as well, from which it asks for a child of a reserved type: there the name
 *       is all that is reserved.
 *
 * Does not own what may be refused and what may not: that is `checkers/i26-reserved.ts`, which reads the calls.
 */
import type { Process, ProcessContext, SimulatedStore, Simulation, Stage } from "../../sim/index.ts";
import type { Engine, EngineConfig, LeaseRequest, Task } from "../../src/index.ts";
import type { Json } from "../../src/std/json.ts";
import { isOver } from "../checkers/kinds.ts";
import { Decoder, type Space } from "../checkers/records.ts";
import { type CastPlan, NodeCast } from "./cast.ts";
import { NodeClient } from "./node-client.ts";

/** Of a type that is reserved, worked on by the operator. */
export const AUDIT = { id: "audit", workflow_type: "lbb.audit", version: "v1" };
/** The stranger's own. */
const ERRANDS = { id: "errands", workflow_type: "errand", version: "v1" };
const RESERVED_ID = "calibration";

const FOREVER = Number.POSITIVE_INFINITY;
const TRIES = 4;
const LEASE_MS = 4_000;
const ATTEMPTS = 30;
const LOOK_EACH_MS = 500;
const CARE_MS = 4_000;
const MESSAGES = 4;
/** What the stranger tries, at least one and at most so many times. */
const MOST_MOVES = 30;

/** Everything that a stranger may not do to the operator's instance, or with a reserved name. */
const MOVES = [
  "create-type",
  "create-id",
  "claim",
  "heartbeat",
  "operation",
  "progress",
  "checkpoint",
  "wait",
  "complete",
  "fail",
  "child",
  "reserved-child",
  "migrate",
  "requeue",
  "blob",
  "send",
  "signal",
  "pause",
  "cancel",
  "delete",
  "look",
] as const;
type Move = (typeof MOVES)[number];

export class ReservedSystem {
  readonly decoder: Decoder;
  readonly #simulation: Simulation;
  readonly #store: SimulatedStore;
  readonly #cast: NodeCast;
  /** U2. */
  #stolen: LeaseRequest = { workflow_id: AUDIT.id, turn: 1, token: "guessed" };
  #open = 2;
  #closed = false;
  #lookAtMs = 0;

  constructor(plan: CastPlan, stage: Stage, config: EngineConfig, space: Space) {
    const { simulation, store } = stage;
    this.#simulation = simulation;
    this.#store = store;
    this.decoder = new Decoder(space);
    this.#cast = new NodeCast(plan, stage, config);
    const own = this.#cast.nodeFor("own");
    const console = this.#cast.nodeFor("person");
    const moves = 1 + simulation.choices.choose(MOST_MOVES, "stranger-moves");
    this.#cast.add(this.#operator(own));
    this.#cast.add(this.#person(console));
    this.#cast.add(this.#stranger(moves));
    this.#cast.start();
  }

  /** Makes the reserved instance and works on its turns, in two steps each. */
  #operator(node: Process<Engine>): Process<unknown> {
    return this.#simulation.process<null>("operator-1", async (context) => {
      const client = new NodeClient(this.#simulation, context, [node], 0);
      await create(AUDIT, client);
      while (!this.#closed) {
        const claimed = await client.claim({ worker: context.name, workflows: [AUDIT] });
        if (claimed.ok && claimed.value !== null) await this.#work(claimed.value, client, context);
        else await context.clock.sleep(300 + context.random.below(700, "operator-rest"));
      }
    });
  }

  /** Slow enough for strangers to come between. */
  async #work({ turn, token }: Task, client: NodeClient, { clock, random }: ProcessContext): Promise<void> {
    const lease = { workflow_id: AUDIT.id, turn: turn.number, token };
    this.#stolen = lease;
    await clock.sleep(random.below(1_500, "operator-works"));
    const step = { ...lease, position: 0, key: "look", kind: "step", output: turn.number } as const;
    if (turn.steps.length === 0 && !(await client.repeat(TRIES, () => client.checkpoint(step))).ok) return;
    await clock.sleep(random.below(1_500, "operator-works"));
    await client.repeat(TRIES, () => client.complete({ ...lease, state: turn.number, result: null }));
  }

  /** A person may send, signal and control what is reserved. */
  #person(node: Process<Engine>): Process<unknown> {
    return this.#simulation.process<null>("person-1", async (context) => {
      const { clock, random } = context;
      const client = new NodeClient(this.#simulation, context, [node], 0);
      while (!(await client.instance(AUDIT.id)).ok) await clock.sleep(500);
      for (let n = 1; n <= MESSAGES; n++) {
        await clock.sleep(random.below(4_000, "person-waits"));
        const message = { workflow_id: AUDIT.id, id: `person-message-${n}`, message: n };
        await client.repeat(FOREVER, () => client.send(message));
        const event = { workflow_id: AUDIT.id, turn: n, id: `person-signal-${n}`, name: "go", value: n };
        await client.repeat(TRIES, () => client.signal(event));
        if (n !== 2) continue;
        await client.repeat(FOREVER, () => client.control({ workflow_id: AUDIT.id, action: "pause" }));
        await client.repeat(FOREVER, () => client.control({ workflow_id: AUDIT.id, action: "resume" }));
      }
      this.#open--;
      // A pause that was sent twice may take hold after its resume.
      while (!this.#closed) {
        await clock.sleep(CARE_MS);
        await client.control({ workflow_id: AUDIT.id, action: "resume" });
      }
    });
  }

  /** Goes from node to node and tries one thing after another, at times of its own. */
  #stranger(moves: number): Process<unknown> {
    return this.#simulation.process<null>("stranger-1", async (context) => {
      const { clock, random } = context;
      const client = new NodeClient(this.#simulation, context, this.#cast.nodes, 0);
      await create(ERRANDS, client);
      for (let n = 0; n < moves; n++) {
        await clock.sleep(random.below(1_000, "stranger-waits"));
        const move = MOVES[random.below(MOVES.length, "stranger-move")] ?? "look";
        await this.#try(move, `stranger-${n}`, client, context.name);
        client.move();
      }
      this.#open--;
    });
  }

  /** One call as a stranger. Whether it was right to refuse it is for the checker. */
  async #try(move: Move, name: string, client: NodeClient, worker: string): Promise<unknown> {
    const workflow_id = AUDIT.id;
    const lease = this.#stolen;
    const place = { ...lease, position: 0, key: name };
    const { workflow_type, version } = AUDIT;
    switch (move) {
      case "create-type":
        return client.create({ id: name, workflow_type, version });
      case "create-id":
        return client.create({ id: RESERVED_ID, workflow_type: ERRANDS.workflow_type, version });
      case "claim":
        return client.claim({ worker, workflows: [ERRANDS, AUDIT] });
      case "heartbeat":
        return client.heartbeat(lease);
      case "operation":
        return client.operation({ ...place, kind: "step", timeout_ms: 60_000 });
      case "progress":
        return client.progress({ ...lease, key: "look", sequence: 1, details: name, checkpoint: null });
      case "checkpoint":
        return client.checkpoint({ ...place, kind: "step", output: name });
      case "wait":
        return client.waitSignal({ ...place, name: "go", timeout_ms: 1_000 });
      case "complete":
        return client.complete({ ...lease, state: name, result: null });
      case "fail":
        return client.fail({ ...lease, error: name, non_retryable: true });
      case "child":
        return client.startChild({ ...place, ...childOf(ERRANDS.workflow_type, name) });
      case "reserved-child":
        return this.#childOfErrand(name, client, worker);
      case "migrate":
        return client.migrate({ ...lease, from: "v1", to: "v2", state: name });
      case "requeue":
        return client.requeue({ ...lease, key: name, instances: [{ instance: name, error: "no" }] });
      case "blob":
        return client.putBlob({ workflow_id, value: name });
      case "send":
        return client.send({ workflow_id, id: name, message: name });
      case "signal":
        return client.signal({ workflow_id, turn: lease.turn, id: name, name: "go", value: name });
      case "pause":
        return client.control({ workflow_id, action: "pause" });
      case "cancel":
        return client.control({ workflow_id, action: "cancel_turn", turn: lease.turn });
      case "delete":
        return client.delete({ workflow_id });
      case "look":
        await client.history({ workflow_id });
        await client.inbox({ workflow_id });
        return client.instance(workflow_id);
    }
  }

  /** U5. From a turn of its own, a child of a reserved type; then the turn goes on without it. */
  async #childOfErrand(name: string, client: NodeClient, worker: string): Promise<void> {
    const send = { workflow_id: ERRANDS.id, id: name, message: name };
    await client.repeat(FOREVER, () => client.send(send));
    for (let tried = 0; tried < TRIES; tried++) {
      const claimed = await client.claim({ worker, workflows: [ERRANDS] });
      if (!claimed.ok || claimed.value === null) continue;
      const { turn, token } = claimed.value;
      const lease = { workflow_id: ERRANDS.id, turn: turn.number, token };
      await client.startChild({ ...lease, position: 0, key: name, ...childOf(AUDIT.workflow_type, name) });
      await client.repeat(TRIES, () => client.complete({ ...lease, state: name, result: null }));
    }
  }

  finished(): boolean {
    if (this.#closed) return true;
    const nowMs = this.#simulation.now();
    if (this.#open > 0 || nowMs < this.#lookAtMs) return false;
    this.#lookAtMs = nowMs + LOOK_EACH_MS;
    this.#closed = this.#unfinished() === "";
    return this.#closed;
  }

  /** U3, of the operator's instance: in words; empty: nothing is. */
  #unfinished(): string {
    const last = this.#store.chains.get(this.decoder.identityKey(AUDIT.id))?.at(-1);
    const identity = last === undefined ? null : this.decoder.identity(last);
    if (identity === null) return `${AUDIT.id} does not live`;
    const head = identity.value.turns.find((turn) => !isOver(turn));
    return head === undefined ? "" : `turn ${head.number} is ${head.status} in attempt ${head.attempt}`;
  }

  waiting(): string {
    return this.#open > 0 ? `${this.#open} have not asked everything` : this.#unfinished();
  }

  heal(): void {
    this.#cast.heal();
  }
}

function create(
  instance: { readonly id: string; readonly workflow_type: string; readonly version: string },
  client: NodeClient,
) {
  const request = { ...instance, state: 0, lease_ms: LEASE_MS, max_attempts: ATTEMPTS };
  return client.repeat(FOREVER, () => client.create(request));
}

/** A child that nobody waits for long. */
function childOf(workflow_type: string, message: Json) {
  return { workflow_type, version: "v1", message, timeout_ms: 1_000, lease_ms: LEASE_MS, max_attempts: 1 };
}
