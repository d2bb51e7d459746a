/**
 * Risk: a real run whose record says nothing, so that every check passes because it saw nothing.
 *
 * Real time, the real engine, crashes and a store that loses answers, all in this process; then damage done by hand to
 * what was recorded, each of which has to be told.
 */
import { beforeAll, describe, expect, test } from "vitest";
import {
  chaosWorkload,
  check,
  type FinalObject,
  type InProcessRun,
  type ProcessLog,
  recordOf,
  runInProcess,
  USUAL_RATES,
} from "../../../scenarios/chaos/index.ts";
import { SeedSource } from "../../../sim/index.ts";
import { MemoryStore } from "../../adapters/memory-store.ts";
import { RunClock, startOfRun } from "../../adapters/run-clock.ts";
import { SYSTEM_IDS } from "../../adapters/system-ports.ts";
import { createNode, DEFAULT_CONFIG, type Task } from "../../index.ts";

const CONFIG = { ...DEFAULT_CONFIG, poll_ms: 100, reconcile_ms: 500, history_segment_turns: 1 };
const SPACE = { tenant: CONFIG.tenant, graph: CONFIG.graph, epoch: String(CONFIG.epoch) };
const FOR_MS = 2_000;
const SEED = 7;
/** Two seconds have few requests. */
const RATES = { ...USUAL_RATES, lostRequest: 30, lostAnswer: 40, death: 2 };
const workload = chaosWorkload(new SeedSource(SEED), FOR_MS);
const start = startOfRun();
let run: InProcessRun;

beforeAll(async () => {
  run = await runInProcess({
    store: new MemoryStore({ etags: "opaque" }),
    clock: new RunClock(start, [], true),
    ids: SYSTEM_IDS,
    seed: SEED,
    config: CONFIG,
    workload,
    nodes: 3,
    workers: 4,
    rates: RATES,
    forMs: faultsUntilMs(),
    crashEveryMs: 250,
    settleMs: 40_000,
    boot: createNode,
  });
}, 60_000);

/** The axis began when this file was loaded. */
function faultsUntilMs(): number {
  return new RunClock(start).nowMs() + FOR_MS;
}

/** The invariants that the record breaks. */
function broken(logs: readonly ProcessLog[], objects: readonly FinalObject[]): readonly string[] {
  const record = recordOf(logs, { ...run, objects });
  const judged = { space: SPACE, workload, epochMs: start.epochMs, hiddenWithinMs: 5_000 };
  return [...check(record, judged)].flatMap(([name, { violations }]) =>
    violations.length > 0 ? [name] : [],
  );
}

describe("a run in one process", () => {
  test("ends with everything done, and every checker has examined something", () => {
    expect(run.waiting).toEqual([]);
    const record = recordOf(run.logs, run);
    const judged = { space: SPACE, workload, epochMs: start.epochMs, hiddenWithinMs: 5_000 };
    const findings = check(record, judged);
    for (const [name, { violations }] of findings) expect(violations, name).toEqual([]);
    const empty = [...findings].filter(([, { examined }]) => examined === 0).map(([name]) => name);
    expect(empty).toEqual([]);
  });

  test("was struck: requests and answers were lost, and processes crashed", () => {
    const { operations, incidents } = recordOf(run.logs, run).history;
    const faults = new Set(operations.flatMap((operation) => operation.faults));
    expect(faults).toContain("F01-lost-answer");
    expect(faults).toContain("F02-lost-request");
    expect(incidents.filter(({ kind }) => kind === "crash").length).toBeGreaterThan(4);
  });
});

describe("damage done by hand is told", () => {
  const isIdentity = ({ key }: FinalObject) => key.includes("/state/instances/");
  const isHistory = ({ key }: FinalObject) => key.includes("/history/") && key.includes("/segments/");

  test("an instance that is gone", () => {
    const victim = run.objects.findIndex(isIdentity);
    expect(broken(run.logs, run.objects.toSpliced(victim, 1))).toEqual(
      expect.arrayContaining(["I23-recorded", "I02-write-order"]),
    );
  });

  test("an instance that went back to an earlier version", () => {
    const chains = recordOf(run.logs, run).history.chains;
    const objects = run.objects.map((object) => {
      const first = isIdentity(object) ? chains.get(object.key)?.[0] : undefined;
      return first === undefined || first.body === null
        ? object
        : { ...object, body: first.body, etag: first.etag };
    });
    expect(broken(run.logs, objects)).toEqual(
      expect.arrayContaining(["I23-recorded", "I02-write-order", "I05-no-lost-update", "I11-progress"]),
    );
  });

  test("a turn that is no longer in history", () => {
    const victim = run.objects.findIndex(isHistory);
    expect(broken(run.logs, run.objects.toSpliced(victim, 1))).toEqual(
      expect.arrayContaining(["I23-recorded", "I15-gc-safe"]),
    );
  });

  test("a write that is in no log", () => {
    const logs = run.logs.map((log) => {
      const at = log.lines.findIndex((line) => line.e === "store-sent" && line.op === "put");
      return at < 0 ? log : { ...log, lines: log.lines.toSpliced(at, 1) };
    });
    expect(broken(logs, run.objects)).toContain("I23-recorded");
  });

  test("an effect that was performed again by an attempt that was given its step as saved", () => {
    const { history, effects } = recordOf(run.logs, run);
    const lines = history.calls.flatMap(({ operation, reply, answeredAtMs }) => {
      const task = operation === "claim" ? taskOf(reply) : null;
      const effect = effects.find(({ effectId }) => effectId === `${task?.effect_prefix}/${task?.saved}`);
      if (task === null || effect === undefined || answeredAtMs === null) return [];
      return [{ ...effect, e: "effect", at: answeredAtMs, token: task.token } as const];
    });
    expect(lines.length).toBeGreaterThan(0);
    const again = { process: "outside", incarnation: 2, lines, unreadable: [] };
    expect(broken([...run.logs, again], run.objects)).toEqual(["I06-steps-once", "I08-replay"]);
  });
});

/** What a claim handed out, and a step that was saved by then. */
function taskOf(reply: unknown) {
  const { value } = (reply ?? { value: null }) as { value: Task | null };
  const saved = value?.turn.steps[0]?.key;
  return value === null || saved === undefined ? null : { ...value, saved };
}
