/**
 * What workers and clients said over HTTP, sorted for the checkers: by attempt, and by call.
 *
 *   E1  an attempt is one task that a worker was given, by a claim or with a completion, with everything that was sent
 *       under its token, in its order. What came with a completion may have been claimed by the first of its repeats, so
 *       that is when it was asked for.
 *   E2  a call is what its sender meant to be one: the same place of the same attempt, or one call of a client's user.
 *       The body is no part of that, so that a repeat with another body is seen.
 *   E3  times are the sender's own, by its monotonic clock, except where a pause of its process is looked for.
 */
import type { RunHistory } from "../../sim/index.ts";
import type { Deed, Exchange, HttpLog, Sender } from "../systems/http-log.ts";
import type { Facts } from "./facts.ts";
import { isObject } from "./shapes.ts";

/** E1. */
export interface SpokenAttempt {
  readonly by: Sender;
  readonly token: string;
  readonly leaseMs: number;
  /** What it was given. */
  readonly task: { readonly [field: string]: unknown };
  /** Asked for when the first of all repeats was sent, given when the last one was answered. */
  readonly claim: Exchange;
  /** Without the claim. */
  readonly exchanges: Exchange[];
  readonly deeds: Deed[];
}

/** Two readings of a clock that were meant to be apart by a time may show this much less. */
export const SLACK_MS = 5;
/** And this much more: a strategy that looks for other orders puts an event off by up to a tenth of a second. */
export const LATE_MS = 105;

const NOTHING: Pick<HttpLog, "exchanges" | "served" | "deeds" | "stops"> = {
  exchanges: [],
  served: [],
  deeds: [],
  stops: [],
};

export function spoken(facts: Facts): Pick<HttpLog, "exchanges" | "served" | "deeds" | "stops"> {
  return facts.setup.http ?? NOTHING;
}

export function attemptsOf({ exchanges, deeds }: Pick<HttpLog, "exchanges" | "deeds">): SpokenAttempt[] {
  const attempts = new Map<string, SpokenAttempt>();
  const firsts = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const { by, asked } = exchange;
    if (by.kind !== "worker") continue;
    if (asked.operation !== "claim")
      attempts.get(`${by.serial} ${asked.request.token}`)?.exchanges.push(exchange);
    const call = `${by.serial} ${asked.request.token}`;
    if (asked.operation === "complete" && !firsts.has(call)) firsts.set(call, exchange);
    const task = taskGiven(exchange);
    if (task === null) continue;
    const token = String(task.token);
    const first = asked.operation === "complete" ? (firsts.get(call) ?? exchange) : exchange;
    const { sent, sentAtMs, sentMonoMs } = first;
    attempts.set(`${by.serial} ${token}`, {
      by,
      token,
      leaseMs: Number(task.lease_ms),
      task,
      claim: { ...exchange, sent, sentAtMs, sentMonoMs },
      exchanges: [],
      deeds: [],
    });
  }
  for (const deed of deeds) attempts.get(`${deed.by.serial} ${deed.token}`)?.deeds.push(deed);
  return [...attempts.values()];
}

/** The task that the answer gave its worker; null: none. */
export function taskGiven({ asked, said, end }: Exchange): { readonly [field: string]: unknown } | null {
  if (end !== "answer" || said?.ok !== true) return null;
  if (asked.operation === "claim") return isObject(said.value) ? said.value : null;
  if (asked.operation !== "complete" || !isObject(said.value)) return null;
  return isObject(said.value.next) ? said.value.next : null;
}

/** Whether it was heard that the call was accepted. */
export function endedWell({ end, said }: Exchange): boolean {
  return end === "answer" && said?.ok === true;
}

/** E2: the exchanges of each call, in their order. */
export function callsOf(exchanges: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const calls = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const { by, call, asked } = exchange;
    const { token, position, key, sequence } = asked.request;
    if (call === null && typeof token !== "string") continue;
    const place = call === null ? `${token} ${position} ${key} ${sequence}` : call;
    const name = `${by.serial} ${asked.operation} ${place}`;
    const known = calls.get(name);
    if (known === undefined) calls.set(name, [exchange]);
    else known.push(exchange);
  }
  return [...calls.values()];
}

/** A call after which a worker may have no turn any more, so it renews no lease meanwhile. */
export function letsGo({ asked: { operation, request } }: Exchange): boolean {
  if (operation === "checkpoint") return request.kind === "sleep";
  return ["complete", "fail", "waitSignal", "startChild"].includes(operation);
}

/** Whether the answer, which was heard, says that the turn is not the worker's any more. */
export function endsTurn(exchange: Exchange): boolean {
  const { said, status, end } = exchange;
  if (end !== "answer" || said === null) return false;
  if (status === 404 || status === 409) return true;
  if (!said.ok || !letsGo(exchange)) return false;
  const { operation } = exchange.asked;
  if (operation !== "waitSignal" && operation !== "startChild") return true;
  return isObject(said.value) && said.value.status === "waiting";
}

/** E3: when processes were frozen, by name, virtual milliseconds. */
export class Pauses {
  readonly #spans = new Map<string, [fromMs: number, toMs: number][]>();

  constructor({ incidents }: RunHistory) {
    for (const { kind, process, atMs } of incidents) {
      if (process === null) continue;
      const spans = this.#spans.get(process) ?? [];
      this.#spans.set(process, spans);
      const last = spans.at(-1);
      if (kind === "pause") spans.push([atMs, Number.POSITIVE_INFINITY]);
      else if (last !== undefined && last[1] === Number.POSITIVE_INFINITY) last[1] = atMs;
    }
  }

  /** Whether it was at some time between the two. */
  between(process: string, fromMs: number, toMs: number): boolean {
    return (this.#spans.get(process) ?? []).some(([from, to]) => from <= toMs && to >= fromMs);
  }
}

export function nameOf({ by, asked }: Exchange): string {
  const { workflow_id, turn } = asked.request;
  const about = workflow_id === undefined ? "" : ` about turn ${turn} of ${workflow_id}`;
  return `${by.process}: ${asked.operation}${about}`;
}
