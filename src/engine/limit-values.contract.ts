/**
 * Rows of the table of limits: how large a value may be, in UTF-8 bytes of its JSON, and how long a name or a text, in
 * characters as people count them.
 *
 * The values are of two-byte characters and the texts of four-byte ones, so a count of the wrong unit is seen.
 */
import { LIMITS, REPLY_PREFIX, REQUEUE_PREFIX } from "../vocabulary/limits.ts";
import { V1 } from "./example-nodes.ts";
import { name, ONE, type Row, text, type World, wide } from "./limit-world.contract.ts";

type Call = Row["call"];

function bytes(of: keyof typeof LIMITS, what: string, call: Call): Row {
  return { of: [`LIMITS.${of}`], what, side: "most", limit: LIMITS[of], kind: "over-limit", call };
}

function chars(what: string, call: Call): Row {
  const of = ["LIMITS.idChars"];
  return { of, what, side: "most", limit: LIMITS.idChars, kind: "invalid", call };
}

/** A name that has to be there: an instance has it. */
function known(what: string, call: Call): Row {
  const fill = (world: World, n: number) => world.create({ id: name(Math.min(n, LIMITS.idChars)) });
  return { ...chars(what, call), fill };
}

const form = (what: string, limit: number, call: Call): Row => {
  return { of: [], what, side: "most", limit, kind: "invalid", call };
};

const reported = (row: Row): Row => ({ ...row, fill: (world) => world.operation({}) });

export const VALUES: readonly Row[] = [
  bytes("stateBytes", "a new instance's state", (w, n) => w.create({ state: text(n) })),
  bytes("stateBytes", "a completed state", (w, n) => w.complete({ state: text(n) })),
  bytes("stateBytes", "a child's state", (w, n) => w.child({ state: text(n) })),
  bytes("resultBytes", "a result", (w, n) => w.complete({ result: text(n) })),
  bytes("outputBytes", "a step's output", (w, n) => w.step({ output: text(n) })),
  bytes("messageBytes", "a message", (w, n) => w.send({ message: text(n) })),
  bytes("messageBytes", "a continuation's message", (w, n) =>
    w.complete({ continuation: { message: text(n) } }),
  ),
  bytes("messageBytes", "a child's message", (w, n) => w.child({ message: text(n) })),
  bytes("messageBytes", "a message that is sent back", (w, n) => w.sendBack({ message: text(n) })),
  bytes("messageBytes", "what is sent back without a message", (w, n) =>
    w.sendBack({ message: undefined, instances: listOf(n) }),
  ),
  bytes("originBytes", "an origin", (w, n) => w.origin({ fields: [text(n - 26)] })),
  bytes("signalBytes", "a signal's value", (w, n) => w.signal({ value: text(n) })),
  reported(bytes("detailsBytes", "details of progress", (w, n) => w.progress({ details: text(n) }))),
  reported(
    bytes("resumeBytes", "a checkpoint to resume from", (w, n) => w.progress({ checkpoint: text(n) })),
  ),
  bytes("blobBytes", "a blob", (w, n) => w.node.putBlob({ workflow_id: "i", value: text(n) })),
  bytes("errorChars", "a failure's text", (w, n) => w.fail({ error: wide(n) })),
];

/** `{"requeue":[…]}` of that many bytes: eight entries with a text as long as it may be, and a ninth. */
function listOf(size: number) {
  const around = (list: readonly object[]) => Buffer.byteLength(JSON.stringify({ requeue: list }));
  const list = Array.from({ length: 8 }, () => ({ ...ONE, error: "x".repeat(LIMITS.errorChars) }));
  const rest = size - around([...list, { ...ONE, error: "" }]);
  return [...list, { ...ONE, error: "x".repeat(rest) }];
}

export const NAMES: readonly Row[] = [
  chars("an instance's id", (w, n) => w.create({ id: name(n) })),
  chars("a type", (w, n) => w.create({ workflow_type: name(n) })),
  chars("a version", (w, n) => w.create({ version: name(n) })),
  chars("a message's id", (w, n) => w.send({ id: name(n) })),
  chars("a signal's id", (w, n) => w.signal({ id: name(n) })),
  chars("a signal's name", (w, n) => w.signal({ name: name(n) })),
  chars("a worker", (w, n) => w.claim({ worker: name(n) })),
  chars("a claim's type", (w, n) => w.claim({ workflows: [{ ...V1, workflow_type: name(n) }] })),
  chars("a claim's version", (w, n) => w.claim({ workflows: [{ ...V1, version: name(n) }] })),
  chars("a version to migrate from", (w, n) => w.claim({ workflows: [{ ...V1, migrates_from: [name(n)] }] })),
  chars("a step's key", (w, n) => w.step({ key: name(n) })),
  chars("a sleep's key", (w, n) => w.sleep({ key: name(n) })),
  chars("a wait's key", (w, n) => w.wait({ key: name(n) })),
  chars("a wait's name", (w, n) => w.wait({ name: name(n) })),
  chars("an operation's key", (w, n) => w.operation({ key: name(n) })),
  chars("a child's type", (w, n) => w.child({ workflow_type: name(n) })),
  chars("a child's version", (w, n) => w.child({ version: name(n) })),
  chars("an origin's trigger", (w, n) => w.origin({ trigger: name(n) })),
  chars("an origin's reason", (w, n) => w.origin({ reason: name(n) })),
  chars("an origin's event", (w, n) => w.origin({ event: name(n) })),
  chars("a type whose inboxes are shown", (w, n) => w.node.typeInbox({ workflow_type: name(n) })),
  chars("a version whose inboxes are shown", (w, n) => w.node.typeInbox({ ...V1, version: name(n) })),
  chars("where a type's inbox goes on", (w, n) => w.node.typeInbox({ ...V1, after: name(n) })),
  chars("where a list goes on", (w, n) => w.node.listInstances({ after: name(n) })),
  known("an instance to send to", (w, n) => w.send({ workflow_id: name(n) })),
  known("an instance to control", (w, n) => w.control({ workflow_id: name(n) })),
  known("an instance to read", (w, n) => w.node.getInstance(name(n))),
  known("an instance whose inbox is shown", (w, n) => w.node.inbox({ workflow_id: name(n) })),
  known("an instance whose history is shown", (w, n) => w.node.history({ workflow_id: name(n) })),
  known("an instance to put a blob for", (w, n) => w.node.putBlob({ workflow_id: name(n), value: 1 })),
  known("an instance to delete", (w, n) => w.node.deleteInstance({ workflow_id: name(n) })),
  {
    // The engine makes a name of the key, which must not be too long either.
    ...chars("a child's key", (w, n) => w.child({ key: name(n) })),
    limit: LIMITS.idChars - REPLY_PREFIX.length,
    says: "too long by 1 characters",
  },
  {
    ...chars("the key of what is sent back", (w, n) => w.sendBack({ key: name(n) })),
    limit: LIMITS.idChars - `${REQUEUE_PREFIX}1-`.length,
    says: "too long by 1 characters",
  },
];

export const TEXTS: readonly Row[] = [
  form("an origin's actor", 128, (w, n) => w.origin({ actor: wide(n) })),
  // At four bytes each, the whole origin would be too large.
  form("an origin's note", 280, (w, n) => w.origin({ note: "é".repeat(n) })),
  form("an origin's fields", 32, (w, n) => w.origin({ fields: Array(n).fill("f") })),
  form("an origin's requests", 32, (w, n) => w.origin({ requests: Array(n).fill("r") })),
  reported(form("a phase", 80, (w, n) => w.progress({ details: { phase: wide(n), done: 0 } }))),
  reported(form("a unit", 32, (w, n) => w.progress({ details: { phase: "p", done: 0, unit: name(n) } }))),
  {
    ...form("what is sent back", LIMITS.errorChars, (w, n) =>
      w.sendBack({ instances: [{ ...ONE, instance: wide(n) }] }),
    ),
    of: ["LIMITS.errorChars"],
  },
  {
    ...form("why it is sent back", LIMITS.errorChars, (w, n) =>
      w.sendBack({ instances: [{ ...ONE, error: wide(n) }] }),
    ),
    of: ["LIMITS.errorChars"],
  },
];
