/**
 * Which calls asked for a change: sent to the node that wrote it, before it sent the write, for just this.
 *
 *   E1  a list that is empty means that nobody asked; `null` means that nobody has to ask for such a change.
 *   E2  `askedFor` never looks at answers; `possibleCauses` leaves out the calls that were told of no effect.
 *
 *   E3  a call asks for a change only with the very content that was stored: key, output, length of a sleep, name of a
 *       wait, limits of an operation, number of a report, time to retry at, value of a signal.
 *   E4  a wait that times out, and an attempt that begins over an ended one, belong to the claim that found them.
 *   E6  an attempt that a completion granted was asked for by a completion of that very turn, any other by a claim.
 *   E5  a control of a turn names it; pause, resume and wake are about the instance, and resume ends a wait besides.
 *
 * What it cannot see: which of several equal calls made the write.
 */
import type { StoreOperation } from "../../sim/index.ts";
import type {
  CompleteRequest,
  ControlAction,
  Instance,
  LeaseRequest,
  NextClaim,
  Operation,
  OperationRequest,
  Step,
  Turn,
} from "../../src/index.ts";
import type { Json } from "../../src/std/json.ts";
import { type AttemptCalls, type Call, NO_CALLS, taskIn } from "./calls.ts";
import type { Change, ChangeOf } from "./changes.ts";
import type { Facts } from "./facts.ts";
import { same } from "./same.ts";

/** How long an operation may run when nobody says so, milliseconds. */
const OPERATION_MS = 300_000;

export function askedFor(change: Change, facts: Facts): readonly Call<unknown>[] | null {
  const id = change.at.value.id;
  const { operation } = change.at.version;
  switch (change.kind) {
    case "created":
      return facts.calls.creates.filter((call) => call.request.id === id && reached(call, operation));
    case "admitted":
      return change.continues === null ? sendsOf(change.turn.message_id, change, facts) : null;
    case "claimed":
      return claimsOf(change, facts);
    case "expired": {
      // A person's retry or skip finds the turn as the next claim would have.
      const people = facts.calls.controls.filter(
        ({ request }) =>
          request.workflow_id === id &&
          request.turn === change.turn.number &&
          (request.action === "retry" || request.action === "skip"),
      );
      return [...facts.calls.claims, ...people].filter((call) => reached(call, operation));
    }
    case "renewed":
    case "saved":
    case "migrated":
    case "started":
    case "progressed":
    case "completed":
    case "failed":
    case "suspended":
    case "deferred":
      return attemptCalls(change, facts).filter(
        (call) =>
          call.request.workflow_id === id &&
          call.request.turn === change.turn.number &&
          reached(call, operation),
      );
    case "signalled":
      return signalsOf(change, facts);
    case "woken":
    case "paused":
    case "resumed":
    case "retried":
    case "skipped":
    case "cancelled":
      return controlsOf(change, facts);
    case "timed-out":
    case "moved":
    case "forbidden":
      return null;
  }
}

/** E6. */
function claimsOf({ at, holder }: ChangeOf<"claimed">, facts: Facts): readonly Call<unknown>[] {
  const { operation } = at.version;
  const takes = (claim: NextClaim) => claim.worker === holder.worker && serves(claim, at.value);
  if (holder.granted_by === undefined)
    return facts.calls.claims.filter((call) => takes(call.request) && reached(call, operation));
  return facts.calls.nexts.filter(
    ({ request, ...call }) =>
      request.workflow_id === at.value.id &&
      request.turn === holder.granted_by &&
      takes(request.next) &&
      reached({ request, ...call }, operation),
  );
}

/** Whether the claim asks for instances of this type and version. */
function serves({ workflows }: NextClaim, { workflow_type, version }: Instance): boolean {
  return workflows.some(
    (one) =>
      one.workflow_type === workflow_type &&
      (one.version === version || one.migrates_from?.includes(version) === true),
  );
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
      same(request.message, change.turn.message) &&
      same(request.origin ?? null, change.turn.origin),
  );
}

/** The receipts of just this event. */
function signalsOf({ at, turn, signal }: ChangeOf<"signalled">, facts: Facts) {
  return facts.calls.signals.filter(
    (call) =>
      call.request.id === signal.id &&
      call.request.name === signal.name &&
      call.request.turn === turn.number &&
      call.request.workflow_id === at.value.id &&
      reached(call, at.version.operation) &&
      same(call.request.value, signal.value),
  );
}

type ControlChange = ChangeOf<"woken" | "paused" | "resumed" | "retried" | "skipped" | "cancelled">;
/** What a person may have asked to make this change. */
const ACTIONS: { readonly [kind in ControlChange["kind"]]: readonly ControlAction[] } = {
  woken: ["wake", "resume"],
  paused: ["pause"],
  resumed: ["resume"],
  retried: ["retry"],
  skipped: ["skip"],
  cancelled: ["cancel_turn"],
};

function controlsOf(change: ControlChange, facts: Facts) {
  const { at, kind } = change;
  const turn = kind === "retried" || kind === "skipped" || kind === "cancelled" ? change.turn.number : null;
  return facts.calls.controls.filter(
    (call) =>
      ACTIONS[kind].includes(call.request.action) &&
      call.request.workflow_id === at.value.id &&
      (turn === null || call.request.turn === turn) &&
      (kind !== "woken" || (call.request.turn ?? change.turn.number) === change.turn.number) &&
      reached(call, at.version.operation),
  );
}

type AttemptChange = ChangeOf<
  | "renewed"
  | "saved"
  | "migrated"
  | "started"
  | "progressed"
  | "completed"
  | "failed"
  | "suspended"
  | "deferred"
>;

/** What was asked with the holder's token that can make this change. */
function attemptCalls(change: AttemptChange, facts: Facts): readonly Call<LeaseRequest>[] {
  const calls = facts.calls.attempts.get(change.holder.token) ?? NO_CALLS;
  switch (change.kind) {
    case "renewed":
      return calls.heartbeats;
    case "migrated": {
      const { state } = change.at.value;
      return calls.migrations.filter(({ request }) => same(request.state, state));
    }
    case "saved":
    case "suspended":
      return stepCalls(change, calls);
    case "started":
      return calls.operations.filter(({ request }) => asked(request, change.operation));
    case "progressed": {
      const { key, sequence, details, checkpoint } = change.operation;
      return calls.progresses.filter(
        ({ request }) =>
          request.key === key &&
          request.sequence === sequence &&
          same(request.details, details) &&
          same(request.checkpoint, checkpoint),
      );
    }
    case "completed": {
      const { state_after, result } = change.turn;
      return calls.completes.filter(
        ({ request }) =>
          same(request.state, state_after) &&
          same(request.result ?? null, result) &&
          keepsSteps(request, change.turn),
      );
    }
    case "failed":
    case "deferred": {
      const { error, ready_at_ms, waiting_for } = change.turn;
      const due = change.kind === "failed" ? null : ready_at_ms;
      const reason = waiting_for === "capacity" ? "capacity" : null;
      return calls.fails.filter(
        ({ request }) =>
          request.error === error &&
          (request.retry_at_ms ?? null) === due &&
          (due === null || (request.reason ?? null) === reason),
      );
    }
  }
}

/** The checkpoints, waits, or completions, that ask for just this step: what ends the attempt in the same write. */
function stepCalls({ position, step, turn }: ChangeOf<"saved" | "suspended">, calls: AttemptCalls) {
  const { key, kind, output, delay_ms, signal_name, child_id } = step;
  const here = (request: { readonly position: number; readonly key: string }) =>
    request.position === position && request.key === key;
  if (kind === "signal" && child_id !== null)
    return calls.starts.filter(({ request }) => here(request) && request.timeout_ms === delay_ms);
  if (kind === "signal")
    return calls.waits.filter(
      ({ request }) => here(request) && request.name === signal_name && request.timeout_ms === delay_ms,
    );
  const saves = calls.checkpoints.filter(
    ({ request }) =>
      here(request) &&
      request.kind === kind &&
      (request.delay_ms ?? null) === delay_ms &&
      same(request.output ?? null, output),
  );
  if (kind !== "step" || turn.status !== "completed") return saves;
  const folds = ({ steps = [] }: CompleteRequest) =>
    steps.some((one) => here(one) && same(one.output, output));
  return calls.completes.filter(({ request }) => folds(request));
}

/** Whether the turn has the steps that its completion was to save, each where it was to be. */
function keepsSteps({ steps = [] }: CompleteRequest, turn: Turn): boolean {
  return steps.every((step) => isSavedAs(turn.steps[step.position], step.key, step.output));
}

function isSavedAs(saved: Step | undefined, key: string, output: Json): boolean {
  return saved?.kind === "step" && saved.key === key && same(saved.output, output);
}

/** Whether the start asks for this operation, with the limits that hold when it names none. */
function asked(request: OperationRequest, { key, kind, timeout_ms, heartbeat_timeout_ms }: Operation) {
  return (
    request.key === key &&
    request.kind === kind &&
    (request.timeout_ms ?? OPERATION_MS) === timeout_ms &&
    (request.heartbeat_timeout_ms ?? null) === heartbeat_timeout_ms
  );
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

/** The token that a call handed out. */
function tokenOf(call: Call<unknown>): unknown {
  return taskIn(call)?.token ?? null;
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
