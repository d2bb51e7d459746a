/**
 * Any sequence of commands on one instance. Risk: an order of calls that no example thought of breaks P1 to P21.
 *
 * The commands are drawn with right and wrong tokens, turns and positions, at a clock that also jumps back. Not
 * covered: more than one writer, which the simulator has.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Instance } from "../vocabulary/instance.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";
import { checkpoint } from "./checkpoint.ts";
import { claim } from "./claim.ts";
import { complete } from "./complete.ts";
import type { Decision, Moment } from "./decision.ts";
import { claimCommand, completion, created, lease, step, T0 } from "./examples.ts";
import { fail } from "./fail.ts";
import { heartbeat } from "./heartbeat.ts";
import { dropMoved } from "./history-move.ts";
import { assertInstance, inboxHead, unmovedTurns } from "./inbox.ts";
import { send } from "./send.ts";

type Name = "send" | "claim" | "heartbeat" | "checkpoint" | "complete" | "continue" | "fail" | "move";
interface Call {
  readonly name: Name;
  readonly token: string;
  readonly turn: number;
  readonly n: number;
  readonly skipMs: number;
}

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom<Name>(
    "send",
    "claim",
    "claim",
    "heartbeat",
    "checkpoint",
    "complete",
    "continue",
    "fail",
    "move",
  ),
  token: fc.constantFrom("t0", "t1", "t2"),
  turn: fc.integer({ min: 1, max: 4 }),
  n: fc.integer({ min: 0, max: 3 }),
  skipMs: fc.constantFrom(0, 1, 600, 1_000, 60_000, -5_000),
});

type Command = (instance: Instance, moment: Moment) => Decision<Instance, unknown>;

/** The command of a call. Half the calls name the head and the holder, so that a run gets somewhere. */
function commandOf(instance: Instance, { name, token, turn, n }: Call): Command {
  const head = inboxHead(instance);
  const right = n % 2 === 0 && head?.holder != null;
  const request = right ? lease(head.holder?.token ?? "", head.number) : lease(token, turn);
  const position = right ? head.steps.length : n;
  const through = instance.history_through + Math.min(n, unmovedTurns(instance).length);
  switch (name) {
    case "send":
      return (i, moment) => send(i, { workflow_id: "i-1", id: `m-${turn}-${n}`, message: n }, moment);
    case "claim":
      return (i, moment) => claim(i, claimCommand(`${token}-${moment.sequence}`), moment);
    case "heartbeat":
      return (i, moment) => heartbeat(i, request, moment);
    case "checkpoint":
      return (i, moment) => checkpoint(i, { ...step("", position), ...request }, moment);
    case "complete":
      return (i, moment) => complete(i, { ...completion("", { state: { n } }), ...request }, moment);
    case "continue":
      return (i, moment) =>
        complete(i, { ...completion("", { continuation: { message: n } }), ...request }, moment);
    case "fail":
      return (i, moment) => fail(i, { ...request, error: "x", non_retryable: n === 3 }, moment);
    case "move":
      return (i) => dropMoved(i, through);
  }
}

function checkTurn(before: Turn, after: Turn, name: Name): void {
  expect(after.steps.slice(0, before.steps.length)).toEqual(before.steps);
  expect(after.attempt).toBeGreaterThanOrEqual(before.attempt);
  if (isFinished(before)) expect(after).toEqual(before);
  if (after.holder !== null && after.holder.token !== before.holder?.token) {
    expect(name).toBe("claim");
    expect(after.attempt).toBe(before.attempt + 1);
  }
}

function checkWrite(before: Instance, after: Instance, name: Name): void {
  assertInstance(after);
  const completing = name === "complete" || name === "continue";
  expect(after.completed_turns - before.completed_turns).toBe(completing ? 1 : 0);
  if (!completing) expect(after.state).toEqual(before.state);
  expect(after.next_turn - before.next_turn).toBe(name === "send" || name === "continue" ? 1 : 0);
  for (const turn of before.turns) {
    const kept = after.turns.find((one) => one.number === turn.number);
    if (kept === undefined) expect(isFinished(turn) && turn.number <= after.history_through).toBe(true);
    else checkTurn(turn, kept, name);
  }
}

it("P1 to P21: every write keeps the invariants, numbers are contiguous, steps only append, state changes only by completions; a repeat never writes", () => {
  const seen = new Set<Name>();
  fc.assert(
    fc.property(fc.array(call, { minLength: 30, maxLength: 60 }), (calls) => {
      let instance = created({ lease_ms: 1_000 });
      let nowMs = T0;
      for (const [at, one] of calls.entries()) {
        nowMs += one.skipMs;
        const moment = { now_ms: nowMs, sequence: at + 2 };
        const command = commandOf(instance, one);
        const decision = command(instance, moment);
        if (decision.kind !== "write") continue;
        seen.add(one.name);
        checkWrite(instance, decision.next, one.name);
        instance = decision.next;
        const repeat = command(instance, moment);
        // A claim that spent the last attempt finds nothing when it is repeated.
        const kinds =
          one.name === "heartbeat" ? ["write"] : one.name === "claim" ? ["answer", "nothing"] : ["answer"];
        expect(kinds).toContain(repeat.kind);
      }
    }),
    { numRuns: 300 },
  );
  expect([...seen].sort()).toEqual([
    "checkpoint",
    "claim",
    "complete",
    "continue",
    "fail",
    "heartbeat",
    "move",
    "send",
  ]);
});
