/**
 * For the tests of this folder: a simulated store with scripted faults and draws, in a world whose processes do
 * nothing but hold a client of it.
 *
 * A test speaks to the clients from outside the world, so it hears an outcome only after the world has run.
 */

import type { ObjectStore } from "../../src/ports/object-store.ts";
import { assert, present } from "../../src/std/assert.ts";
import type { FaultKind, StoreOperation } from "../history/history.ts";
import {
  type ChoiceSource,
  type Draw,
  type Process,
  type ProcessContext,
  ScriptSource,
  World,
} from "../kernel/index.ts";
import { DEFAULT_LATENCY, type LatencyBounds } from "./latency.ts";
import type { StoreProfile } from "./profiles/index.ts";
import { GCS } from "./profiles/sound.ts";
import { SimulatedStore } from "./simulated-store.ts";
import {
  NO_STORE_FAULTS,
  type ProcessFaultKind,
  type StoreFaultKind,
  type StoreFaults,
} from "./store-faults.ts";

/** Faults in the order of requests; none when the list has run out. */
class ScriptedFaults implements StoreFaults {
  enabled = true;
  readonly lateByMs = 10_000;
  strike: ((kind: ProcessFaultKind, process: string) => void) | null = null;
  /** What a partition cuts off. */
  cuts: "requests" | "answers" = "requests";
  /** Extra microtasks before each answer is heard. */
  extraHops = 0;
  /** What strikes the next requests. */
  next: (StoreFaultKind | null)[] = [];
  readonly counted: FaultKind[] = [];

  storeFault(): StoreFaultKind | null {
    return this.next.shift() ?? null;
  }

  cut(): "requests" | "answers" {
    return this.cuts;
  }

  hops(): number {
    return this.extraHops;
  }

  struck(kind: FaultKind): void {
    this.counted.push(kind);
  }
}

/** Draws by label, cut to the range; 0 for a label that is not scripted. Keeps what was asked. */
class LabelledSource implements ChoiceSource {
  readonly drawn: Draw[] = [];
  readonly #values: { readonly [label: string]: number };

  constructor(values: { readonly [label: string]: number }) {
    this.#values = values;
  }

  choose(n: number, label: string): number {
    const value = Math.min(this.#values[label] ?? 0, n - 1);
    this.drawn.push({ label, n, value });
    return value;
  }
}

export interface StoreBench {
  readonly store: SimulatedStore;
  readonly faults: ScriptedFaults;
  now(): number;
  /** The store as the process sees it: `a`, `b` or `setup`. */
  client(process: string): ObjectStore;
  crash(process: string): void;
  resume(process: string): void;
  alive(process: string): boolean;
  /** The operation sent last. */
  last(): StoreOperation;
  /** The bodies of all versions of the key, null for a deletion. */
  bodies(key: string): (string | null)[];
  /** The draws of the store so far. */
  storeDraws(): readonly Draw[];
  /** Sends, lets everything happen that is due by then, and tells what the sender heard. */
  ask<O>(send: () => Promise<O>, untilMs?: number): Promise<O | "no answer yet">;
  /** Lets this much time pass. */
  pass(ms: number): Promise<void>;
  /** Lets everything happen that is due. */
  settle(): Promise<void>;
}

const PROCESSES = ["setup", "a", "b"];

/** Counter etags, conditions on deletes, 409s for losers, and no limit on writes. */
const BENCH_PROFILE: StoreProfile = {
  ...GCS,
  name: "bench",
  onMissingKey: "not-found",
  contention: "conflict",
  writesPerSecond: null,
};

/** A bench whose draws are 0 except for those given. */
export async function openBench(
  draws: { readonly [label: string]: number } = {},
  profile: StoreProfile = BENCH_PROFILE,
  latency: LatencyBounds = DEFAULT_LATENCY,
): Promise<StoreBench> {
  const source = new LabelledSource(draws);
  const world = new World({ source });
  const faults = new ScriptedFaults();
  const store = new SimulatedStore(world, { faults, profile, latency });
  const processes = new Map<string, Process<ProcessContext>>();
  const clients = new Map<string, ObjectStore>();
  for (const name of PROCESSES) {
    const process = world.process<ProcessContext>(name, async (context, serve) => serve(context));
    process.start();
    processes.set(name, process);
  }
  await runUntil(world, Number.POSITIVE_INFINITY);
  for (const [name, { service }] of processes) clients.set(name, store.client(present(service, name)));
  const process = (name: string) => present(processes.get(name), name);
  faults.strike = (kind, name) => {
    if (kind === "N01-crash") process(name).crash();
    else if (kind === "N02-pause") process(name).pause();
    else if (kind === "N03-starve") process(name).starve(1_000, 5_000);
    else if (kind === "N04-stop") process(name).stop(10);
    else process(name).twin();
  };
  return {
    store,
    faults,
    now: () => world.now(),
    client: (name) => present(clients.get(name), name),
    crash: (name) => process(name).crash(),
    resume: (name) => process(name).resume(),
    alive: (name) => process(name).running,
    last: () => present(store.operations.at(-1), "an operation"),
    bodies: (key) => (store.chains.get(key) ?? []).map((version) => version.body),
    storeDraws: () => source.drawn.filter(({ label }) => label.startsWith("store-")),
    async ask<O>(send: () => Promise<O>, untilMs = Number.POSITIVE_INFINITY) {
      const heard: O[] = [];
      void send().then((outcome) => heard.push(outcome));
      await runUntil(world, untilMs);
      return heard[0] ?? "no answer yet";
    },
    pass(ms) {
      world.after(ms, "pass", () => undefined);
      return runUntil(world, world.now() + ms);
    },
    settle: () => runUntil(world, Number.POSITIVE_INFINITY),
  };
}

async function runUntil(world: World, deadlineMs: number): Promise<void> {
  const end = await world.run({ until: () => false, deadlineMs });
  assert(end.kind !== "failed", "the world of the bench does not fail");
}

/** A store without faults whose world runs whenever somebody waits for an answer. Requests overtake each other. */
export async function drivenStore(
  profile: StoreProfile,
): Promise<{ readonly store: ObjectStore; close(): Promise<void> }> {
  const world = new World({ source: new ScriptSource(Array.from({ length: 500 }, (_, i) => (i * 7) % 5)) });
  const simulated = new SimulatedStore(world, { profile, faults: NO_STORE_FAULTS });
  const process = world.process<ObjectStore>("a", async (context, serve) => serve(simulated.client(context)));
  process.start();
  await runUntil(world, Number.POSITIVE_INFINITY);
  const client = present(process.service, "the client");
  let running: Promise<void> | null = null;
  async function driven<O>(answer: Promise<O>): Promise<O> {
    const heard: O[] = [];
    void answer.then((outcome) => heard.push(outcome));
    running ??= runUntil(world, Number.POSITIVE_INFINITY).finally(() => {
      running = null;
    });
    await running;
    return present(heard[0], "an answer");
  }
  const store: ObjectStore = {
    get: (key) => driven(client.get(key)),
    put: (key, body, condition) => driven(client.put(key, body, condition)),
    delete: (key, condition) => driven(client.delete(key, condition)),
    list: (request) => driven(client.list(request)),
  };
  return { store, close: () => Promise.resolve() };
}
