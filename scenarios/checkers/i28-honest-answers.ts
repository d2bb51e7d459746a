/**
 * I28: what a server answers is what its engine answered.
 *
 *   A1  an answer of 200 has the value of a reply that the engine gave to the same request while it was served; a refusal
 *       has the status, type and code of one.
 *   A2  a client is told to try again exactly when the engine's reply leaves that of use.
 *   A3  a claim that waits asks the engine again and again; its answer is that of one of these, or that there is nothing.
 *
 * The table is the interface's page, written down once more.
 */
import type { Checker } from "../../sim/index.ts";
import type { EngineCall, Served } from "../systems/http-log.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";
import { isObject } from "./shapes.ts";
import { spoken } from "./spoken.ts";

const NAME = "I28-honest-answers";

/** By the failure's kind: the statuses that it may have, and whether a repeat is of use. */
const STATUSES: { readonly [kind: string]: readonly (readonly [status: number, retryable: boolean])[] } = {
  invalid: [[400, false]],
  "not-found": [[404, false]],
  conflict: [[409, false]],
  fenced: [[409, false]],
  forbidden: [[403, false]],
  "over-limit": [
    [400, false],
    [429, true],
  ],
  unavailable: [[503, true]],
  "unknown-outcome": [[503, true]],
  corrupt: [[500, false]],
};

export const honestAnswers: Checker<Facts> = {
  name: NAME,
  statement:
    "a server answers with a reply that its engine gave to the same request: the same value, or the status, type and code that stand for its refusal, and says of each refusal whether a repeat is of use",
  blind: "what the engine itself answers wrongly; requests that never reach it",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const served of spoken(facts).served) {
      report.examine();
      const wrong = wrongIn(served);
      if (wrong !== null)
        report.add(`${served.node}: ${served.asked.operation} ${wrong}`, served.node, served.atMs);
    }
    return report.finding();
  },
};

/** Why no reply of the engine explains the answer, or null. */
function wrongIn(served: Served): string | null {
  const { asked, calls, said, response } = served;
  if (asked.operation === "claim" && said.ok && said.value === null) return null;
  let why = `was answered ${response.status} and the engine was never asked`;
  for (const call of calls) {
    if (call.operation !== asked.operation || !isFor(call, served)) continue;
    const wrong = differs(call.reply, served);
    if (wrong === null) return null;
    why = wrong;
  }
  return why;
}

/** Whether the engine was asked what the request asks. */
function isFor({ args }: EngineCall, { asked }: Served): boolean {
  const { operation, request } = asked;
  const [first, second] = args;
  switch (operation) {
    case "getInstance":
      return first === request.id;
    case "getTurn":
      return first === request.workflow_id && second === request.turn;
    case "getBlob":
      return first === request.workflow_id && second === request.reference;
    case "claim":
      return isObject(first) && first.worker === request.worker && same(first.workflows, request.workflows);
    default:
      return same(first, request);
  }
}

function differs(reply: unknown, { said, response }: Served): string | null {
  const { status, body } = response;
  if (!isObject(reply)) return `was answered ${status} before the engine had answered`;
  if (reply.ok === true) {
    if (status !== 200 || !said.ok) return `was answered ${status} where the engine accepted it`;
    return same(said.value, reply.value) ? null : "was answered with another value than the engine's";
  }
  const error = isObject(reply.error) ? reply.error : {};
  const allowed = STATUSES[String(error.kind)] ?? [];
  const told = `${error.kind} ${error.code}`;
  const row = allowed.find(([one]) => one === status);
  if (row === undefined || said.ok) return `was answered ${status} where the engine said ${told}`;
  if (said.error.kind !== error.kind || said.error.code !== error.code)
    return `was answered ${said.error.kind} ${said.error.code} where the engine said ${told}`;
  const [, retryable] = row;
  if (body.includes(`"retryable":${!retryable}`))
    return `was answered as retryable: ${!retryable} for ${told}`;
  return null;
}
