/**
 * Each event in one sentence, for tooltips, the list of moments and the head of the details.
 *
 * Owns the words. Says who did what to which version, what the store did, and what the sender was told when that
 * differs. Judges nothing: who won is told, whether that was right is not.
 *
 *   W1  A sentence is about what really happened, as the record knows it; what its sender knew of it comes behind.
 *   W2  Versions are numbered from 0 along the key's chain, as beside the marks of the diagram.
 *   W3  A kind of incident that has no sentence here is told by its own name and detail.
 */
import type { CallData, IncidentData, OperationData } from "../report-data.ts";
import { faultWords, spell } from "../words.ts";
import { type Item, wasToldNothing } from "./items.ts";
import { replyWords } from "./reply.ts";
import type { RunIndex } from "./run-index.ts";

export function sentence(item: Item, run: RunIndex): string {
  switch (item.type) {
    case "operation":
      return `${lifeOf(item.op.process, item.op.incarnation)} ${operationWords(item.op, run)}${struckWords(item.op)}`;
    case "call":
      return callWords(item.call, run);
    case "incident":
      return incidentWords(item.incident);
  }
}

/** The process; which of its lives, from the second on. */
export function lifeOf(process: string, incarnation: number): string {
  return incarnation <= 1 ? process : `${process} (life ${incarnation})`;
}

/** Faults that the sentence itself tells of. */
const TOLD = new Set([
  "F01-lost-answer",
  "F02-lost-request",
  "F03-late-write",
  "F05-conflict-409",
  "F06-throttle",
]);

function struckWords(op: OperationData): string {
  const others = op.faults.filter((fault) => !TOLD.has(fault)).map(faultWords);
  return others.length === 0 ? "" : ` (${others.join("; ")})`;
}

function operationWords(op: OperationData, run: RunIndex): string {
  const name = run.names.of(op.key).short;
  if (op.kind === "list") return `lists ${name === "" ? "all keys" : `${name}…`}${listWords(op)}`;
  if (op.kind === "get") return `reads ${name}${readWords(op)}`;
  const verb = op.kind === "delete" ? "deletes" : "writes";
  return `${verb} ${name}${conditionWords(op)}${writeWords(op, run)}`;
}

function listWords(op: OperationData): string {
  if (wasToldNothing(op)) return ": no answer";
  return op.listed === null ? "" : `: ${op.listed} keys`;
}

function readWords(op: OperationData): string {
  const seen =
    op.verdict === "served" ? `: v${op.version}` : op.verdict === "absent" ? ": nothing there" : "";
  if (wasToldNothing(op))
    return op.appliedAtMs === null ? ": the request is lost" : `${seen}, but the answer is lost`;
  if (op.answeredAtMs === null) return `${seen}, but nobody is there to hear the answer`;
  return op.verdict === "throttled" ? ": told to slow down" : seen;
}

function conditionWords(op: OperationData): string {
  if (op.condition === null) return "";
  if (op.condition.kind === "if-absent") return " if it does not exist yet";
  return op.condition.version === null
    ? " if it has an etag it never had"
    : ` if it is still v${op.condition.version}`;
}

/** W1. */
function writeWords(op: OperationData, run: RunIndex): string {
  const done = doneWords(op, run);
  if (op.verdict === null) return op.told === null ? `${done}; its sender is gone` : done;
  if (wasToldNothing(op)) return `${done}; ${op.process} gets no answer${lateWords(op)}`;
  if (op.answeredAtMs === null) return `${done}; nobody is there to hear the answer`;
  if (op.verdict === "applied" && op.told !== "ok")
    return `${done}; ${op.process} is told ${op.told} all the same`;
  return done;
}

/** Nothing, when it landed in time. */
function lateWords(op: OperationData): string {
  if (op.answeredAtMs === null || op.appliedAtMs === null || op.appliedAtMs <= op.answeredAtMs) return "";
  return `, and the write lands ${spell(op.appliedAtMs - op.answeredAtMs)} after it gave up`;
}

/** What the store did, or that nothing reached it. */
function doneWords(op: OperationData, run: RunIndex): string {
  switch (op.verdict) {
    case "applied":
      return op.kind === "delete" ? ": gone" : `: makes v${op.version}`;
    case "absent":
      return ": there was nothing";
    case "precondition-failed":
    case "not-found":
      return `: refused (${op.verdict === "not-found" ? 404 : 412}), ${rivalWords(op, run)}`;
    case "conflict":
      return ": refused (409), the store did not look";
    case "throttled":
      return ": refused, told to slow down";
    case null:
      return ": the request is lost, nothing happens";
    default:
      return `: ${op.verdict}`;
  }
}

/** Who won. */
function rivalWords(op: OperationData, run: RunIndex): string {
  const rival = run.rivalOf(op);
  if (rival === null) return "the key is not there";
  const { operation, index } = rival;
  const what = rival.version.body === null ? "was deleted" : `is v${index} already, made`;
  if (operation.process !== op.process) return `it ${what} by ${operation.process}`;
  const unheard = operation.told !== "ok";
  return `it ${what} by ${unheard ? "its own earlier write, of which it had no answer" : "its own earlier write"}`;
}

/** The operation is told by its name, whatever it means. */
function callWords(call: CallData, run: RunIndex): string {
  const asks = `${lifeOf(call.from, call.fromIncarnation)} asks ${call.to} to ${call.operation}`;
  const faults = call.faults.map(faultWords).join("; ");
  const { words } = replyWords(run.data, call);
  const waited = call.answeredAtMs === null ? "" : ` after ${spell(call.answeredAtMs - call.sentAtMs)}`;
  return `${asks}: ${words}${waited}${faults === "" ? "" : ` (${faults})`}`;
}

/** W3. */
function incidentWords({ kind, process, detail }: IncidentData): string {
  const who = process ?? "the run";
  switch (kind) {
    case "start":
      return `${who} starts, ${detail}`;
    case "crash":
      return `${who} crashes and forgets all it had in memory`;
    case "pause":
      return `${who} is paused: it does nothing, and what comes for it waits`;
    case "resume":
      return `${who} goes on where it was paused, ${detail}`;
    case "skew":
      return `the clock of ${who} is off by ${clockOffset(detail)}`;
    case "drift":
    case "tick":
    case "step":
      return `the clock of ${who} has a ${kind} of ${detail}`;
    case "stop":
      return `${who} is asked to stop ${detail}`;
    case "stopped":
      return `${who} has stopped in order, ${detail}`;
    case "starve":
      return `${who} is starved: ${detail}`;
    case "twin":
      return `another life of ${who} begins ${detail}`;
    case "partition":
      return `${who} is cut off from the store: ${detail}`;
    case "stall":
      return `${who} stalls for longer than its lease`;
    case "heal":
      return "no fault strikes from here on, and everything that was down comes back";
    default:
      return `${who}: ${kind}${detail === "" ? "" : `, ${detail}`}`;
  }
}

/** `-11282 ms` as `−11.3 s`: with a sign always, in seconds however many. */
export function clockOffset(detail: string): string {
  const ms = Number.parseInt(detail, 10);
  if (Number.isNaN(ms)) return detail;
  const size = Math.abs(ms);
  const text = size < 1_000 ? `${size} ms` : `${(size / 1_000).toFixed(size < 20_000 ? 1 : 0)} s`;
  return `${ms < 0 ? "−" : "+"}${text}`;
}
