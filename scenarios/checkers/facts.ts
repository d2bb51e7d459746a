/**
 * What the checkers are given beside the history: the workload, the outside world and the decoded records.
 *
 * Everything derived is computed at first use and once, because all checks run after each simulated run.
 */

import type { RunHistory, Version } from "../../sim/index.ts";
import type { Turn } from "../../src/index.ts";
import type { HttpLog } from "../systems/http-log.ts";
import type { Effect } from "../systems/outside.ts";
import type { InstancePlan, Workload } from "../workloads/workload.ts";
import { type CallLog, readCalls } from "./calls.ts";
import { type Change, changesOf } from "./changes.ts";
import { Clocks } from "./clocks.ts";
import { Homes } from "./homes.ts";
import { type Life, livesOf } from "./lifelines.ts";
import type { Decoder, Records, Space } from "./records.ts";

/** What a scenario knows to be true of its run. */
export interface RunSetup {
  readonly space: Space;
  readonly workload: Workload;
  readonly effects: readonly Effect[];
  /** Instances whose objects the scenario damaged on purpose: they are no part of the records. */
  readonly damaged: readonly string[];
  /** What went over HTTP; absent or null: nothing did. */
  readonly http?: HttpLog | null;
  /** Turns of which it is known whether their code has changed since their first step was saved. */
  readonly changed?: ReadonlyMap<string, boolean>;
  /** Wall time at virtual time 0 of a clock that is right. */
  readonly epochMs: number;
  /** Longest that the scheduling index may hide ready work once faults are off. */
  readonly hiddenWithinMs: number;
}

/** One turn as it was from this version on. */
export interface TurnMoment {
  readonly version: Version;
  readonly turn: Turn;
}

/** Everything about one instance's turns over time: after its move a turn stays as it was last. */
export type TurnTimeline = ReadonlyMap<number, readonly TurnMoment[]>;

export class Facts {
  readonly setup: RunSetup;
  readonly decoder: Decoder;
  readonly #history: RunHistory;
  #clocks: Clocks | null = null;
  #records: Records | null = null;
  #homes: Homes | null = null;
  #lives: ReadonlyMap<string, Life> | null = null;
  #calls: CallLog | null = null;
  #changes: ReadonlyMap<string, readonly Change[]> | null = null;
  #timelines: ReadonlyMap<string, TurnTimeline> | null = null;

  constructor(history: RunHistory, setup: RunSetup, decoder: Decoder) {
    this.#history = history;
    this.setup = setup;
    this.decoder = decoder;
  }

  get records(): Records {
    this.#records ??= this.decoder.decode(this.#history);
    return this.#records;
  }

  /** Where moved turns are. */
  get homes(): Homes {
    this.#homes ??= new Homes(
      this.records,
      (id, first) => this.decoder.segmentKey(id, first),
      (id, first) => this.decoder.idPageKey(id, first),
    );
    return this.#homes;
  }

  /** Every life of every instance, by name. */
  get lives(): ReadonlyMap<string, Life> {
    this.#lives ??= livesOf(this.records);
    return this.#lives;
  }

  get calls(): CallLog {
    this.#calls ??= readCalls(this.#history);
    return this.#calls;
  }

  /** By instance. */
  get changes(): ReadonlyMap<string, readonly Change[]> {
    if (this.#changes === null) {
      const changes = new Map<string, readonly Change[]>();
      for (const [id, chain] of this.records.identities) changes.set(id, changesOf(chain));
      this.#changes = changes;
    }
    return this.#changes;
  }

  get timelines(): ReadonlyMap<string, TurnTimeline> {
    if (this.#timelines === null) {
      const timelines = new Map<string, TurnTimeline>();
      for (const [id, changes] of this.changes) timelines.set(id, timelineOf(changes));
      this.#timelines = timelines;
    }
    return this.#timelines;
  }

  /** The moments of a turn, oldest first; none when it never was. */
  turn(id: string, number: number): readonly TurnMoment[] {
    return this.timelines.get(id)?.get(number) ?? [];
  }

  get clocks(): Clocks {
    this.#clocks ??= new Clocks(this.#history, this.setup.epochMs);
    return this.#clocks;
  }

  plan(id: string): InstancePlan | null {
    return this.setup.workload.instances.find((instance) => instance.id === id) ?? null;
  }
}

function timelineOf(changes: readonly Change[]): TurnTimeline {
  const timeline = new Map<number, TurnMoment[]>();
  for (const change of changes) {
    if (!("turn" in change) || change.kind === "moved") continue;
    const { turn, at } = change;
    const moments = timeline.get(turn.number);
    if (moments === undefined) timeline.set(turn.number, [{ version: at.version, turn }]);
    else {
      // A turn may come and be claimed in one write: the version shows it as it was left.
      if (moments.at(-1)?.version === at.version) moments.pop();
      moments.push({ version: at.version, turn });
    }
  }
  return timeline;
}

/** The moments that held at some time in [fromMs, toMs], oldest first. */
export function within(moments: readonly TurnMoment[], fromMs: number, toMs: number): readonly TurnMoment[] {
  let first = 0;
  while (first + 1 < moments.length && (moments[first + 1]?.version.atMs ?? 0) < fromMs) first++;
  let end = first;
  while (end < moments.length && (moments[end]?.version.atMs ?? 0) <= toMs) end++;
  return moments.slice(first, end);
}

/** The last moment at or before a time, or null. */
export function momentAt(moments: readonly TurnMoment[], atMs: number): TurnMoment | null {
  let found: TurnMoment | null = null;
  for (const moment of moments) if (moment.version.atMs <= atMs) found = moment;
  return found;
}
