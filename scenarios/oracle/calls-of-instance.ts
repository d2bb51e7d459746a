/**
 * The calls of a run as operations on one instance each.
 *
 *   K1  an answered call is one operation from its sending to its answer. A call that was delivered twice is that
 *       and an open one: each delivery may have had its effect, and only one was answered.
 *   K2  a call without an answer, or answered `unknown-outcome` or `corrupt`, is an open operation.
 *   K3  any other refusal promises no effect, so what remains of the call is what the refusal says of the state:
 *       that there is no such instance or turn, or that it contradicts what is stored. A refusal for time (`fenced`),
 *       for size (`over-limit`), or because the node could do nothing (`unavailable`) says nothing of it.
 *   K4  an open claim may have taken a turn of any instance. It is not an operation but a time from which each
 *       instance may have an attempt that nobody was told of; one claim may so explain one attempt in each of them.
 *       So may an open completion that asks for the next turn, beside what it does itself.
 *   K5  repeats of one request that stayed open are one open operation: no command has an effect twice. Controls are
 *       apart: a pause that is sent again after a resume pauses again.
 *   K6  the inbox of a type is one read of each instance that it lists; what it leaves out says nothing, because the
 *       index may lag.
 */
import type { CallRecord, RunHistory } from "../../sim/index.ts";
import { isObject } from "../checkers/shapes.ts";

/** A call as its caller saw it. */
export interface ObservedCall {
  readonly record: CallRecord;
  readonly request: { readonly [field: string]: unknown };
  /** Open: nobody knows whether it had an effect. */
  readonly answer:
    | { readonly kind: "ok"; readonly value: unknown }
    | { readonly kind: "refused"; readonly failure: "not-found" | "conflict" }
    | { readonly kind: "open" };
}

export interface InstanceCalls {
  /** In the order of sending. */
  readonly calls: ObservedCall[];
}

export interface ObservedCalls {
  readonly byInstance: ReadonlyMap<string, InstanceCalls>;
  /** K4: when each open claim was sent, in order. */
  readonly silentClaimsMs: readonly number[];
}

/** What can still have had its effect after this failure. */
const OPEN = new Set<unknown>(["unknown-outcome", "corrupt"]);
/** Operations that change nothing: without an answer they tell nothing. */
const READS = new Set([
  "getInstance",
  "getTurn",
  "history",
  "inbox",
  "typeInbox",
  "listInstances",
  "heartbeat",
]);

export function observe(history: RunHistory): ObservedCalls {
  const byInstance = new Map<string, InstanceCalls>();
  const silentClaimsMs: number[] = [];
  const seenOpen = new Set<unknown>();
  for (const record of history.calls) {
    const { request, reply, operation, faults } = record;
    if (!isObject(request)) continue;
    const answer = answerOf(record);
    const twice = faults.includes("D01-duplicate-request");
    if (operation === "claim") {
      if (answer?.kind === "open" || twice) silentClaimsMs.push(record.sentAtMs);
      if (answer?.kind === "open" && twice) silentClaimsMs.push(record.sentAtMs);
      const id = answer?.kind === "ok" && isObject(reply) ? taskInstance(reply.value) : null;
      if (id !== null && answer !== null) add(byInstance, id, { record, request, answer });
      continue;
    }
    if (operation === "typeInbox") {
      for (const { id, value } of summaries(answer))
        add(byInstance, id, { record, request, answer: { kind: "ok", value } });
      continue;
    }
    const id = request.workflow_id ?? request.id;
    if (typeof id !== "string") continue;
    if (answer !== null && answer.kind !== "open") add(byInstance, id, { record, request, answer });
    const open = answer?.kind === "open" || twice;
    if (!open || READS.has(operation) || seenOpen.has(request)) continue;
    if (operation !== "control") seenOpen.add(request);
    if (request.next !== undefined) silentClaimsMs.push(record.sentAtMs);
    add(byInstance, id, { record, request, answer: { kind: "open" } });
  }
  return { byInstance, silentClaimsMs };
}

/** Null: the answer says nothing, and there was no effect (K3). */
function answerOf(record: CallRecord): ObservedCall["answer"] | null {
  const { reply, outcome } = record;
  if (outcome !== "answered" || !isObject(reply)) return { kind: "open" };
  if (reply.ok === true) return { kind: "ok", value: reply.value };
  const kind = isObject(reply.error) ? reply.error.kind : null;
  if (kind === "not-found" || kind === "conflict") return { kind: "refused", failure: kind };
  return OPEN.has(kind) ? { kind: "open" } : null;
}

/** K6. */
function summaries(
  answer: ObservedCall["answer"] | null,
): { readonly id: string; readonly value: unknown }[] {
  const page = answer?.kind === "ok" && isObject(answer.value) ? answer.value.instances : null;
  if (!Array.isArray(page)) return [];
  return page.flatMap((value: unknown) =>
    isObject(value) && typeof value.workflow_id === "string" ? [{ id: value.workflow_id, value }] : [],
  );
}

/** The instance whose turn a claim was given. */
function taskInstance(task: unknown): string | null {
  if (!isObject(task) || !isObject(task.turn)) return null;
  return typeof task.turn.workflow_id === "string" ? task.turn.workflow_id : null;
}

function add(to: Map<string, InstanceCalls>, id: string, call: ObservedCall): void {
  const known = to.get(id);
  if (known === undefined) to.set(id, { calls: [call] });
  else known.calls.push(call);
}
