/**
 * Which calls asked for a change: sent to the node that wrote it, before it sent the write, for just this.
 *
 *   E1  a list that is empty means that nobody asked; `null` means that nobody has to ask for such a change.
 *   E2  `askedFor` never looks at answers; `possibleCauses` leaves out the calls that were told of no effect.
 *
 * What it cannot see: which of several equal calls made the write.
 */
import type { StoreOperation } from "../../sim/index.ts";
import type { Call } from "./calls.ts";
import { NO_CALLS } from "./calls.ts";
import type { Change } from "./changes.ts";
import type { Facts } from "./facts.ts";
import { same } from "./same.ts";
import { isObject } from "./shapes.ts";

export function askedFor(change: Change, facts: Facts): readonly Call<unknown>[] | null {
  const id = change.at.value.id;
  const { operation } = change.at.version;
  switch (change.kind) {
    case "created":
      return facts.calls.creates.filter((call) => call.request.id === id && reached(call, operation));
    case "admitted":
      return change.continues === null ? sendsOf(change.turn.message_id, change, facts) : null;
    case "claimed":
      return facts.calls.claims.filter(
        (call) => call.request.worker === change.holder.worker && reached(call, operation),
      );
    case "expired":
      return facts.calls.claims.filter((call) => reached(call, operation));
    case "renewed":
    case "saved":
    case "completed":
    case "failed":
      return attemptCalls(change, facts).filter(
        (call) =>
          call.request.workflow_id === id &&
          call.request.turn === change.turn.number &&
          reached(call, operation),
      );
    case "moved":
    case "forbidden":
      return null;
  }
}

function reached(call: Call<unknown>, operation: StoreOperation): boolean {
  return call.record.to === operation.process && call.record.sentAtMs <= operation.sentAtMs;
}

function sendsOf(messageId: string, change: Change & { kind: "admitted" }, facts: Facts) {
  const { operation } = change.at.version;
  return facts.calls.sends.filter(
    ({ request, ...call }) =>
      request.id === messageId &&
      request.workflow_id === change.at.value.id &&
      reached({ request, ...call }, operation) &&
      same(request.message, change.turn.message),
  );
}

type AttemptChange = Change & { readonly kind: "renewed" | "saved" | "completed" | "failed" };

/** What was asked with the holder's token that can make this change. */
function attemptCalls(change: AttemptChange, facts: Facts) {
  const calls = facts.calls.attempts.get(change.holder.token) ?? NO_CALLS;
  switch (change.kind) {
    case "renewed":
      return calls.heartbeats;
    case "saved": {
      const { position, step } = change;
      return calls.checkpoints.filter(
        ({ request }) =>
          request.position === position && request.key === step.key && same(request.output, step.output),
      );
    }
    case "completed": {
      const { state_after, result } = change.turn;
      return calls.completes.filter(
        ({ request }) => same(request.state, state_after) && same(request.result ?? null, result),
      );
    }
    case "failed":
      return calls.fails.filter(({ request }) => request.error === change.turn.error);
  }
}

/** The calls that can have led to the change: those that were not told that they did not. */
function possibleCauses(change: Change, calls: readonly Call<unknown>[]): readonly Call<unknown>[] {
  const certain = calls.filter((call) => change.kind === "claimed" && tokenOf(call) === change.holder.token);
  return certain.length > 0 ? certain : calls.filter((call) => !promisedNothing(call, change));
}

/** Whether the caller was told that this call did not make the change. */
export function promisedNothing(call: Call<unknown>, change: Change): boolean {
  if (call.answer.kind === "refused") return true;
  if (call.answer.kind === "open" || change.kind !== "claimed") return false;
  if (call.record.faults.includes("D01-duplicate-request")) return false;
  return tokenOf(call) !== change.holder.token;
}

/** The token that a claim handed out. */
function tokenOf({ answer }: Call<unknown>): unknown {
  return answer.kind === "ok" && isObject(answer.value) ? answer.value.token : null;
}

/**
 * The least and the most that the clock of the deciding node can have shown: it decided after the version before
 * was stored and after somebody had asked, and before it sent the write.
 */
export function clockAt(change: Change, facts: Facts): readonly [earliestMs: number, latestMs: number] {
  const { process, sentAtMs } = change.at.version.operation;
  const calls = possibleCauses(change, askedFor(change, facts) ?? []);
  let fromMs = change.before?.version.atMs ?? 0;
  if (calls.length > 0) fromMs = Math.max(fromMs, Math.min(...calls.map((call) => call.record.sentAtMs)));
  return facts.clocks.shown(process, fromMs, sentAtMs);
}
