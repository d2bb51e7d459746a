/**
 * Each run made twice and compared: what `--check-determinism` does.
 *
 *   D1  Two runs of one seed have the same fingerprint, the same outcome and the same requests to the store, body
 *       by body; otherwise the result is a divergence.
 *   D2  On a difference both runs are made again with their steps kept, and the first step that differs is shown
 *       with both sides.
 *
 * Not covered: differences between processes and Node versions; compare the fingerprint of a whole campaign.
 */
import type { RunHistory } from "../history/history.ts";
import { type Divergence, firstDivergence } from "../kernel/index.ts";
import { describeOutcome, type RunResult } from "./outcome.ts";

/** Makes one and the same run each time that it is called; `logSteps` keeps its steps. */
export type MakeRun = (options: { readonly logSteps?: boolean }) => Promise<RunResult>;

/** The run; a divergence when it cannot be repeated. */
export async function runTwice(make: MakeRun): Promise<RunResult> {
  const first = await make({});
  const second = await make({});
  const difference = compareRuns(first, second);
  if (difference === null) return first;
  const left = await make({ logSteps: true });
  const right = await make({ logSteps: true });
  const steps = left.steps !== null && right.steps !== null ? firstDivergence(left.steps, right.steps) : null;
  const shown = steps ?? difference;
  return {
    ...first,
    outcome: { kind: "divergence", step: shown.step, recorded: shown.left, now: shown.right },
  };
}

/** The first difference that can be told without the steps; `step` is then the number of a store operation. */
function compareRuns(first: RunResult, second: RunResult): Divergence | null {
  const body = compareRequests(first.history, second.history);
  if (body !== null) return body;
  if (first.fingerprint !== second.fingerprint) {
    return { step: 0, left: `fingerprint ${first.fingerprint}`, right: `fingerprint ${second.fingerprint}` };
  }
  const [left, right] = [describeOutcome(first.outcome), describeOutcome(second.outcome)];
  return left === right ? null : { step: first.history.operations.length, left, right };
}

function compareRequests(first: RunHistory, second: RunHistory): Divergence | null {
  for (const [i, a] of first.operations.entries()) {
    const b = second.operations[i];
    if (b !== undefined && a.kind === b.kind && a.key === b.key && a.body === b.body) continue;
    const right = b === undefined ? "no request" : requestText(b.kind, b.key, b.body, a.body);
    return { step: a.id, left: requestText(a.kind, a.key, a.body, b?.body ?? null), right };
  }
  return null;
}

/** The request, with its body from shortly before the place where it differs from the other one. */
function requestText(kind: string, key: string, body: string | null, other: string | null): string {
  if (body === null) return `${kind} ${key}`;
  let at = 0;
  while (at < body.length && body[at] === other?.[at]) at++;
  return `${kind} ${key} with … ${body.slice(Math.max(0, at - 30), at + 60)} …`;
}
