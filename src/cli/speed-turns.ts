/**
 * Makes one-step turns on an engine, as fast as they are answered, and takes the time of each.
 *
 *   U1  a turn is four calls, each answered before the next is asked: a message is sent, claimed, its step saved, the
 *       turn completed. Its time is from before the first to after the last.
 *   U2  each lane sends to an instance of its own, and does whatever turn it is given: at once there are as many turns as
 *       lanes.
 *   U3  turns of the first part of the time warm up and are not counted.
 *   U4  a call whose outcome is open is asked again, as any caller does (many at once race for one inbox, and a node
 *       that loses a race too often cannot tell whether its write was the one); a refusal ends the measurement.
 */
import type { Engine, Failure } from "../index.ts";
import { assert, present } from "../std/assert.ts";
import type { Result } from "../std/result.ts";

/** What of an engine is used; the client over HTTP is one, too. */
export type TurnEngine = Pick<Engine, "createInstance" | "sendMessage" | "claim" | "checkpoint" | "complete">;

export interface TurnTimes {
  readonly turns: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Called at the beginning and at the end of what is counted. */
export type Mark = () => void;

const WORKFLOW = { workflow_type: "speed", version: "v1" };
const WAIT_MS = 10_000;
/** U4. */
const MOST_REPEATS = 6;
/** About what a small step saves. */
const OUTPUT = { note: "x".repeat(200) };

/** Runs for `seconds`, of which the first fifth is not counted (U3). */
export async function takeTurns(
  engine: TurnEngine,
  lanes: number,
  seconds: number,
  nowMs: () => number,
  tell: (share: number) => void,
  mark: Mark,
): Promise<TurnTimes> {
  const ids = Array.from({ length: lanes }, (_, lane) => `speed-${lane}`);
  for (const id of ids) await got(() => engine.createInstance({ id, ...WORKFLOW, state: { turns: 0 } }));
  const startMs = nowMs();
  const countMs = startMs + seconds * 200;
  const endMs = startMs + seconds * 1_000;
  const times: number[] = [];
  let counting = false;
  await Promise.all(
    ids.map(async (id) => {
      for (let n = 1, atMs = nowMs(); atMs < endMs; n++) {
        if (!counting && atMs >= countMs) {
          counting = true;
          mark();
        }
        await oneTurn(engine, id, n);
        const doneMs = nowMs();
        if (atMs >= countMs) times.push(doneMs - atMs);
        tell((doneMs - startMs) / (endMs - startMs));
        atMs = doneMs;
      }
    }),
  );
  const took = (nowMs() - countMs) / 1_000;
  mark();
  assert(times.length > 0, "a turn in the time given; give more seconds");
  times.sort((a, b) => a - b);
  return { turns: times.length, seconds: took, p50: at(times, 0.5), p99: at(times, 0.99) };
}

/** U1. */
async function oneTurn(engine: TurnEngine, id: string, n: number): Promise<void> {
  await got(() => engine.sendMessage({ workflow_id: id, id: `message-${n}`, message: { add: 1 } }));
  const task = await got(() => engine.claim({ worker: "speed", workflows: [WORKFLOW], wait_ms: WAIT_MS }));
  assert(task !== null, `a turn within ${WAIT_MS} ms`);
  const lease = { workflow_id: task.turn.workflow_id, turn: task.turn.number, token: task.token };
  await got(() => engine.checkpoint({ ...lease, position: 0, key: "add", kind: "step", output: OUTPUT }));
  await got(() => engine.complete({ ...lease, state: { turns: n }, result: n }));
}

/** U4. */
async function got<T>(ask: () => Promise<Result<T, Failure>>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    const result = await ask();
    if (result.ok) return result.value;
    const { kind, code, message } = result.error;
    const isOpen = kind === "unknown-outcome" || kind === "unavailable";
    if (!isOpen || repeats === MOST_REPEATS) throw new Error(`${code}: ${message}`);
  }
}

function at(sorted: readonly number[], share: number): number {
  return present(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))], "a time");
}
