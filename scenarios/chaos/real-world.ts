/**
 * The simulation's interface over real time: senders, people, readers and workers of the scenarios run here unchanged.
 *
 *   W1  time is real: one clock for all of its processes, and a sleep takes as long as it says.
 *   W2  a process that was crashed sends nothing and learns nothing: what it awaits is never answered. What it had sent
 *       may land.
 *   W3  a call is written down before it is made and when its caller learns of its outcome.
 *   W4  what varies here are the draws of the callers; the order of events is the machine's, so no run comes back from
 *       its seed.
 *
 *   W5  code of a process that throws is told to whoever runs this world; the others go on.
 *
 * Not here: pauses, twins, starved and stopped processes, clocks that differ. Real processes have those.
 */
import type {
  CallOutcome,
  CallRequest,
  ChoiceSource,
  Main,
  Process,
  ProcessContext,
  Simulation,
} from "../../sim/index.ts";
import type { Clock, Ids } from "../../src/ports/index.ts";
import { assert } from "../../src/std/assert.ts";
import { never } from "../systems/hazards.ts";
import type { ChaosLog } from "./log-lines.ts";

export interface RealPorts {
  readonly choices: ChoiceSource;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The log of one life of a process. */
  readonly logOf: (process: string, incarnation: number) => ChaosLog;
  /** Told of code that threw. */
  readonly crashed: (process: string, error: unknown) => void;
}

/** How long a caller waits before it learns that nobody is there, milliseconds. */
const REFUSED_MS = 5;
const UNKNOWN: { readonly kind: "unknown-outcome" } = { kind: "unknown-outcome" };

/** One life of a process. */
export class Life implements ProcessContext {
  readonly name: string;
  readonly incarnation: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: ProcessContext["random"];
  readonly log: ChaosLog;
  alive = true;
  #calls = 0;

  constructor(ports: RealPorts, name: string, incarnation: number) {
    this.name = name;
    this.incarnation = incarnation;
    this.ids = ports.ids;
    const log = ports.logOf(name, incarnation);
    // W2: a dead process writes nothing down either.
    this.log = { nowMs: () => log.nowMs(), write: (line) => this.alive && log.write(line) };
    this.random = { below: (n, label) => ports.choices.choose(n, label) };
    this.clock = {
      wallMs: () => ports.clock.wallMs(),
      monotonicMs: () => ports.clock.monotonicMs(),
      sleep: async (ms) => {
        await ports.clock.sleep(ms);
        if (!this.alive) await never();
      },
    };
  }

  nextCall(): number {
    this.#calls += 1;
    return this.#calls;
  }
}

class RealProcess<Service> implements Process<Service> {
  readonly name: string;
  readonly #ports: RealPorts;
  readonly #main: Main<Service>;
  readonly #note: (kind: string, detail: string) => void;
  #boots = 0;
  #life: Life | null = null;
  #service: Service | null = null;
  readonly paused = false;
  readonly clockOffsetMs = 0;

  constructor(
    ports: RealPorts,
    name: string,
    main: Main<Service>,
    note: (kind: string, detail: string) => void,
  ) {
    this.#ports = ports;
    this.name = name;
    this.#main = main;
    this.#note = note;
  }

  get running(): boolean {
    return this.#life !== null;
  }
  get service(): Service | null {
    return this.#service;
  }
  serviceOf(life: ProcessContext): Service | null {
    return this.#life === life ? this.#service : null;
  }

  start(): void {
    if (this.#life !== null) this.crash();
    this.#boots += 1;
    const life = new Life(this.#ports, this.name, this.#boots);
    this.#life = life;
    this.#note("start", `incarnation ${this.#boots}`);
    const serve = (service: Service): void => {
      if (life.alive) this.#service = service;
    };
    this.#main(life, serve).catch((error: unknown) => this.#ports.crashed(this.name, error));
  }

  /** W2: nobody is told; the life just ends. */
  crash(): void {
    if (this.#life === null) return;
    this.#life.alive = false;
    this.#life = null;
    this.#service = null;
    this.#note("crash", `incarnation ${this.#boots}`);
  }

  resume(): void {}
  stop = noSuch("stop");
  pause = noSuch("pause");
  starve = noSuch("starve");
  twin = noSuch("twin");
  untwin = noSuch("untwin");
  setClock = noSuch("set the clock of");
  setClockOffset = noSuch("set the clock of");
}

/** What only real processes, or only simulated ones, can be put through. */
function noSuch(what: string): () => void {
  return () => assert(false, `nothing can ${what} a process that shares its machine's memory and clock`);
}

export class RealWorld implements Simulation {
  readonly choices: ChoiceSource;
  readonly #ports: RealPorts;
  /** Where incidents are told, beside the logs of the processes. */
  readonly #log: ChaosLog;

  constructor(ports: RealPorts) {
    this.#ports = ports;
    this.choices = ports.choices;
    this.#log = ports.logOf("world", 1);
  }

  now(): number {
    return this.#log.nowMs();
  }

  process<Service>(name: string, main: Main<Service>): Process<Service> {
    return new RealProcess(this.#ports, name, main, (kind, detail) => this.incident(kind, name, detail));
  }

  /** A process that runs elsewhere and is reached through `service`; nobody here starts or crashes it. */
  remote<Service>(name: string, service: Service): Process<Service> {
    const remote = new RealProcess<Service>(
      this.#ports,
      name,
      async (_, serve) => serve(service),
      () => undefined,
    );
    remote.start();
    return remote;
  }

  after(delayMs: number, _label: string, fire: () => void): void {
    void this.#ports.clock.sleep(delayMs).then(fire);
  }

  deliver(to: ProcessContext, delayMs: number, label: string, fire: () => void): void {
    this.after(delayMs, label, () => {
      if (to.alive) fire();
    });
  }

  /** W3. */
  async call<Service, T>(
    from: ProcessContext,
    target: Process<Service>,
    request: CallRequest,
    invoke: (service: Service) => Promise<T>,
    timeoutMs: number,
  ): Promise<CallOutcome<T>> {
    assert(from instanceof Life, "a caller of this world is one of its processes");
    if (!from.alive) return never();
    const { log } = from;
    const id = from.nextCall();
    log.write({ e: "call-sent", at: log.nowMs(), id, to: target.name, ...request });
    const outcome = await this.#outcome(target, invoke, timeoutMs);
    if (!from.alive) return never();
    const reply = outcome.kind === "answered" ? outcome.value : null;
    log.write({ e: "call-told", at: log.nowMs(), id, outcome: outcome.kind, reply, faults: [] });
    return outcome;
  }

  async #outcome<Service, T>(
    target: Process<Service>,
    invoke: (service: Service) => Promise<T>,
    timeoutMs: number,
  ): Promise<CallOutcome<T>> {
    const { clock } = this.#ports;
    const { service } = target;
    if (service === null) {
      await clock.sleep(REFUSED_MS);
      return UNKNOWN;
    }
    // The answer of a life that has ended meanwhile never arrives.
    const answered = invoke(service).then((value): Promise<CallOutcome<T>> | CallOutcome<T> =>
      target.service === service ? { kind: "answered", value } : never(),
    );
    return Promise.race([answered, clock.sleep(timeoutMs).then(() => UNKNOWN)]);
  }

  incident(kind: string, process: string | null, detail: string): void {
    this.#log.write({ e: "incident", at: this.#log.nowMs(), kind, process, detail });
  }
}
