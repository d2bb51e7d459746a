/**
 * A whole run in one process and in real time: nodes over a given store, workers and senders of the scenarios, crashes.
 *
 * What `baton chaos` does with processes of the machine, without them: so that the way from logs to verdict is tested in
 * seconds. A crash of a node here ends what its code can reach; only a real kill ends the code itself.
 *
 *   P1  each life of a process has a log of its own, and writes nothing more once it is over.
 *   P2  a request that a dead process had sent may land; one that it had not, does not.
 *   P3  faults are over before anybody waits for the rest: then no process goes down, and the store loses nothing.
 *   P4  clocks are right here. Wrong ones are for real processes, as are freezes.
 */
import { type Process, SeedSource } from "../../sim/index.ts";
import { type createNode, type Engine, type EngineConfig, keepReconciled } from "../../src/index.ts";
import { type Clock, type Ids, type ObjectStore, SILENT } from "../../src/ports/index.ts";
import { Hazards, NO_WORKER_HAZARDS, never } from "../systems/hazards.ts";
import { Outside } from "../systems/outside.ts";
import { reader } from "../systems/reader.ts";
import { sender } from "../systems/sender.ts";
import { worker } from "../systems/worker.ts";
import type { Workload } from "../workloads/workload.ts";
import type { FinalObject } from "./chains.ts";
import type { ChaosLog, Line, ProcessLog } from "./log-lines.ts";
import { Life, RealWorld } from "./real-world.ts";
import { RecordingStore } from "./recording-store.ts";
import { LATE_MS, SeededStrikes, type StrikeRates, seedOf } from "./strikes.ts";
import { everyObject, Unfinished } from "./unfinished.ts";

export interface InProcessSetup {
  readonly store: ObjectStore;
  readonly clock: Clock & { nowMs(): number };
  readonly ids: Ids;
  readonly seed: number;
  readonly config: EngineConfig;
  readonly workload: Workload;
  readonly nodes: number;
  readonly workers: number;
  readonly rates: StrikeRates;
  readonly forMs: number;
  /** A process is crashed about so often. */
  readonly crashEveryMs: number;
  /** Bound on the time until everything is done, after the faults. */
  readonly settleMs: number;
  readonly boot: typeof createNode;
}

export interface InProcessRun {
  readonly logs: readonly ProcessLog[];
  readonly objects: readonly FinalObject[];
  readonly healedAtMs: number;
  readonly endedAtMs: number;
  /** What was not done in time. */
  readonly waiting: readonly string[];
}

const LOOK_MS = 50;

export async function runInProcess(setup: InProcessSetup): Promise<InProcessRun> {
  const { clock, config, workload } = setup;
  const run = new InProcess(setup);
  run.start();
  await run.disturb();
  const healedAtMs = clock.nowMs();
  run.heal();
  const space = { tenant: config.tenant, graph: config.graph, epoch: String(config.epoch) };
  const waiting = await run.settle(new Unfinished(setup.store, space, workload));
  // The index has the time that it needs to find back to the truth.
  await clock.sleep(2 * config.reconcile_ms + LOOK_MS + LATE_MS);
  run.end();
  const objects = await everyObject(setup.store);
  return { logs: run.logs, objects, healedAtMs, endedAtMs: clock.nowMs(), waiting };
}

class InProcess {
  readonly logs: (ProcessLog & { readonly lines: Line[] })[] = [];
  readonly #setup: InProcessSetup;
  readonly #world: RealWorld;
  readonly #outside = new Outside();
  readonly #nodes: Process<Engine>[] = [];
  readonly #workers: Process<null>[] = [];
  readonly #senders: Process<null>[] = [];
  readonly #failures: string[] = [];
  #faulty = true;

  constructor(setup: InProcessSetup) {
    this.#setup = setup;
    const { clock, ids, seed } = setup;
    this.#world = new RealWorld({
      choices: new SeedSource(seed),
      clock,
      ids,
      logOf: (process, incarnation) => this.#logOf(process, incarnation),
      crashed: (process, error) => void this.#failures.push(`${process}: ${String(error)}`),
    });
    this.#declare();
  }

  #logOf(process: string, incarnation: number): ChaosLog {
    const lines: Line[] = [];
    this.logs.push({ process, incarnation, lines, unreadable: [] });
    return { nowMs: () => this.#setup.clock.nowMs(), write: (line) => void lines.push(line) };
  }

  #declare(): void {
    const { workload, nodes, workers } = this.#setup;
    const simulation = this.#world;
    for (let n = 1; n <= nodes; n++) this.#nodes.push(this.#node(`node-${n}`));
    const hazards = new Hazards(simulation, NO_WORKER_HAZARDS, 1);
    const shared = { simulation, nodes: this.#nodes, outside: this.#outside, hazards };
    for (let n = 0; n < workers; n++)
      this.#workers.push(
        worker(`worker-${n + 1}`, { ...shared, home: n, version: n % 2 === 0 ? "v1" : "v2" }),
      );
    for (const [n, plan] of workload.instances.entries())
      this.#senders.push(sender(`sender-${n + 1}`, plan, { ...shared, home: n }));
    const ids = workload.instances.map(({ id }) => id);
    this.#senders.push(reader("reader-1", { ...shared, ids, inboxes: true }));
  }

  #node(name: string): Process<Engine> {
    const { store: beneath, config, rates, seed, boot } = this.#setup;
    const node: Process<Engine> = this.#world.process<Engine>(name, async (context, serve) => {
      if (!(context instanceof Life)) return;
      const { clock, ids, random, log, incarnation } = context;
      const strikes = new SeededStrikes(seedOf(seed, name, incarnation), rates, () => this.#faulty);
      const die = (): void => this.#restart(node);
      const ports = { store: whileAlive(beneath, context), log, clock, strikes, die };
      const engine = boot({ store: new RecordingStore(ports), clock, ids, random, trace: SILENT }, config);
      serve(engine);
      await keepReconciled(engine, clock, config.reconcile_ms);
    });
    return node;
  }

  /** All at once: who comes first is the machine's choice. */
  start(): void {
    for (const process of [...this.#nodes, ...this.#workers, ...this.#senders]) process.start();
  }

  /** Crashes one process after another until the time is over. */
  async disturb(): Promise<void> {
    const { clock, forMs, crashEveryMs } = this.#setup;
    const victims = [...this.#nodes, ...this.#workers];
    while (clock.nowMs() < forMs) {
      await clock.sleep(crashEveryMs);
      const victim = victims[this.#world.choices.choose(victims.length, "chaos-victim")];
      if (victim !== undefined) this.#restart(victim);
    }
  }

  /** A crash, and a new life after a short while. */
  #restart(process: Process<unknown>): void {
    process.crash();
    this.#world.after(100, "restart", () => {
      if (!process.running) process.start();
    });
  }

  /** P3. */
  heal(): void {
    this.#faulty = false;
  }

  /** Looks at the store until everything is done, or the time is over; answers what is not. */
  async settle(unfinished: Unfinished): Promise<readonly string[]> {
    const { clock, settleMs } = this.#setup;
    for (const untilMs = clock.nowMs() + settleMs; ; ) {
      const waiting = [...this.#failures, ...(await unfinished.look())];
      const { unsent } = this.#outside;
      if (unsent > 0) waiting.push(`${unsent} sends have not been answered`);
      if (waiting.length === 0 || clock.nowMs() > untilMs) return waiting;
      await clock.sleep(LOOK_MS);
    }
  }

  end(): void {
    this.#outside.closed = true;
    for (const process of [...this.#senders, ...this.#workers, ...this.#nodes]) process.crash();
    // Effects were not written to a log: they are the world's own.
    const lines: Line[] = this.#outside.effects.map(({ atMs, ...effect }) => ({
      e: "effect",
      at: atMs,
      ...effect,
    }));
    this.logs.push({ process: "outside", incarnation: 1, lines, unreadable: [] });
  }
}

/** P2: the store as a process sees it that may die: nothing is sent or answered after its death. */
function whileAlive(beneath: ObjectStore, life: Life): ObjectStore {
  const pass = async <O>(send: () => Promise<O>): Promise<O> => {
    if (!life.alive) return never();
    const outcome = await send();
    return life.alive ? outcome : never();
  };
  return {
    get: (key) => pass(() => beneath.get(key)),
    put: (key, body, condition) => pass(() => beneath.put(key, body, condition)),
    delete: (key, condition) => pass(() => beneath.delete(key, condition)),
    list: (request) => pass(() => beneath.list(request)),
  };
}
