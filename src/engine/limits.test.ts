/**
 * Every limit, one below it, at it, and one above it, through the whole engine. Risk: a limit that is off by one, a
 * value that is cut, a refusal that has written something.
 *
 * A row makes a call from a size. What is written is read from the store's version chain: a refusal adds no version to
 * any key. Limits of what a person sees (codes, texts) are tested beside the commands.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import type { PutCondition, PutOutcome } from "../ports/object-store.ts";
import {
  LEASE_MS,
  LIMITS,
  MAX_ATTEMPTS,
  OPERATION_MS,
  REPLY_PREFIX,
  REQUEUE_PREFIX,
  SLEEP_MS,
  WAIT_MS,
} from "../vocabulary/limits.ts";
import { DEFAULT_CONFIG } from "./config.ts";
import type { EngineNode } from "./engine.ts";
import { got, leaseOf, nodeOver, taken, V1 } from "./example-nodes.ts";

/** Records every version that it applies. */
class ChainStore extends MemoryStore {
  readonly chain: string[] = [];

  override async put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    const outcome = await super.put(key, body, condition);
    if (outcome.kind === "ok") this.chain.push(`${key} ${body}`);
    return outcome;
  }
}

type Lease = ReturnType<typeof leaseOf>;
/** The call with a value of that size, or with that number. */
type Call = (size: number, engine: EngineNode, lease: Lease) => Promise<{ readonly ok: boolean }>;
type Row = readonly [what: string, limit: number, call: Call];

const NOW = 1_000_000;
const DAY_MS = 24 * 3_600_000;
let store: ChainStore;
let engine: EngineNode;
let lease: Lease;

/** An instance `i` with a running turn, whose lease is a day. */
beforeEach(async () => {
  store = new ChainStore();
  engine = nodeOver(store, new ManualClock(NOW), countedIds("id"));
  await got(engine.createInstance({ id: "i", ...V1, lease_ms: DAY_MS }));
  await got(engine.sendMessage({ workflow_id: "i", id: "m", message: 1 }));
  lease = leaseOf(await taken(engine));
});

/** JSON text of exactly that many bytes, in two-byte characters as far as they go. */
const text = (bytes: number) => "é".repeat(Math.floor((bytes - 2) / 2)) + "x".repeat(bytes % 2);
const name = (chars: number) => "n".repeat(chars);
const create = (fields: object) => engine.createInstance({ id: "new", ...V1, ...fields } as never);
const send = (fields: object) =>
  engine.sendMessage({ workflow_id: "i", id: "m-2", message: 1, ...fields } as never);
const origin = (fields: object) => send({ origin: { kind: "app", ...fields } });
const signal = (fields: object) =>
  engine.signal({ workflow_id: "i", turn: 1, id: "s", name: "go", value: 1, ...fields } as never);
const claim = (fields: object) => engine.claim({ worker: "w", workflows: [V1], ...fields } as never);
const step = (fields: object) =>
  engine.checkpoint({ ...lease, position: 0, key: "k", kind: "step", output: 1, ...fields } as never);
const wait = (fields: object) =>
  engine.waitSignal({ ...lease, position: 0, key: "k", name: "go", timeout_ms: 1, ...fields } as never);
const operation = (fields: object) =>
  engine.operation({ ...lease, position: 0, key: "k", kind: "tool", ...fields } as never);
const complete = (fields: object) => engine.complete({ ...lease, state: 1, ...fields } as never);
const fail = (fields: object) => engine.fail({ ...lease, error: "x", ...fields } as never);
const blob = (bytes: number) => engine.putBlob({ workflow_id: "i", value: text(bytes) });
const child = (fields: object) =>
  engine.startChild({
    ...lease,
    position: 0,
    key: "k",
    ...V1,
    message: 1,
    timeout_ms: 1,
    ...fields,
  } as never);
const ONE = { instance: "one", error: "not now" };
const sendBack = (fields: object) =>
  engine.requeue({ ...lease, key: "k", instances: [ONE], message: 1, ...fields } as never);
const migratesFrom = (versions: number) =>
  claim({ workflows: [{ ...V1, migrates_from: Array.from({ length: versions }, (_, n) => `v-${n}`) }] });

async function progress(fields: object) {
  await got(operation({}));
  return () =>
    engine.progress({ ...lease, key: "k", sequence: 1, details: 1, checkpoint: 1, ...fields } as never);
}

/** Sizes: at most so many bytes, characters, entries. */
const SIZES: readonly Row[] = [
  ["a new instance's state", LIMITS.stateBytes, (n) => create({ state: text(n) })],
  ["a message", LIMITS.messageBytes, (n) => send({ message: text(n) })],
  ["an origin", LIMITS.originBytes, (n) => origin({ fields: [text(n - 26)] })],
  ["an origin's list", 32, (n) => origin({ requests: Array(n).fill("r") })],
  ["an origin's actor", 128, (n) => origin({ actor: "é".repeat(n) })],
  ["an origin's note", 280, (n) => origin({ note: "x".repeat(n) })],
  ["a signal's value", LIMITS.signalBytes, (n) => signal({ value: text(n) })],
  ["a step's output", LIMITS.outputBytes, (n) => step({ output: text(n) })],
  ["a completed state", LIMITS.stateBytes, (n) => complete({ state: text(n) })],
  ["a result", LIMITS.resultBytes, (n) => complete({ result: text(n) })],
  ["a continuation's message", LIMITS.messageBytes, (n) => complete({ continuation: { message: text(n) } })],
  ["a failure's text", LIMITS.errorChars, (n) => fail({ error: "é".repeat(n) })],
  ["an instance's id", LIMITS.idChars, (n) => create({ id: name(n) })],
  ["a type", LIMITS.idChars, (n) => create({ workflow_type: name(n) })],
  ["a version", LIMITS.idChars, (n) => create({ version: name(n) })],
  ["a message's id", LIMITS.idChars, (n) => send({ id: name(n) })],
  ["a signal's id", LIMITS.idChars, (n) => signal({ id: name(n) })],
  ["a signal's name", LIMITS.idChars, (n) => signal({ name: name(n) })],
  ["a worker", LIMITS.idChars, (n) => claim({ worker: name(n) })],
  ["a step's key", LIMITS.idChars, (n) => step({ key: name(n) })],
  ["a wait's key", LIMITS.idChars, (n) => wait({ key: name(n) })],
  ["a wait's name", LIMITS.idChars, (n) => wait({ name: name(n) })],
  ["an operation's key", LIMITS.idChars, (n) => operation({ key: name(n) })],
  ["a blob", LIMITS.blobBytes, (n) => blob(n)],
  ["a child's message", LIMITS.messageBytes, (n) => child({ message: text(n) })],
  ["a child's state", LIMITS.stateBytes, (n) => child({ state: text(n) })],
  ["a child's type", LIMITS.idChars, (n) => child({ workflow_type: name(n) })],
  ["a child's version", LIMITS.idChars, (n) => child({ version: name(n) })],
  ["a message that is sent back", LIMITS.messageBytes, (n) => sendBack({ message: text(n) })],
];

/** The same for those whose refusal is about their form. */
const FORMS: readonly Row[] = [
  ["a child's key", LIMITS.idChars - REPLY_PREFIX.length, (n) => child({ key: name(n) })],
  [
    "the key of what is sent back",
    LIMITS.idChars - `${REQUEUE_PREFIX}1-`.length,
    (n) => sendBack({ key: name(n) }),
  ],
  [
    "instances sent back at once",
    LIMITS.requeuedInstances,
    (n) => sendBack({ instances: Array(n).fill(ONE) }),
  ],
  [
    "what is sent back",
    LIMITS.errorChars,
    (n) => sendBack({ instances: [{ ...ONE, instance: "é".repeat(n) }] }),
  ],
  [
    "why it is sent back",
    LIMITS.errorChars,
    (n) => sendBack({ instances: [{ ...ONE, error: "é".repeat(n) }] }),
  ],
  ["versions to migrate from", LIMITS.migratesFrom, (n) => migratesFrom(n)],
];

/** Numbers with a largest value. */
const HIGHEST: readonly Row[] = [
  ["a lease", LEASE_MS.max, (n) => create({ lease_ms: n })],
  ["attempts", MAX_ATTEMPTS.max, (n) => create({ max_attempts: n })],
  ["a sleep", SLEEP_MS.max, (n) => step({ kind: "sleep", output: null, delay_ms: n })],
  ["a wait's time-out", WAIT_MS.max, (n) => wait({ timeout_ms: n })],
  ["an operation's limit", OPERATION_MS.max, (n) => operation({ timeout_ms: n })],
  ["an operation's silence", 500, (n) => operation({ timeout_ms: 500, heartbeat_timeout_ms: n })],
  ["a child's lease", LEASE_MS.max, (n) => child({ lease_ms: n })],
  ["a child's attempts", MAX_ATTEMPTS.max, (n) => child({ max_attempts: n })],
  ["a wait for a child", WAIT_MS.max, (n) => child({ timeout_ms: n })],
  ["a page of history", LIMITS.historyPage, (n) => engine.history({ workflow_id: "i", limit: n })],
  ["a page of instances", LIMITS.instancePage, (n) => engine.listInstances({ limit: n })],
  ["a page of an inbox", LIMITS.inboxPage, (n) => engine.inbox({ workflow_id: "i", limit: n })],
  ["a page of a type's inbox", LIMITS.inboxPage, (n) => engine.typeInbox({ ...V1, limit: n })],
];

/** Numbers with a smallest value. */
const LOWEST: readonly Row[] = [
  ["a lease", LEASE_MS.min, (n) => create({ lease_ms: n })],
  ["attempts", MAX_ATTEMPTS.min, (n) => create({ max_attempts: n })],
  ["a sleep", SLEEP_MS.min, (n) => step({ kind: "sleep", output: null, delay_ms: n })],
  ["a wait's time-out", WAIT_MS.min, (n) => wait({ timeout_ms: n })],
  ["an operation's limit", OPERATION_MS.min, (n) => operation({ timeout_ms: n })],
  ["an operation's silence", OPERATION_MS.min, (n) => operation({ heartbeat_timeout_ms: n })],
  ["a time to retry at", NOW + 1_000, (n) => fail({ retry_at_ms: n })],
  ["a claim's wait", 0, (n) => claim({ wait_ms: n })],
  ["a page of history", 1, (n) => engine.history({ workflow_id: "i", limit: n })],
  ["a page of instances", 1, (n) => engine.listInstances({ limit: n })],
  ["a page of an inbox", 1, (n) => engine.inbox({ workflow_id: "i", limit: n })],
  ["a page of a type's inbox", 1, (n) => engine.typeInbox({ ...V1, limit: n })],
  ["a child's lease", LEASE_MS.min, (n) => child({ lease_ms: n })],
  ["a child's attempts", MAX_ATTEMPTS.min, (n) => child({ max_attempts: n })],
  ["a wait for a child", WAIT_MS.min, (n) => child({ timeout_ms: n })],
  ["instances sent back at once", 1, (n) => sendBack({ instances: Array(n).fill(ONE) })],
];

async function accepts(call: Promise<{ readonly ok: boolean }>): Promise<void> {
  expect(await call).toMatchObject({ ok: true });
}

/** The call has written nothing: no key has got another version. */
async function refuses(call: () => Promise<{ readonly ok: boolean }>, kind?: string): Promise<void> {
  const before = store.chain.length;
  const answer = await call();
  expect(answer).toMatchObject({ ok: false, error: kind === undefined ? {} : { kind } });
  expect(store.chain.slice(before)).toEqual([]);
}

describe("a size is taken one below its limit and at it, and refused one above", () => {
  it.each(SIZES)("%s: %d", async (what, limit, call) => {
    const kind = limit === LIMITS.idChars || what.startsWith("an origin's") ? "invalid" : "over-limit";
    await refuses(() => call(limit + 1, engine, lease), kind);
    await accepts(call(limit, engine, lease));
  });

  it.each(SIZES)("%s: one below %d", async (_, limit, call) => {
    await accepts(call(limit - 1, engine, lease));
  });
});

describe("a form is taken one below its limit and at it, and refused one above", () => {
  it.each(FORMS)("%s: %d", async (_, limit, call) => {
    await refuses(() => call(limit + 1, engine, lease), "invalid");
    await accepts(call(limit, engine, lease));
  });

  it.each(FORMS)("%s: one below %d", async (_, limit, call) => {
    await accepts(call(limit - 1, engine, lease));
  });
});

describe("a migrated state and its versions", () => {
  /** A turn that was claimed to be migrated to the version. */
  async function migrating(to: string, from = "v1") {
    const id = "old";
    await got(engine.createInstance({ id, workflow_type: "other", version: from }));
    await got(engine.sendMessage({ workflow_id: id, id: "m", message: 1 }));
    const code = { workflow_type: "other", version: to, migrates_from: [from] };
    const task = await got(engine.claim({ worker: "w", workflows: [code] }));
    if (task === null) throw new Error("nothing to migrate");
    return (fields: object) => engine.migrate({ ...leaseOf(task), from, to, state: 1, ...fields } as never);
  }

  it.each([LIMITS.stateBytes - 1, LIMITS.stateBytes])("a state of %d bytes is taken", async (bytes) => {
    const migrate = await migrating("v2");
    await refuses(() => migrate({ state: text(LIMITS.stateBytes + 1) }), "over-limit");
    await accepts(migrate({ state: text(bytes) }));
  });

  it.each([LIMITS.idChars - 1, LIMITS.idChars])("versions of %d characters are taken", async (chars) => {
    const migrate = await migrating(name(chars), `${name(chars - 1)}x`);
    for (const field of ["from", "to"])
      await refuses(() => migrate({ [field]: name(LIMITS.idChars + 1) }), "invalid");
    await accepts(migrate({}));
  });
});

it("a token is looked up when it has the length of one, and refused above", async () => {
  const renew = (chars: number) => engine.heartbeat({ ...lease, token: name(chars) });
  await refuses(() => renew(LIMITS.idChars + 1), "invalid");
  await refuses(() => renew(LIMITS.idChars), "fenced");
  await refuses(() => renew(LIMITS.idChars - 1), "fenced");
});

describe("a number is taken within its range and refused one outside", () => {
  it.each(HIGHEST)("%s: at most %d", async (_, limit, call) => {
    await refuses(() => call(limit + 1, engine, lease), "invalid");
    await accepts(call(limit, engine, lease));
  });

  it.each(HIGHEST)("%s: one below %d", async (_, limit, call) => {
    await accepts(call(limit - 1, engine, lease));
  });

  it.each(LOWEST)("%s: at least %d", async (_, limit, call) => {
    await refuses(() => call(limit - 1, engine, lease), "invalid");
    await accepts(call(limit, engine, lease));
  });

  it.each(LOWEST)("%s: one above %d", async (_, limit, call) => {
    await accepts(call(limit + 1, engine, lease));
  });
});

describe("a report of progress", () => {
  it.each([
    ["details", LIMITS.detailsBytes],
    ["checkpoint", LIMITS.resumeBytes],
  ])("has %s of at most %d bytes", async (field, limit) => {
    const above = await progress({ [field]: text(limit + 1) });
    await refuses(above, "over-limit");
    await accepts((await progress({ [field]: text(limit - 1) }))());
    await accepts((await progress({ [field]: text(limit), sequence: 2 }))());
  });

  it.each([
    ["phase", 80],
    ["unit", 32],
  ])("that follows the convention has a %s of at most %d characters", async (field, limit) => {
    const details = (n: number) => ({ details: { phase: "p", done: 0, [field]: "x".repeat(n) } });
    await refuses(await progress(details(limit + 1)), "invalid");
    await accepts((await progress(details(limit)))());
    await accepts((await progress({ ...details(limit - 1), sequence: 2 }))());
  });
});

describe("a count is taken up to its limit and refused beyond", () => {
  it("steps of a turn, of every kind, and the start of one", async () => {
    for (let position = 0; position < LIMITS.stepsPerTurn; position++)
      await got(step({ position, key: `k-${position}` }));
    const place = { position: LIMITS.stepsPerTurn, key: "more" };
    for (const call of [
      () => step(place),
      () => step({ ...place, kind: "sleep", output: null, delay_ms: 0 }),
      () => wait(place),
      () => operation(place),
    ])
      await refuses(call, "over-limit");
    await accepts(step({ position: 63, key: "k-63" }));
    await accepts(complete({}));
  });

  it("signals of a turn", async () => {
    for (let n = 0; n < LIMITS.signalsPerTurn; n++) await got(signal({ id: `s-${n}` }));
    await refuses(() => signal({ id: "more" }), "over-limit");
    await accepts(signal({ id: "s-63" }));
  });

  it("unfinished messages of an instance, the running one included", async () => {
    for (let n = 1; n < LIMITS.pendingMessages; n++) await got(send({ id: `m-${n}` }));
    await refuses(() => send({ id: "more" }), "over-limit");
    await accepts(send({ id: "m-1" }));
    await got(complete({}));
    await accepts(send({ id: "more" }));
  });

  it("what is sent back counts as an unfinished message", async () => {
    for (let n = 1; n < LIMITS.pendingMessages; n++) await got(send({ id: `m-${n}` }));
    await refuses(() => sendBack({}), "over-limit");
    await got(engine.control({ workflow_id: "i", action: "cancel_turn", turn: 3 }));
    await accepts(sendBack({}));
    await refuses(() => sendBack({ key: "more" }), "over-limit");
    await accepts(sendBack({}));
  });

  it("a thousand instances of a graph, and 64 MiB of it", () => {
    const { max_instances, max_state_bytes } = DEFAULT_CONFIG;
    expect([max_instances, max_state_bytes]).toEqual([1_000, 64 * 1_024 * 1_024]);
  });

  it("instances of a graph", async () => {
    const small = nodeOver(store, new ManualClock(NOW), countedIds("it"), {}, { max_instances: 3 });
    await accepts(small.createInstance({ id: "two", ...V1 }));
    await accepts(small.createInstance({ id: "three", ...V1 }));
    await refuses(() => small.createInstance({ id: "four", ...V1 }), "over-limit");
  });
});

describe("a stored turn takes at most 256 KiB", () => {
  /** Fills the turn by steps until that many bytes are left for the output of the next one, which has that key. */
  async function leaving(rest: number): Promise<{ readonly fits: number }> {
    for (let position = 0; position < 3; position++)
      await got(step({ position, key: `k-${position}`, output: text(LIMITS.outputBytes) }));
    // Sought, because the stored form is the engine's own business: the largest output that still fits.
    let [low, high] = [0, LIMITS.outputBytes];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await wouldFit(middle)) low = middle;
      else high = middle;
    }
    return { fits: low - rest };
  }

  /** Asked of a copy of the store, so that nothing is written here. */
  async function wouldFit(bytes: number): Promise<boolean> {
    const copy = new ChainStore();
    for (const version of store.chain) {
      const at = version.indexOf(" ");
      const key = version.slice(0, at);
      const current = await copy.get(key);
      const condition: PutCondition =
        current.kind === "ok" ? { kind: "if-match", etag: current.etag } : { kind: "if-absent" };
      await copy.put(key, version.slice(at + 1), condition);
    }
    const other = nodeOver(copy, new ManualClock(NOW), countedIds("id"));
    const saved = await other.checkpoint({
      ...lease,
      position: 3,
      key: "last",
      kind: "step",
      output: text(bytes),
    });
    return saved.ok;
  }

  it("at the limit and one below a step is saved, one above it is refused and the turn can still fail", async () => {
    const { fits } = await leaving(0);
    expect(fits).toBeGreaterThan(50_000);
    await refuses(() => step({ position: 3, key: "last", output: text(fits + 1) }), "over-limit");
    await accepts(step({ position: 3, key: "last", output: text(fits) }));
    await refuses(() => complete({ result: text(200) }), "over-limit");
    await refuses(() => signal({ value: text(200) }), "over-limit");
    await accepts(fail({ error: "x".repeat(LIMITS.errorChars) }));
  });

  it("one below the limit a step is saved", async () => {
    const { fits } = await leaving(1);
    await accepts(step({ position: 3, key: "last", output: text(fits) }));
  });
});

it("a claim waits at most its limit, however long it is asked to", async () => {
  const clock = new ManualClock(NOW);
  const waiting = nodeOver(store, clock, countedIds("it"));
  const nobody = { workflow_type: "nobody", version: "v1" };
  for (const wait_ms of [LIMITS.claimWaitMs - 1, LIMITS.claimWaitMs, LIMITS.claimWaitMs + 1]) {
    const from = clock.monotonicMs();
    await got(waiting.claim({ worker: "w", workflows: [nobody], wait_ms }));
    expect(clock.monotonicMs() - from).toBe(Math.min(wait_ms, LIMITS.claimWaitMs));
  }
});

it("a claim that waits on a node that keeps no copy of the index rests between two looks", async () => {
  const clock = new ManualClock(NOW);
  let looks = 0;
  const get = (key: string) => {
    if (key.endsWith("index.json")) looks++;
    return store.get(key);
  };
  const counting = {
    get,
    put: store.put.bind(store),
    delete: store.delete.bind(store),
    list: store.list.bind(store),
  };
  const waiting = nodeOver(counting, clock, countedIds("it"), {}, { poll_ms: 0 });
  const nobody = { workflow_type: "nobody", version: "v1" };
  await got(waiting.claim({ worker: "w", workflows: [nobody], wait_ms: 1_000 }));
  expect(looks).toBeGreaterThan(10);
  expect(looks).toBeLessThanOrEqual(101);
});
