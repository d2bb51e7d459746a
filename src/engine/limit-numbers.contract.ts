/**
 * Rows of the table of limits: the ranges of numbers, and how many of a kind there may be.
 *
 * A count is reached by as many calls; the last one is the call of the row. Times that have to lie ahead are told from the
 * world's clock, which stands still.
 */
import {
  DEFAULTS,
  LEASE_MS,
  LIMITS,
  MAX_ATTEMPTS,
  OPERATION_MS,
  RETRY_AHEAD_MS,
  SLEEP_MS,
  WAIT_MS,
} from "../vocabulary/limits.ts";
import { V1 } from "./example-nodes.ts";
import { NOW, ONE, type Row, type World } from "./limit-world.contract.ts";

type Call = Row["call"];

/** A number from `min` to `max`, each side a row. */
function range(of: string, { min, max }: { min: number; max: number }, what: string, call: Call): Row[] {
  return [least([`${of}.min`], what, min, call), most([`${of}.max`], what, max, call)];
}

function most(of: readonly string[], what: string, limit: number, call: Call): Row {
  return { of, what, side: "most", limit, kind: "invalid", call };
}

function least(of: readonly string[], what: string, limit: number, call: Call): Row {
  return { of, what, side: "least", limit, kind: "invalid", call };
}

function page(of: "historyPage" | "instancePage" | "inboxPage", what: string, call: Call): Row[] {
  return [least([], what, 1, call), most([`LIMITS.${of}`], what, LIMITS[of], call)];
}

const reported = (row: Row): Row => ({ ...row, fill: (world) => world.operation({}) });
const details = (fields: object) => ({ details: { phase: "p", done: 0, ...fields } });
const second = (world: World) => world.send({});

export const NUMBERS: readonly Row[] = [
  ...range("LEASE_MS", LEASE_MS, "a lease", (w, n) => w.create({ lease_ms: n })),
  ...range("LEASE_MS", LEASE_MS, "a child's lease", (w, n) => w.child({ lease_ms: n })),
  ...range("MAX_ATTEMPTS", MAX_ATTEMPTS, "attempts", (w, n) => w.create({ max_attempts: n })),
  ...range("MAX_ATTEMPTS", MAX_ATTEMPTS, "a child's attempts", (w, n) => w.child({ max_attempts: n })),
  ...range("SLEEP_MS", SLEEP_MS, "a sleep", (w, n) => w.sleep({ delay_ms: n })),
  ...range("WAIT_MS", WAIT_MS, "a wait's time-out", (w, n) => w.wait({ timeout_ms: n })),
  ...range("WAIT_MS", WAIT_MS, "a wait for a child", (w, n) => w.child({ timeout_ms: n })),
  ...range("OPERATION_MS", OPERATION_MS, "an operation's limit", (w, n) => w.operation({ timeout_ms: n })),
  least(["OPERATION_MS.min"], "an operation's silence", OPERATION_MS.min, (w, n) =>
    w.operation({ heartbeat_timeout_ms: n }),
  ),
  most([], "an operation's silence, which ends with its limit", 500, (w, n) =>
    w.operation({ timeout_ms: 500, heartbeat_timeout_ms: n }),
  ),
  most(
    ["DEFAULTS.operationMs"],
    "an operation's silence, when its limit is left out",
    DEFAULTS.operationMs,
    (w, n) => w.operation({ heartbeat_timeout_ms: n }),
  ),
  {
    ...least(["RETRY_AHEAD_MS"], "a time to retry at", NOW + RETRY_AHEAD_MS, (w, n) =>
      w.fail({ retry_at_ms: n }),
    ),
    says: `at least ${RETRY_AHEAD_MS} ms ahead`,
  },
  {
    ...least(["RETRY_AHEAD_MS"], "a time at which there is room", NOW + RETRY_AHEAD_MS, (w, n) =>
      w.fail({ retry_at_ms: n, reason: "capacity" }),
    ),
    says: `at least ${RETRY_AHEAD_MS} ms ahead`,
  },
  least([], "a claim's wait", 0, (w, n) => w.claim({ wait_ms: n })),
  ...page("historyPage", "a page of history", (w, n) => w.node.history({ workflow_id: "i", limit: n })),
  ...page("instancePage", "a page of instances", (w, n) => w.node.listInstances({ limit: n })),
  ...page("inboxPage", "a page of an inbox", (w, n) => w.node.inbox({ workflow_id: "i", limit: n })),
  ...page("inboxPage", "a page of a type's inbox", (w, n) => w.node.typeInbox({ ...V1, limit: n })),
  least([], "where a history goes on", 0, (w, n) => w.node.history({ workflow_id: "i", after: n })),
  least([], "where an inbox goes on", 0, (w, n) => w.node.inbox({ workflow_id: "i", after: n })),
  { ...least([], "a turn to signal", 1, (w, n) => w.signal({ turn: n })), fill: second },
  { ...least([], "a turn to read", 1, (w, n) => w.node.getTurn("i", n)), fill: second },
  {
    ...least([], "a turn to cancel", 1, (w, n) => w.control({ action: "cancel_turn", turn: n })),
    fill: second,
  },
  reported(least([], "the number of a report", 1, (w, n) => w.progress({ sequence: n }))),
  reported(least([], "what is done", 0, (w, n) => w.progress(details({ done: n })))),
  {
    ...reported(least([], "what there is to do", 0, (w, n) => w.progress(details({ total: n })))),
    says: "whole number",
  },
];

function count(of: keyof typeof LIMITS, what: string, fill: Row["fill"], call: Call): Row {
  const shown = [`LIMITS.${of}`];
  const row = { of: shown, what, side: "most", limit: LIMITS[of], kind: "over-limit", call } as const;
  return fill === undefined ? row : { ...row, fill };
}

/** The n-th step of a turn, of any kind; an operation is the start of one. */
function steps(what: string, call: (world: World, place: object) => Reply): Row {
  const before = (world: World, n: number) => world.steps(n - 1);
  return count("stepsPerTurn", what, before, (w, n) => call(w, { position: n - 1, key: "last" }));
}

type Reply = ReturnType<Call>;

const entries = (n: number) => Array(n).fill(ONE);

export const COUNTS: readonly Row[] = [
  steps("steps of a turn", (w, place) => w.step(place)),
  steps("steps of a turn, the last a sleep", (w, place) => w.sleep(place)),
  steps("steps of a turn, the last a wait", (w, place) => w.wait(place)),
  steps("steps of a turn, the last an operation", (w, place) => w.operation(place)),
  steps("steps of a turn, the last a child", (w, place) => w.child(place)),
  count(
    "signalsPerTurn",
    "signals of a turn",
    (w, n) => w.signals(n - 1),
    (w) => w.signal({ id: "last" }),
  ),
  count(
    "pendingMessages",
    "unfinished messages, the running one included",
    (w, n) => w.messages(n - 2),
    (w) => w.send({ id: "last" }),
  ),
  count(
    "pendingMessages",
    "unfinished messages, the last one sent back",
    (w, n) => w.messages(n - 2),
    (w) => w.sendBack({}),
  ),
  {
    ...count("requeuedInstances", "instances sent back at once", undefined, (w, n) =>
      w.sendBack({ instances: entries(n) }),
    ),
    kind: "invalid",
  },
  least([], "instances sent back at once", 1, (w, n) => w.sendBack({ instances: entries(n) })),
  {
    ...count("migratesFrom", "versions to migrate from", undefined, (w, n) =>
      w.claim({ workflows: [{ ...V1, migrates_from: Array.from({ length: n }, (_, at) => `v-${at}`) }] }),
    ),
    kind: "invalid",
  },
  {
    ...least([], "workflows of a claim", 1, (w, n) => w.claim({ workflows: Array(n).fill(V1) })),
    says: "at least one",
  },
  count(
    "namedBlobs",
    "blobs that a state names",
    (w, n) => w.blobs(n),
    (w) => w.complete({ state: w.references }),
  ),
];
