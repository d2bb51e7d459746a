/**
 * A server that answers as its script says and notes where a worker does otherwise.
 *
 *   V1  requests are compared in the order of their arrival: call, time, body. Bodies must be equal whole: a field too
 *       many is a fault as much as one that is missing.
 *   V2  what comes after the script is a fault, except claims of a worker that serves: they find nothing.
 *   V3  the first fault is the one to look at: what follows it may only follow from it.
 */
import type { Clock } from "../../ports/clock.ts";
import type { HttpOutcome, HttpRequest } from "../../ports/http.ts";
import { sameJson } from "../../std/canonical-json.ts";
import { isJsonObject, type Json, parseJson } from "../../std/json.ts";
import { never } from "../waiting.ts";
import type { Script, ScriptedAnswer, ScriptedExchange } from "./script.ts";

export class ScriptedServer {
  readonly #script: Script;
  readonly #clock: Clock;
  /** How much later and earlier than the script a worker in real time may be. */
  readonly #slackMs: number;
  readonly #bodies: string[] = [];
  readonly #faults: string[] = [];
  #startMs: number | null = null;

  constructor(script: Script, clock: Clock, slackMs = 0) {
    this.#script = script;
    this.#clock = clock;
    this.#slackMs = slackMs;
  }

  /** What was wrong so far, first things first; with `whole`, also what never came. */
  faults(whole: boolean): readonly string[] {
    const missing = this.#script.exchanges.slice(this.#bodies.length);
    if (!whole || missing.length === 0) return this.#faults;
    return [...this.#faults, `${missing.map(({ call }) => call).join(", ")} never came`];
  }

  get isDone(): boolean {
    return this.#bodies.length >= this.#script.exchanges.length;
  }

  async handle({ target, body }: HttpRequest): Promise<HttpOutcome> {
    const call = target.split("?")[0]?.split("/").at(-1) ?? "";
    this.#startMs ??= this.#clock.monotonicMs();
    const at = this.#bodies.length;
    const expected = this.#script.exchanges[at];
    if (expected === undefined) return this.#beyond(call, body);
    this.#bodies.push(body ?? "");
    for (const fault of this.#compare(expected, call, body ?? ""))
      this.#faults.push(`request ${at} (${expected.call}): ${fault}`);
    return this.#answer(expected.answer);
  }

  /** V2. */
  async #beyond(call: string, body: string | null): Promise<HttpOutcome> {
    if (call === "claim" && this.#script.worker.run === "serve") {
      const asked = parseJson(body ?? "");
      const waitMs = isJsonObject(asked) && typeof asked.wait_ms === "number" ? asked.wait_ms : 0;
      await this.#clock.sleep(waitMs);
      return this.#answer({ status: 200, body: {} });
    }
    this.#faults.push(`${call} came after the end: ${body}`);
    return this.#answer({ status: 500, body: {} });
  }

  /** V1. */
  #compare(expected: ScriptedExchange, call: string, body: string): readonly string[] {
    const faults: string[] = [];
    if (call !== expected.call) faults.push(`${call} came in its place`);
    const atMs = this.#clock.monotonicMs() - (this.#startMs ?? 0);
    const [fromMs, toMs] = expected.at_ms;
    if (atMs < fromMs - this.#slackMs || atMs > toMs + this.#slackMs)
      faults.push(`came at ${atMs} ms, not from ${fromMs} to ${toMs} ms`);
    const parsed = parseJson(body);
    if (parsed === undefined || !this.#matches(parsed, expected.body))
      faults.push(`its body is ${body}, not ${JSON.stringify(expected.body)}`);
    const { same_body_as: same } = expected;
    if (same !== undefined && this.#bodies[same] !== body)
      faults.push(`its body is not that of request ${same}, byte for byte`);
    return faults;
  }

  #matches(value: Json, expected: Json): boolean {
    if (isJsonObject(expected)) {
      if (expected.$any === true) return true;
      if (Array.isArray(expected.$now_ms)) return this.#isAbout(value, expected.$now_ms);
      if (!isJsonObject(value)) return false;
      const names = new Set([...Object.keys(value), ...Object.keys(expected)]);
      return [...names].every((name) => {
        const [was, is] = [expected[name], value[name]];
        return was !== undefined && is !== undefined && this.#matches(is, was);
      });
    }
    if (!Array.isArray(expected)) return sameJson(value, expected);
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      value.every((one, at) => this.#matches(one, expected[at] ?? null))
    );
  }

  #isAbout(value: Json, [from, to]: readonly Json[]): boolean {
    const awayMs = Number(value) - this.#clock.wallMs();
    return (
      typeof value === "number" &&
      awayMs >= Number(from) - this.#slackMs &&
      awayMs <= Number(to) + this.#slackMs
    );
  }

  async #answer(answer: ScriptedAnswer): Promise<HttpOutcome> {
    if ("none" in answer)
      return answer.none === "silent" ? never() : { kind: "no-answer", detail: "the connection broke" };
    if (answer.after_ms !== undefined) await this.#clock.sleep(answer.after_ms);
    const body = JSON.stringify(withTimes(answer.body, this.#clock.wallMs()));
    const headers = { "content-type": "application/json", ...answer.headers };
    return { kind: "answer", response: { status: answer.status, headers, body } };
  }
}

/** `{"$now_ms": n}` as the time it means. */
function withTimes(value: Json, wallMs: number): Json {
  if (Array.isArray(value)) return value.map((one) => withTimes(one, wallMs));
  if (!isJsonObject(value)) return value;
  if (typeof value.$now_ms === "number") return wallMs + value.$now_ms;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withTimes(inner, wallMs)]));
}
