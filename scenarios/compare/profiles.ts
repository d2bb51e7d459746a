/**
 * Kinds of episodes: how often each command comes, so that deep places are reached too.
 *
 * Weights are relative. `time` lets time pass; `again` asks one of the last requests once more, half of the times with
 * one field changed; `handOver` is a claim that waits, and a message that comes meanwhile.
 */
import type { Rules } from "../oracle/exact/world.ts";

export interface Profile {
  readonly name: string;
  readonly weights: { readonly [kind: string]: number };
  readonly types: readonly [string, ...string[]];
  /** Percent of commands that an ordinary key asks; persons and own workers share the rest. */
  readonly keyPercent: number;
  /** How the graph is configured. */
  readonly rules: Rules;
  /** How many instances are created by name. */
  readonly instances: number;
  /** Percent of requests in which a blob is named. */
  readonly namingPercent: number;
  /** Percent of values that are large. */
  readonly largePercent: number;
  /** Percent of requests with a field that is wrong. */
  readonly wrongPercent: number;
}

const WEIGHTS = {
  time: 10,
  again: 10,
  createInstance: 3,
  sendMessage: 10,
  signal: 6,
  control: 5,
  claim: 12,
  heartbeat: 3,
  operation: 6,
  progress: 8,
  checkpoint: 9,
  waitSignal: 6,
  complete: 8,
  fail: 6,
  requeue: 2,
  migrate: 3,
  startChild: 2,
  deleteInstance: 1,
  putBlob: 1,
  getBlob: 1,
  reconcile: 1,
  getInstance: 3,
  getTurn: 3,
  history: 1,
  inbox: 2,
  typeInbox: 1,
  listInstances: 1,
};

const PLAIN: Profile = {
  name: "plain",
  weights: { ...WEIGHTS, handOver: 6 },
  types: ["alpha", "beta"],
  keyPercent: 100,
  rules: { mostInstances: 1_000, keepTurns: 256, keepMs: 24 * 3_600_000, hasGraphs: false },
  instances: 4,
  namingPercent: 4,
  largePercent: 0,
  wrongPercent: 4,
};

const FEW = { ...WEIGHTS, complete: 0, fail: 0, control: 0, time: 1, startChild: 1, createInstance: 1 };

const ONE: Profile = { ...PLAIN, instances: 1 };

/** All operations of the engine. */
export function operations(): readonly string[] {
  const kinds = new Set(PROFILES.flatMap(({ weights }) => Object.keys(weights)));
  return [...kinds].filter((kind) => !["time", "again", "handOver"].includes(kind));
}

/** The first is by far the most frequent. */
export const PROFILES: readonly [Profile, ...Profile[]] = [
  PLAIN,
  { ...PLAIN, name: "wrong requests", wrongPercent: 60 },
  { ...ONE, name: "many steps", weights: { ...FEW, checkpoint: 150, operation: 10, again: 2 } },
  { ...ONE, name: "many messages", weights: { ...FEW, sendMessage: 400, claim: 4, requeue: 6 } },
  { ...ONE, name: "many signals", weights: { ...FEW, signal: 180, waitSignal: 10 } },
  {
    ...ONE,
    name: "large values",
    largePercent: 60,
    weights: { ...WEIGHTS, time: 2, checkpoint: 40, signal: 20, complete: 4, fail: 2, again: 4, control: 2 },
  },
  {
    ...PLAIN,
    name: "reserved types",
    types: ["lbb.trials", "alpha"],
    keyPercent: 40,
    weights: { ...WEIGHTS, createInstance: 10, deleteInstance: 6, createGraph: 1, deleteGraph: 1 },
  },
  {
    ...PLAIN,
    name: "full graph",
    rules: { ...PLAIN.rules, mostInstances: 3 },
    weights: { ...WEIGHTS, createInstance: 8, startChild: 8 },
  },
  {
    ...PLAIN,
    name: "short history",
    namingPercent: 25,
    instances: 1,
    rules: { ...PLAIN.rules, keepTurns: 2, keepMs: 2_000 },
    weights: { ...WEIGHTS, complete: 20, control: 8, putBlob: 6, getBlob: 6, checkpoint: 6, waitSignal: 2 },
  },
  { ...PLAIN, name: "keep all", rules: { ...PLAIN.rules, keepTurns: 0 } },
  {
    ...PLAIN,
    name: "graphs",
    rules: { ...PLAIN.rules, hasGraphs: true },
    weights: { ...WEIGHTS, createGraph: 2, deleteGraph: 3, deleteInstance: 4 },
  },
];
