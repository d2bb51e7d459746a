/**
 * The things on a run's page that can be seen and chosen: store operations, calls, incidents.
 *
 * Owns which stops each of them makes on which lanes at which time, and its tone. Draws nothing.
 *
 *   I1  A stop exists only where something was recorded. Two things were not: when a call reached its target (it is
 *       drawn as if at once), and when a request was refused without a look at the key (409, slow down): it is
 *       drawn shortly before its answer.
 *   I2  Stops at one time are ordered by what can only have followed: starts, answers, sendings, landings, ends.
 */
import type { CallData, IncidentData, OperationData, RunData } from "../report-data.ts";
import { isWrite } from "./run-index.ts";

export const KINDS = ["writes", "reads", "lists", "calls", "incidents"] as const;
export type Kind = (typeof KINDS)[number];

/** `fault` before all: something struck it. `refused`: it was answered no. `slow`: asked to slow down, no more. */
export type Tone = "read" | "write" | "refused" | "slow" | "fault" | "call" | "incident";
export type Role = "send" | "land" | "answer" | "mark";

export interface Stop {
  readonly role: Role;
  readonly lanes: readonly string[];
  readonly atMs: number;
  readonly phase: number;
  readonly order: number;
}

interface Shared {
  /** Unique on its run's page: `o17`, `c5`, `i3`. */
  readonly id: string;
  readonly kind: Kind;
  readonly tone: Tone;
  readonly stops: readonly Stop[];
  readonly atMs: number;
}
export type Item =
  | (Shared & { readonly type: "operation"; readonly op: OperationData })
  | (Shared & { readonly type: "call"; readonly call: CallData })
  | (Shared & { readonly type: "incident"; readonly incident: IncidentData });

const PHASE = { begin: 0, answer: 1, send: 2, land: 3, end: 4 } as const;
const BEGINNINGS = new Set(["start", "resume", "skew", "drift", "tick", "step", "heal"]);

export function processLane(name: string): string {
  return `process ${name}`;
}
export function keyLane(key: number): string {
  return `key ${key}`;
}

/** Everything that happened, in the order of its beginning. */
export function itemsOf(run: RunData): readonly Item[] {
  const items: Item[] = [
    ...run.incidents.map(incidentItem),
    ...run.calls.map(callItem),
    ...run.operations.map(operationItem),
  ];
  const phase = (item: Item): number => item.stops[0]?.phase ?? 0;
  return items.sort((a, b) => a.atMs - b.atMs || phase(a) - phase(b));
}

/** Whether the sender was left without an answer. */
export function wasToldNothing(op: OperationData): boolean {
  return op.told === "unknown-outcome";
}

/** When the request reached the store, as far as a page can tell (I1); null: never. */
export function landingMs(op: OperationData): number | null {
  if (op.appliedAtMs !== null || op.verdict === null) return op.appliedAtMs;
  return op.answeredAtMs === null ? op.sentAtMs : Math.max(op.sentAtMs, op.answeredAtMs - 1);
}

function operationItem(op: OperationData): Item {
  const lanes = [processLane(op.process)];
  const stops: Stop[] = [{ role: "send", lanes, atMs: op.sentAtMs, phase: PHASE.send, order: op.id }];
  const landsMs = landingMs(op);
  if (landsMs !== null && op.kind !== "list") {
    const order = op.version === null ? Number.MAX_SAFE_INTEGER : 2 * op.version + (isWrite(op) ? 0 : 1);
    stops.push({ role: "land", lanes: [keyLane(op.key)], atMs: landsMs, phase: PHASE.land, order });
  }
  if (op.answeredAtMs !== null)
    stops.push({ role: "answer", lanes, atMs: op.answeredAtMs, phase: PHASE.answer, order: op.id });
  const kind = op.kind === "list" ? "lists" : isWrite(op) ? "writes" : "reads";
  return { id: `o${op.id}`, type: "operation", kind, tone: toneOf(op), stops, atMs: op.sentAtMs, op };
}

function toneOf(op: OperationData): Tone {
  if (op.faults.length > 0 || wasToldNothing(op)) return "fault";
  if (op.verdict === "throttled") return "slow";
  if (!isWrite(op)) return "read";
  return op.verdict === "applied" || op.verdict === "absent" || op.verdict === null ? "write" : "refused";
}

function callItem(call: CallData): Item {
  const lanes = [processLane(call.from), processLane(call.to)];
  const stops: Stop[] = [{ role: "send", lanes, atMs: call.sentAtMs, phase: PHASE.send, order: call.id }];
  if (call.answeredAtMs !== null)
    stops.push({ role: "answer", lanes, atMs: call.answeredAtMs, phase: PHASE.answer, order: call.id });
  const tone = call.faults.length > 0 || call.outcome === "unknown-outcome" ? "fault" : "call";
  return { id: `c${call.id}`, type: "call", kind: "calls", tone, stops, atMs: call.sentAtMs, call };
}

function incidentItem(incident: IncidentData, index: number): Item {
  const { atMs, kind, process } = incident;
  const lanes = process === null ? [] : [processLane(process)];
  const phase = BEGINNINGS.has(kind) ? PHASE.begin : PHASE.end;
  const stops: readonly Stop[] = [{ role: "mark", lanes, atMs, phase, order: index }];
  return {
    id: `i${index + 1}`,
    type: "incident",
    kind: "incidents",
    tone: "incident",
    stops,
    atMs,
    incident,
  };
}
