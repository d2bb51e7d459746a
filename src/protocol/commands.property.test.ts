/**
 * Any sequence of commands on one instance. Risk: an order of calls that no example thought of breaks P1 to P46.
 *
 * The commands are drawn with right and wrong tokens, turns and positions, at a clock that also jumps back. After every
 * write the document is held against the invariants, and what the index was told last against what it ought to know.
 * Not covered: more than one writer, which the simulator has.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Schedule } from "../vocabulary/index-entry.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { isFinished, type Step, type Turn } from "../vocabulary/turn.ts";
import { checkpoint } from "./checkpoint.ts";
import { claim } from "./claim.ts";
import { complete } from "./complete.ts";
import { control, isTurnAction } from "./control.ts";
import type { Decision, Moment } from "./decision.ts";
import { ask, failureOf, operationOf, queued, reportOf, signalOf, sleepOf, waitOf } from "./example-turns.ts";
import { claimCommand, completion, dropMoved, lease, sent, step, T0 } from "./examples.ts";
import { fail } from "./fail.ts";
import { heartbeat } from "./heartbeat.ts";
import { assertInstance, inboxHead, unmovedTurns } from "./inbox.ts";
import { operation } from "./operation.ts";
import { progress } from "./progress.ts";
import { isRescheduled, scheduleOf } from "./schedule.ts";
import { send } from "./send.ts";
import { signal } from "./signal.ts";
import { instanceView } from "./view.ts";
import { waitSignal } from "./wait-signal.ts";

const CONTROLS = ["pause", "resume", "retry", "skip", "cancel_turn", "wake"] as const;
const ENDS = ["complete", "continue", "fail", "defer"] as const;
const STEPS = ["checkpoint", "sleep", "wait", "operation", "progress"] as const;
const NAMES = ["send", "claim", "heartbeat", "signal", "move", ...STEPS, ...ENDS, ...CONTROLS] as const;
type Name = (typeof NAMES)[number];
/** How often each is drawn: what a run needs to get somewhere often, what ends it seldom. */
const WEIGHTS: { readonly [name in Name]: number } = {
  send: 6,
  claim: 12,
  heartbeat: 2,
  signal: 3,
  move: 2,
  checkpoint: 3,
  sleep: 2,
  wait: 3,
  operation: 5,
  progress: 6,
  complete: 3,
  continue: 2,
  fail: 5,
  defer: 3,
  pause: 1,
  resume: 4,
  retry: 5,
  skip: 3,
  cancel_turn: 1,
  wake: 3,
};
interface Call {
  readonly name: Name;
  readonly token: string;
  readonly turn: number;
  readonly n: number;
  readonly skipMs: number;
}

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.oneof(...NAMES.map((name) => ({ weight: WEIGHTS[name], arbitrary: fc.constant<Name>(name) }))),
  token: fc.constantFrom("t0", "t1", "t2"),
  turn: fc.integer({ min: 1, max: 4 }),
  n: fc.integer({ min: 0, max: 3 }),
  skipMs: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 1, 200, 600, 1_000, 60_000, -5_000),
});

type Command = (instance: Instance, moment: Moment) => Decision<Instance, unknown>;

/** The command of a call. Most calls name the head and the holder, so that a run gets somewhere. */
function commandOf(instance: Instance, { name, token, turn, n }: Call): Command {
  const head = inboxHead(instance);
  const right = n < 3 && head !== null;
  const request = right ? lease(head.holder?.token ?? token, head.number) : lease(token, turn);
  const position = right ? head.steps.length : n;
  const key = right ? (head.operation?.key ?? "op") : "op";
  const reported = right ? (head.operation?.sequence ?? 0) : 0;
  const through = instance.history_through + Math.min(n, unmovedTurns(instance).length);
  switch (name) {
    case "send":
      return (i, moment) => send(i, { workflow_id: "i-1", id: `m-${turn}-${n}`, message: n }, moment);
    case "claim":
      return (i, moment) => claim(i, claimCommand(`${token}-${moment.sequence}`), moment);
    case "heartbeat":
      return (i, moment) => heartbeat(i, request, moment);
    case "signal":
      return (i, moment) => signal(i, signalOf(`s-${n}`, { turn: request.turn, value: turn }), moment);
    case "checkpoint":
      return (i, moment) => checkpoint(i, { ...step("", position), ...request }, moment);
    case "sleep":
      return (i, moment) => checkpoint(i, { ...sleepOf("", position, n * 300), ...request }, moment);
    case "wait":
      return (i, moment) =>
        waitSignal(i, waitOf("", { position, key: `wait-${position}`, ...request }), moment);
    case "operation":
      return (i, moment) =>
        operation(i, operationOf("", { position, key: `op-${position}`, ...request }), moment);
    case "progress":
      return (i, moment) => progress(i, reportOf("", reported + n + 1, { key, ...request }), moment);
    case "complete":
      return (i, moment) => complete(i, { ...completion("", { state: { n } }), ...request }, moment);
    case "continue":
      return (i, moment) =>
        complete(i, { ...completion("", { continuation: { message: n } }), ...request }, moment);
    case "fail":
      return (i, moment) => fail(i, { ...failureOf("", { non_retryable: turn === 1 }), ...request }, moment);
    case "defer":
      return (i, moment) =>
        fail(i, { ...failureOf("", { retry_at_ms: moment.now_ms + 1_000 }), ...request }, moment);
    case "move":
      return (i) => dropMoved(i, through);
    default:
      return (i, moment) =>
        control(i, ask(name, n % 2 === 0 && !isTurnAction(name) ? null : request.turn), moment);
  }
}

/** P14, P25, P28, P29: steps append; a saved one changes only when it is a wait that ends, once. */
function checkSteps(before: readonly Step[], after: readonly Step[], name: Name): void {
  for (const [at, saved] of before.entries()) {
    const now = after[at];
    if (now === saved) continue;
    if (saved.kind === "signal" && saved.output === null && now?.output !== null) {
      expect(["claim", "signal"]).toContain(name);
      expect(now).toEqual({ ...saved, output: now?.output });
    } else expect(now).toEqual(saved);
  }
  expect(after.length - before.length).toBeLessThanOrEqual(1);
}

/** P31, P32: signals append, and each is taken once. */
function checkSignals(before: Turn, after: Turn, name: Name): void {
  for (const [at, one] of before.signals.entries()) {
    const now = after.signals[at];
    if (now === one) continue;
    expect(now).toEqual(one.consumed_by === null ? { ...one, consumed_by: now?.consumed_by } : one);
  }
  expect(after.signals.length - before.signals.length).toBe(name === "signal" ? 1 : 0);
  const taken = after.signals.filter((one) => one.consumed_by !== null).map((one) => one.consumed_by);
  expect(taken.length).toBe(new Set(taken).size);
}

function checkTurn(before: Turn, after: Turn, name: Name): void {
  if (after === before) return;
  expect(isFinished(before)).toBe(false);
  checkSteps(before.steps, after.steps, name);
  checkSignals(before, after, name);
  const starts = after.holder !== null && after.holder.token !== before.holder?.token;
  if (starts) {
    expect(name).toBe("claim");
    const waited = before.last_attempt?.end === "suspended" || before.last_attempt?.end === "deferred";
    expect(after.attempt - before.attempt).toBe(before.holder === null && waited ? 0 : 1);
  } else expect(after.attempt).toBe(before.attempt);
  expect(after.forgiven_attempts === before.forgiven_attempts || name === "retry").toBe(true);
  const limits = before.operation;
  if (limits !== null && after.operation?.token === limits.token)
    expect(after.operation).toMatchObject({ deadline_ms: limits.deadline_ms, timeout_ms: limits.timeout_ms });
}

function checkWrite(before: Instance, after: Instance, name: Name, nowMs: number): void {
  assertInstance(after);
  const completing = name === "complete" || name === "continue";
  if (!completing) expect(after.state).toEqual(before.state);
  expect(after.next_turn - before.next_turn).toBe(name === "send" || name === "continue" ? 1 : 0);
  expect(after.paused === before.paused || name === "pause" || name === "resume").toBe(true);
  let changed = 0;
  for (const turn of before.turns) {
    const kept = after.turns.find((one) => one.number === turn.number);
    if (kept === undefined) expect(isFinished(turn) && turn.number <= after.history_through).toBe(true);
    else checkTurn(turn, kept, name);
    if (kept !== undefined && kept !== turn) changed += 1;
  }
  expect(changed).toBeLessThanOrEqual(1);
  const stamp = { sequence: 1, write_id: "w", lineage: [] };
  const view = instanceView(after, stamp, nowMs);
  expect(view.current_turn === null).toBe(inboxHead(after) === null);
  expect(JSON.stringify(view)).not.toContain('"token"');
}

/** What the index was told last must let a claim find the work: of a held turn when to look again, else exactly when. */
function checkTold(told: Schedule, instance: Instance): void {
  const right = scheduleOf(instance);
  if (right.status !== "running") expect(told).toEqual(right);
  else expect([told.status, told.ready_at_ms === null]).toEqual(["running", false]);
}

/** What the same command decides on what it has just written. */
function kindsOfRepeat(name: Name): readonly string[] {
  if (name === "heartbeat") return ["write"];
  // A claim that ended an attempt finds nothing, or the next turn, when it is repeated; a retried turn is none to retry.
  if (name === "claim") return ["answer", "nothing", "write"];
  return name === "retry" ? ["refuse"] : ["answer"];
}

it("P1 to P46: every write keeps the invariants and tells the index what it must know; a repeat never writes", () => {
  const seen = new Set<Name>();
  const instances = fc.constantFrom("block" as const, "skip" as const);
  fc.assert(
    fc.property(instances, fc.array(call, { minLength: 30, maxLength: 60 }), (on_exhausted, calls) => {
      let instance = sent(queued({ max_attempts: 2, on_exhausted }), "m-3");
      let told = scheduleOf(instance);
      let nowMs = T0;
      for (const [at, one] of calls.entries()) {
        nowMs += one.skipMs;
        const moment = { now_ms: nowMs, sequence: at + 2 };
        const command = commandOf(instance, one);
        const decision = command(instance, moment);
        if (decision.kind !== "write") continue;
        seen.add(one.name);
        checkWrite(instance, decision.next, one.name, nowMs);
        if (isRescheduled(instance, decision.next)) told = scheduleOf(decision.next);
        instance = decision.next;
        checkTold(told, instance);
        expect(kindsOfRepeat(one.name)).toContain(command(instance, moment).kind);
      }
    }),
    { numRuns: 250 },
  );
  expect([...seen].sort()).toEqual([...NAMES].sort());
});
