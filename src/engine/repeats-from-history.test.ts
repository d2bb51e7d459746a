/**
 * Calls about turns that have moved to history, through the whole engine. Risk: a repeat that acts again, a refusal that
 * says something else than it did before the move, a control of the instance that a turn in history swallows.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { ScriptedStore } from "../adapters/scripted-store.ts";
import type { ControlAction } from "../vocabulary/requests.ts";
import type { Engine } from "./engine.ts";
import { completionOf, failed, got, instanceWith, leaseOf, nodeOver, taken } from "./example-nodes.ts";

let store: ScriptedStore;
let engine: Engine;

beforeEach(() => {
  store = new ScriptedStore();
  engine = nodeOver(store, new ManualClock(1_000), countedIds("id"));
});

const control = (action: ControlAction, turn?: number) =>
  engine.control({ workflow_id: "i", action, ...(turn === undefined ? {} : { turn }) });
const signal = (turn: number, value: number) =>
  engine.signal({ workflow_id: "i", turn, id: "s", name: "go", value });

/** Turn 1 is cancelled, turn 2 completed with a signal, turn 3 skipped; all of them have moved. */
async function moved() {
  await instanceWith(engine, "i", "a", "b", "c");
  const first = await taken(engine);
  await got(control("cancel_turn", 1));
  const second = await taken(engine);
  await got(signal(2, 7));
  await got(engine.complete(completionOf(second)));
  const third = await taken(engine);
  await got(engine.fail({ ...leaseOf(third), error: "x", non_retryable: true }));
  await got(control("skip", 3));
  await got(engine.reconcile());
  expect(await got(engine.getInstance("i"))).toMatchObject({ history_through: 3, completed_turns: 3 });
  return { first, second, third };
}

/** The answer of the call, which must have written nothing. */
async function quiet<T>(call: Promise<T>, writes = store.putKeys.length): Promise<T> {
  const answer = await call;
  expect(store.putKeys.length).toBe(writes);
  return answer;
}

describe("about a turn in history", () => {
  it("P42: an exact repeat of skip and cancel is answered, everything else conflicts, and nothing is written", async () => {
    await moved();
    const states = { 1: "cancelled", 2: "completed", 3: "skipped" };
    for (const [turn, state] of Object.entries(states))
      for (const action of ["retry", "skip", "cancel_turn"] as const) {
        const call = quiet(control(action, Number(turn)));
        const repeated =
          `${action} ${state}` === "skip skipped" || `${action} ${state}` === "cancel_turn cancelled";
        if (repeated) await got(call);
        else expect(await failed(call)).toMatchObject({ kind: "conflict", code: "turn_not_in_state" });
      }
  });

  it("P41: a pause, a resume or a wake that names one means the instance all the same", async () => {
    await moved();
    for (const turn of [1, 2, 3]) {
      expect((await got(control("pause", turn))).status).toBe("paused");
      expect((await got(control("resume", turn))).status).toBe("idle");
      await quiet(got(control("wake", turn)));
    }
  });

  it("P31: a signal that was received is answered, another under its id and a new one conflict", async () => {
    await moved();
    expect((await got(quiet(signal(2, 7)))).signals).toMatchObject([
      { id: "s", value: 7, consumed_by: null },
    ]);
    expect(await failed(quiet(signal(2, 8)))).toMatchObject({ code: "signal_conflict" });
    for (const turn of [1, 3])
      expect(await failed(quiet(signal(turn, 7)))).toMatchObject({ code: "turn_finished" });
    expect(await failed(quiet(signal(4, 7)))).toMatchObject({ kind: "not-found" });
  });

  it("P18: a completion is answered when it is the repeat of one, and is fenced when the turn ended otherwise", async () => {
    const { first, second, third } = await moved();
    expect(await got(quiet(engine.complete(completionOf(second))))).toMatchObject({ status: "completed" });
    expect(await failed(quiet(engine.complete(completionOf(second, 9))))).toMatchObject({ kind: "conflict" });
    expect(await failed(quiet(engine.complete(completionOf(first))))).toMatchObject({
      kind: "fenced",
      code: "turn_cancelled",
    });
    expect(await failed(quiet(engine.complete(completionOf(third))))).toMatchObject({
      kind: "fenced",
      code: "turn_finished",
    });
  });

  it("P7: every other call of its attempt is fenced, and nothing is written", async () => {
    const { second } = await moved();
    const lease = leaseOf(second);
    const place = { position: 0, key: "k" };
    for (const call of [
      engine.heartbeat(lease),
      engine.fail({ ...lease, error: "x" }),
      engine.checkpoint({ ...lease, ...place, kind: "step", output: 1 }),
      engine.waitSignal({ ...lease, ...place, name: "go", timeout_ms: 1 }),
      engine.operation({ ...lease, ...place, kind: "step" }),
      engine.progress({ ...lease, key: "k", sequence: 1, details: null, checkpoint: null }),
    ])
      expect(await failed(quiet(call))).toMatchObject({ kind: "fenced", code: "turn_finished" });
  });
});

describe("about origins", () => {
  it("P10: a repeat keeps the first origin, also from history", async () => {
    await instanceWith(engine, "i");
    const send = (note: string) =>
      engine.sendMessage({ workflow_id: "i", id: "m", message: 1, origin: { kind: "app", note } });
    expect((await got(send("first"))).origin).toEqual({ kind: "app", note: "first" });
    expect((await got(quiet(send("second")))).origin).toMatchObject({ note: "first" });
    const task = await taken(engine);
    expect(task.turn.origin).toMatchObject({ note: "first" });
    await got(engine.complete(completionOf(task)));
    expect((await got(quiet(send("third")))).origin).toMatchObject({ note: "first" });
  });
});
