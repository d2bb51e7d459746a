/**
 * A conformance script: what a worker runs, what a server answers in order, and what a right worker sends.
 *
 * Scripts are JSON, so that a worker in any language can be held against them. The README beside them says how.
 *
 *   In what is expected:  {"$any": true}            any value
 *                         {"$now_ms": [lo, hi]}     a time, so far from the server's clock
 *   In what is answered:  {"$now_ms": n}            the server's clock, so far from now
 */
import type { Json, JsonObject } from "../../std/json.ts";

export interface Script {
  /** A claim in the present tense. */
  readonly name: string;
  /** Where the rule is from. */
  readonly source: string;
  readonly worker: ScriptedWorker;
  readonly workflow: { readonly name: string; readonly version: string; readonly program: readonly Act[] };
  /** Requests in the order of their arrival. */
  readonly exchanges: readonly ScriptedExchange[];
  /** After the last one nothing more may come for so long, claims of a worker that serves apart. */
  readonly quiet_ms: number;
}

export interface ScriptedWorker {
  readonly name: string;
  /** One claim without waiting, or serving until it is told to stop. */
  readonly run: "once" | "serve";
  /** When it is told to stop, since it began; the second time means at once. */
  readonly stops_at_ms?: readonly number[];
  readonly drain_ms?: number;
  /** What it saves itself (`../savings.ts`); what is absent is as documented. */
  readonly record_operations?: "always" | "long";
  readonly fold_last_step?: boolean;
  readonly claim_next?: boolean;
}

export interface ScriptedExchange {
  /** The last part of the path: `claim`, `heartbeat`. */
  readonly call: string;
  /** Since the first request: the earliest and the latest arrival, milliseconds. */
  readonly at_ms: readonly [number, number];
  readonly body: Json;
  /** Index of an exchange with the very same body, byte for byte. */
  readonly same_body_as?: number;
  readonly answer: ScriptedAnswer;
}

export type ScriptedAnswer =
  | { readonly status: number; readonly body: Json; readonly after_ms?: number; readonly headers?: Headers }
  /** The connection breaks, or nothing ever comes. */
  | { readonly none: "broken" | "silent" };

export interface Headers {
  readonly [name: string]: string;
}

/** What the scripted workflow does, act by act. A value `{"$value": key}` is what the act of that key gave. */
export type Act =
  | ScriptedStep
  | { readonly sleep: string; readonly ms: number }
  | { readonly wait: string; readonly signal: string; readonly timeout_ms: number }
  /** All begun before any is awaited. */
  | { readonly parallel: readonly ScriptedStep[] }
  /** Begun and not awaited. */
  | { readonly unawaited: ScriptedStep }
  /** So many steps `s0`, `s1`, … that return their number. */
  | { readonly steps: number }
  | { readonly fail: string }
  | { readonly fail_for_good: string }
  | { readonly wait_until_ms: number; readonly why: string }
  | { readonly end: { readonly state: Json; readonly result?: Json } }
  | { readonly continue: { readonly state: Json; readonly message: Json } };

export interface ScriptedStep {
  readonly step: string;
  readonly kind?: "step" | "model" | "tool";
  readonly timeout_ms?: number;
  readonly heartbeat_timeout_ms?: number;
  /** In order, before it returns. */
  readonly acts?: readonly StepAct[];
  /** `{"$checkpoint": true}`: the checkpoint that it was given; `{"$effect_id": true}`: its effect id. */
  readonly returns?: Json;
  readonly fails?: string;
  /** It returns something that is not JSON. */
  readonly returns_nothing?: true;
}

export type StepAct =
  | { readonly take_ms: number }
  | { readonly progress: JsonObject }
  | { readonly heartbeat: Json; readonly checkpoint?: Json };
