/**
 * Nodes and workers that speak HTTP: the real server, worker and client, each its own process.
 *
 *   H1  a worker is the real `WorkflowWorker` over the real client; the hop is all that is the simulation's.
 *   H2  a worker that is told to stop ends its `run`; then its process begins a new one, as a supervisor would.
 *   H3  once the work is done a worker is told to stop at its next claim.
 *   H5  what a worker saves itself is drawn for each, one by one; the first of each is the documented protocol. A scenario
 *       may have them save all.
 *   H4  senders, people and readers speak through the real client, each call of theirs being one call of it.
 */
import type { Process, ProcessContext } from "../../sim/index.ts";
import { BatonClient } from "../../src/client/index.ts";
import { type WorkerSavings, WorkflowWorker } from "../../src/workflow/index.ts";
import type { Nodes } from "./caller.ts";
import type { Crew, CrewSetup } from "./crew.ts";
import { HttpCaller } from "./http-caller.ts";
import { httpOrders } from "./http-handler.ts";
import { type HopSetup, HttpHop } from "./http-hop.ts";
import { HttpLog, type Sender } from "./http-log.ts";
import { type HttpNode, httpNode, TOKEN } from "./http-node.ts";

/** How the workers of a scenario live. */
export interface HttpPlan {
  /** Turns at once, the first is the plainest. */
  readonly concurrency: readonly number[];
  /** Whether workers are told to stop now and then; some of them twice. */
  readonly stops: boolean;
  /** How long held turns may go on after a stop, milliseconds. */
  readonly drainMs: number;
  /** Whether each worker saves itself all that it can; absent: it is drawn. */
  readonly savesAll?: boolean;
  /** Within how many seconds of its start; absent: 40. */
  readonly stopsWithinSeconds?: number;
  /** Whether the code of a turn may change between its attempts. */
  readonly changes: boolean;
}

/** A worker is told to stop within this many seconds of its start. */
const STOPS_WITHIN_SECONDS = 40;
const SAVES_ALL: WorkerSavings = { recordOperations: "long", foldLastStep: true, claimNext: true };
const URL = "http://baton.simulation";

export class HttpCrew implements Crew {
  readonly log = new HttpLog();
  readonly #plan: HttpPlan;
  readonly #setup: CrewSetup;
  readonly #nodes: Process<HttpNode>[] = [];

  constructor(plan: HttpPlan, setup: CrewSetup) {
    this.#plan = plan;
    this.#setup = setup;
  }

  /** H4. */
  get nodes(): Nodes {
    const { length } = this.#nodes;
    return { length, connect: (context, home) => this.#caller(context, home) };
  }

  get #hops(): HopSetup {
    return { simulation: this.#setup.simulation, nodes: this.#nodes, log: this.log };
  }

  #caller(context: ProcessContext, home: number): HttpCaller {
    const by = this.log.sender(context.name, context.incarnation, "client");
    const hop = new HttpHop(this.#hops, context, home, by);
    return new HttpCaller(hop, this.#client(context, hop), context);
  }

  #client({ clock, random }: ProcessContext, http: HttpHop): BatonClient {
    return new BatonClient({ url: URL, apiKey: TOKEN, graph: "main", http, clock, random });
  }

  node(name: string): Process<unknown> {
    const { log } = this;
    const node = httpNode(name, { ...this.#setup, log });
    this.#nodes.push(node);
    return node;
  }

  worker(name: string, home: number, version: string): Process<null> {
    const { simulation, outside, hazards } = this.#setup;
    const { concurrency: sizes, changes } = this.#plan;
    const size = sizes[sizes.length > 1 ? simulation.choices.choose(sizes.length, "concurrency") : 0] ?? 1;
    const savings = this.#savings();
    const self: Process<null> = simulation.process<null>(name, async (context) => {
      while (!outside.closed) {
        const by = this.log.sender(name, context.incarnation, "worker", size, savings);
        const hop = new HttpHop(this.#hops, context, home, by);
        const shop = { simulation, context, outside, hazards, log: this.log, hop, self, changes };
        const { drainMs } = this.#plan;
        const options = { worker: name, concurrency: size, drainMs, ...savings };
        const worker = new WorkflowWorker(this.#client(context, hop), [httpOrders(version, shop)], options);
        hop.beforeClaim = () => {
          if (outside.closed) worker.stop();
        };
        if (this.#plan.stops && hazards.on) void this.#stops(worker, context, by);
        await worker.run();
        this.#told("ended", context, by);
      }
    });
    return self;
  }

  /** H5. */
  #savings(): WorkerSavings {
    if (this.#plan.savesAll === true) return SAVES_ALL;
    const { choices } = this.#setup.simulation;
    const draws = (label: string) => choices.choose(2, label) === 1;
    return {
      recordOperations: draws("worker-records-long") ? "long" : "always",
      foldLastStep: draws("worker-folds"),
      claimNext: draws("worker-claims-next"),
    };
  }

  /** H2: a stop at some time, and as often as not a second one soon. */
  async #stops(worker: WorkflowWorker, context: ProcessContext, by: Sender): Promise<void> {
    const { clock, random } = context;
    await clock.sleep(this.#stopAfterMs(random));
    if (!this.#setup.hazards.on || this.#setup.outside.closed) return;
    const again = random.below(2, "stop-again") === 1;
    this.#setup.simulation.incident("worker-stop", context.name, again ? "and again soon" : "");
    this.#told("first", context, by);
    worker.stop();
    if (!again) return;
    await clock.sleep(100 * (1 + random.below(20, "stop-again-after")));
    this.#told("again", context, by);
    worker.stop();
  }

  /** A short time is counted in milliseconds, so that a stop meets any moment of a turn. */
  #stopAfterMs(random: ProcessContext["random"]): number {
    const seconds = this.#plan.stopsWithinSeconds;
    if (seconds === undefined) return 1_000 * (1 + random.below(STOPS_WITHIN_SECONDS, "stop-after"));
    return 1 + random.below(1_000 * seconds, "stop-after");
  }

  #told(kind: "first" | "again" | "ended", { clock }: ProcessContext, by: Sender): void {
    const { drainMs } = this.#plan;
    this.log.stops.push({ by, kind, drainMs, nth: this.log.next(), monoMs: clock.monotonicMs() });
  }
}
