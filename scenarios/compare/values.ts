/**
 * Values of requests: JSON of all kinds, equal ones in other words, large ones, and fields that are wrong.
 *
 * Small values are few, so that repeats are often equal: the same object with its fields in another order, nothing in its
 * several forms, and one that looks like what a wait for a signal receives. Large ones fill a limit to the last byte, or
 * about half of it, so that some turns become too large.
 *
 * Wrong fields are listed for each operation. Each is wrong by itself, whatever the rest of the request says; some are
 * right after all for some requests (a reason with a time to retry at), which does no harm: the model decides.
 */
import type { Json } from "../../src/std/json.ts";
import type { Draws } from "./draws.ts";

const SMALL: readonly [Json, ...Json[]] = [
  null,
  0,
  1,
  true,
  "",
  "text",
  "ünï",
  [],
  {},
  { a: 1, b: 2 },
  { b: 2, a: 1 },
  { a: [1, { b: null }] },
  { received: true, value: 1 },
];

const KIB = 1024;

/** A small value, or now and then a large one of at most so many bytes. */
export function someValue(draws: Draws, largePercent: number, limitBytes: number): Json {
  if (!draws.chance(largePercent)) return draws.pick(SMALL);
  // The quotes are two bytes.
  if (draws.chance(20)) return "x".repeat(limitBytes - 2);
  return "x".repeat(Math.max(1, Math.floor(limitBytes / 2) - draws.below(KIB)));
}

const PHASES: readonly [Json, ...Json[]] = [
  { phase: "reading pages", done: 4 },
  { phase: "reading pages", done: 5, total: 97, unit: "pages" },
  { phase: "writing", done: 0, total: null, more: [1] },
  { done: 5 },
];

/** Details of progress, often with a phase. */
export function detailsOf(draws: Draws, largePercent: number): Json {
  return draws.chance(40) ? draws.pick(PHASES) : someValue(draws, largePercent, 8 * KIB);
}

const ORIGINS: readonly [Json, ...Json[]] = [
  { kind: "app" },
  { kind: "commit", from_seq: 1, to_seq: 4, fields: ["f"], requests: [] },
  { kind: "requeue", attempt: 2 },
  { kind: "requeue", attempt: 3, note: "again" },
  { kind: "event", event: "cdc", actor: "somebody" },
];

/** Where a message comes from. */
export function originOf(draws: Draws): Json {
  return draws.pick(ORIGINS);
}

type Wrong = readonly [field: string, values: readonly [unknown, ...unknown[]]];

/** Names that are none. */
const NAME: Wrong[1] = ["", "two words", 5, null, "x".repeat(129), undefined];
/** Numbers that are not whole, or negative. */
const WHOLE: Wrong[1] = [-1, 1.5, "1", Number.NaN];
/** No JSON, or more than any limit of a value. */
const JSON_VALUE: Wrong[1] = [undefined, Number.NaN, "x".repeat(64 * KIB)];
const TURN: Wrong[1] = [0, ...WHOLE];
const LEASE: readonly Wrong[] = [
  ["workflow_id", NAME],
  ["turn", TURN],
  ["token", ["", 5, null, "x".repeat(129)]],
];
const STEP: readonly Wrong[] = [...LEASE, ["position", WHOLE], ["key", NAME]];
const CREATION: readonly Wrong[] = [
  ["workflow_type", NAME],
  ["version", NAME],
  ["state", [Number.NaN, "x".repeat(64 * KIB)]],
  ["lease_ms", [999, 24 * 3_600_000 + 1, ...WHOLE]],
  ["max_attempts", [0, 101, ...WHOLE]],
];
/** Lists of inputs that are none. */
const REQUEUED: Wrong[1] = [[], 5, [{ instance: 5, error: "e" }], [{ instance: "i" }], Array(1_001).fill({})];
/** Origins that no sender may set. */
const ORIGIN: Wrong[1] = [
  5,
  {},
  { kind: "continuation" },
  { kind: "nobody" },
  { kind: "app", other: 1 },
  { kind: "app", reason: "two words" },
  { kind: "app", to_seq: 1.5 },
  { kind: "app", note: "x".repeat(281) },
  { kind: "app", fields: Array(33).fill("f") },
  { kind: "app", fields: Array(32).fill("f".repeat(64)) },
];
/** Lists of steps that are none. */
const FOLDED: Wrong[1] = [
  5,
  null,
  Array(65).fill({ position: 0, key: "k", output: 1 }),
  [5],
  [{ position: -1, key: "k", output: 1 }],
  [{ position: 0, key: "", output: 1 }],
  [{ position: 0, key: "k" }],
  [{ position: 0, key: "k", output: "x".repeat(64 * KIB) }],
];
/** Claims that are none. */
const NEXT: Wrong[1] = [
  null,
  5,
  "w1",
  { worker: "w1", workflows: [] },
  { worker: "", workflows: [{ workflow_type: "alpha", version: "v1" }] },
  { worker: "w1", workflows: [{ workflow_type: "alpha", version: "" }] },
  { worker: "w1", workflows: [{ workflow_type: "alpha", version: "v2", migrates_from: 5 }] },
];
/** Details that break the convention. */
const PHASE: Wrong[1] = [
  { phase: "", done: 1 },
  { phase: "p" },
  { phase: "p", done: -1 },
  { phase: "p", done: 1, total: "many" },
  { phase: "p", done: 1, unit: "a/b" },
  { phase: "x".repeat(81), done: 1 },
  "x".repeat(8 * KIB),
];

/** What may be wrong with each operation. */
const WRONG: { readonly [operation: string]: readonly Wrong[] } = {
  createInstance: [["id", NAME], ...CREATION, ["on_exhausted", ["never", 5]]],
  sendMessage: [
    ["workflow_id", NAME],
    ["id", [...NAME, "continue-1", "requeue-1-k"]],
    ["message", JSON_VALUE],
    ["origin", ORIGIN],
  ],
  signal: [
    ["workflow_id", NAME],
    ["turn", TURN],
    ["id", [...NAME, "reply-x"]],
    ["name", [...NAME, "reply-x"]],
    ["value", JSON_VALUE],
  ],
  control: [
    ["workflow_id", NAME],
    ["action", ["stop", 5, undefined]],
    ["turn", TURN],
  ],
  claim: [
    ["worker", NAME],
    ["wait_ms", WHOLE],
    ["workflows", [[], 5, [{ workflow_type: "", version: "v1" }], [MIGRATING(33)], [MIGRATING("v1")]]],
  ],
  heartbeat: LEASE,
  operation: [
    ...STEP,
    ["kind", ["sleep", 5]],
    ["timeout_ms", [99, 24 * 3_600_000 + 1, ...WHOLE]],
    ["heartbeat_timeout_ms", [99, 24 * 3_600_000, ...WHOLE]],
  ],
  progress: [
    ...LEASE,
    ["key", NAME],
    ["sequence", [0, ...WHOLE]],
    ["details", PHASE],
    ["checkpoint", JSON_VALUE],
  ],
  checkpoint: [...STEP, ["kind", ["signal", 5]], ["output", [...JSON_VALUE, 1]], ["delay_ms", [...WHOLE, 7]]],
  waitSignal: [...STEP, ["name", [...NAME, "reply-x"]], ["timeout_ms", [0, 366 * 24 * 3_600_000, ...WHOLE]]],
  complete: [
    ...LEASE,
    ["state", JSON_VALUE],
    ["result", [Number.NaN, "x".repeat(64 * KIB)]],
    ["steps", FOLDED],
    ["next", NEXT],
  ],
  fail: [
    ...LEASE,
    ["error", [5, null, "x".repeat(4_001)]],
    ["non_retryable", ["yes", 1]],
    ["retry_at_ms", WHOLE],
    ["reason", ["capacity", "weather", 5]],
  ],
  requeue: [
    ...LEASE,
    ["key", [...NAME, "x".repeat(125)]],
    ["instances", REQUEUED],
    ["message", [Number.NaN]],
  ],
  migrate: [...LEASE, ["from", NAME], ["to", NAME], ["state", JSON_VALUE]],
  startChild: [...STEP, ...CREATION, ["message", JSON_VALUE], ["timeout_ms", [0, ...WHOLE]]],
  deleteInstance: [["workflow_id", NAME]],
  putBlob: [
    ["workflow_id", NAME],
    ["value", [undefined, Number.NaN]],
  ],
  getBlob: [["workflow_id", NAME]],
  getInstance: [["id", NAME]],
  getTurn: [
    ["workflow_id", NAME],
    ["turn", TURN],
  ],
  history: [
    ["workflow_id", NAME],
    ["after", WHOLE],
    ["limit", [0, 51, ...WHOLE]],
  ],
  inbox: [
    ["workflow_id", NAME],
    ["after", WHOLE],
    ["limit", [0, 101, ...WHOLE]],
    ["payloads", ["yes"]],
  ],
  typeInbox: [
    ["workflow_type", NAME],
    ["version", ["", 5]],
    ["after", ["", 5]],
    ["limit", [0, 101, ...WHOLE]],
  ],
  listInstances: [
    ["after", ["", 5]],
    ["limit", [0, 101, ...WHOLE]],
  ],
};

/** A claim's entry with too many versions, or no list of them. */
function MIGRATING(from: unknown) {
  const migrates_from = typeof from === "number" ? Array(from).fill("v1") : from;
  return { workflow_type: "alpha", version: "v2", migrates_from };
}

/** The request with one field that is most likely wrong. */
export function withWrongField(
  draws: Draws,
  operation: string,
  request: { readonly [field: string]: unknown },
): { readonly [field: string]: unknown } {
  const wrong = draws.oneOf(WRONG[operation] ?? []);
  if (wrong === undefined) return request;
  const [field, values] = wrong;
  return { ...request, [field]: draws.pick(values) };
}
