/**
 * Makes one-step turns on an engine, as fast as they are answered, and takes the time of each.
 *
 *   U1  as documented a turn is four calls, each answered before the next is asked: a message is sent, claimed, its step
 *       saved, the turn completed.
 *   U2  as our worker asks it is two: the next message is sent while the turn is held, and the completion saves the step
 *       and claims that message's turn. Only a lane that was given none claims.
 *   U5  a turn's time is that of all calls of its round, from before the first to after the last.
 *   U6  each lane sends to an instance of its own. As documented it does whatever turn it is given; our lanes keep to their
 *       own type each, for one that holds another's instance would keep it. At once there are as many turns as lanes.
 *   U3  the first turns warm up and are not counted: Node compiles what runs often, and a process is at its speed after
 *       some thousand turns.
 *   U4  a call whose outcome is open is asked again, as any caller does (many at once race for one inbox, and a node
 *       that loses a race too often cannot tell whether its write was the one); a refusal ends the measurement.
 */
import type { Engine, Failure, NextClaim, Task } from "../../index.ts";
import { assert, present } from "../../std/assert.ts";
import type { Result } from "../../std/result.ts";

/** What of an engine is used; the client over HTTP is one, too. */
export type TurnEngine = Pick<Engine, "createInstance" | "sendMessage" | "claim" | "checkpoint" | "complete">;

export interface TurnTimes {
  readonly turns: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface Measurement {
  readonly protocol: Protocol;
  /** Turns that are made at once. */
  readonly lanes: number;
  /** Turns that are made before it counts; less than that when they take `LONGEST_WARM_UP_MS`. */
  readonly warmUp: number;
  readonly seconds: number;
  readonly nowMs: () => number;
  /** Hears what share of the time is over; 0 while it warms up. */
  readonly tell: (share: number) => void;
  /** Called at the beginning and at the end of what is counted. */
  readonly mark: () => void;
}

const TYPE = "speed";
const VERSION = "v1";
const WAIT_MS = 10_000;
/** U4. */
const MOST_REPEATS = 6;
/** Saves about what a small step does. */
const STEP = { position: 0, key: "add", output: { note: "x".repeat(200) } };

/** Which calls a turn is made of: as documented, or as our worker asks. */
export type Protocol = "documented" | "ours";

const LONGEST_WARM_UP_MS = 30_000;

/** Warms up (U3), then counts for `seconds`. */
export async function takeTurns(
  engine: TurnEngine,
  { protocol, lanes, seconds, warmUp, nowMs, tell, mark }: Measurement,
): Promise<TurnTimes> {
  const ids = Array.from({ length: lanes }, (_, lane) => `speed-${lane}`);
  const lanesOf = ids.map((id) =>
    protocol === "ours" ? new OurLane(engine, id) : new DocumentedLane(engine, id),
  );
  for (const lane of lanesOf) await lane.begin();
  const startMs = nowMs();
  const times: number[] = [];
  let made = 0;
  /** When it began to count; infinite: it has not yet. */
  let countMs = Number.POSITIVE_INFINITY;
  const isOver = (atMs: number) => atMs >= countMs + seconds * 1_000;
  await Promise.all(
    lanesOf.map(async (lane) => {
      for (let atMs = nowMs(); !isOver(atMs); ) {
        if (countMs > atMs && (made >= warmUp || atMs - startMs >= LONGEST_WARM_UP_MS)) {
          countMs = atMs;
          mark();
        }
        await lane.turn();
        const doneMs = nowMs();
        made++;
        if (atMs >= countMs) times.push(doneMs - atMs);
        tell(Math.max(0, doneMs - countMs) / (seconds * 1_000));
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

/** What both kinds of lane do. */
class Lane {
  readonly engine: TurnEngine;
  /** Who it claims as, and what. */
  readonly serves: NextClaim;
  readonly #id: string;
  #sent = 0;

  constructor(engine: TurnEngine, id: string, type: string) {
    this.engine = engine;
    this.#id = id;
    this.serves = { worker: "speed", workflows: [{ workflow_type: type, version: VERSION }] };
  }

  async begin(): Promise<void> {
    const [served] = this.serves.workflows;
    await got(() =>
      this.engine.createInstance({ id: this.#id, ...present(served, "a type"), state: { turns: 0 } }),
    );
  }

  async send(): Promise<void> {
    this.#sent += 1;
    const id = `message-${this.#sent}`;
    await got(() => this.engine.sendMessage({ workflow_id: this.#id, id, message: { add: 1 } }));
  }

  async claim(): Promise<Task> {
    const task = await got(() => this.engine.claim({ ...this.serves, wait_ms: WAIT_MS }));
    assert(task !== null, `a turn within ${WAIT_MS} ms`);
    return task;
  }
}

/** U1. */
class DocumentedLane extends Lane {
  constructor(engine: TurnEngine, id: string) {
    super(engine, id, TYPE);
  }

  async turn(): Promise<void> {
    await this.send();
    const task = await this.claim();
    const lease = leaseOf(task);
    await got(() => this.engine.checkpoint({ ...lease, ...STEP, kind: "step" }));
    await got(() => this.engine.complete({ ...lease, ...outcomeOf(task) }));
  }
}

/** U2. */
class OurLane extends Lane {
  #held: Task | null = null;

  constructor(engine: TurnEngine, id: string) {
    super(engine, id, id);
  }

  async turn(): Promise<void> {
    if (this.#held === null) await this.send();
    const task = this.#held ?? (await this.claim());
    await this.send();
    const request = { ...leaseOf(task), ...outcomeOf(task), steps: [STEP], next: this.serves };
    const { next = null } = await got(() => this.engine.complete(request));
    this.#held = next;
  }
}

function leaseOf({ turn, token }: Task) {
  return { workflow_id: turn.workflow_id, turn: turn.number, token };
}

function outcomeOf({ turn: { number } }: Task) {
  return { state: { turns: number }, result: number };
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
