/**
 * Risk: a bug that was found and mended comes back, and the run that showed it no longer shows it.
 *
 * Each pinned run is made under its guide in today's code, and once more with its bug brought back by an edit. When
 * the harness asks for new draws, the second one tells that the file must be made anew.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  brokenInvariants,
  guidedRun,
  listReplays,
  loadWithEdit,
  type PlantedBug,
  packageRoot,
  plant,
  type ReplayFile,
  readReplay,
  type Scenario,
} from "../sim/index.ts";
import { present } from "../src/std/assert.ts";
import { catalog } from "./catalog.ts";

type Edit = readonly [find: string, replace: string];

/** What was mended, undone: file, text of today, text that brings the bug back; more where a second rule stands before it. */
const UNDONE: {
  readonly [pinned: string]: readonly [file: string, find: string, replace: string, ...more: Edit[]];
} = {
  "claim-denied-after-lineage": [
    "src/documents/conditional-write.ts",
    'if (decision.kind === "nothing" && this.#blind)',
    'if (decision.kind === "nothing" && this.#blind && this.#refusals < 0)',
  ],
  "pause-repeated-after-lineage": [
    "src/documents/conditional-write.ts",
    "if (decision.unmarked === true && this.#blind)",
    "if (decision.unmarked === true && this.#blind && this.#refusals < 0)",
  ],
  "doomed-writes-of-one-node": [
    "src/documents/conditional-write.ts",
    "if (pace?.isPast(this.#key, step.current?.etag ?? null) === true) {",
    "if (this.#refusals < 0) {",
  ],
  "sent-past-the-lease-while-renewing": [
    "src/workflow/lease.ts",
    "await this.#renew(stop, this.leftMs);",
    "await this.#renew(stop, this.leaseMs);",
    ["endsByClock(this.signal, () => this.isLive());", ""],
  ],
  "given-back-past-the-lease": ["src/workflow/turn-run.ts", "Math.min(mostMs, lease.leftMs)", "mostMs"],
  "repeated-after-a-freeze": [
    "src/workflow/retries.ts",
    "signal !== undefined && isOverdue(signal)",
    "signal?.aborted",
  ],
  "completed-as-a-renewal-ran-out": [
    "scenarios/checkers/i28-turn-let-go.ts",
    "[...releases, ...lettingGo(exchanges)]",
    "[...releases]",
  ],
  "resumed-after-an-unseen-claim": [
    "scenarios/oracle/operations.ts",
    "const next = orUnseen(",
    "const next = ((_state: unknown, woken: ModelInstance | null) => woken)(",
  ],
  "failed-while-a-checkpoint-was-repeated": [
    "src/workflow/turn-run.ts",
    "if (this.#held.checkpoint !== null) this.#calls.lease.resume();",
    "if (this.#held.checkpoint === null) return;",
  ],
  "swept-by-nobody-after-a-restart": [
    "scenarios/systems/http-node.ts",
    "      server.node(config.graph);\n",
    "",
  ],
  "run-over-before-a-claim-ended": [
    "scenarios/checkers/i28-drain.ts",
    "(one.ended === null || endedAtMs - one.endedAtMs <= LATE_MS)",
    "(endedAtMs - one.endedAtMs <= LATE_MS)",
  ],
  "run-over-as-a-claim-ended": [
    "scenarios/checkers/i28-drain.ts",
    "endedAtMs - one.endedAtMs <= LATE_MS",
    "endedAtMs < one.endedAtMs",
  ],
  "renewal-left-at-the-release": [
    "scenarios/checkers/i28-turn-let-go.ts",
    "!(isLeft && lateMs <= LATE_MS)",
    "!(isLeft && lateMs < 0)",
  ],
  "signal-with-a-claimed-message": [
    "scenarios/checkers/changes.ts",
    "const claimed: Turn = { ...turn, signals: [] };",
    "const claimed: Turn = turn;",
  ],
  "next-turn-told-by-a-repeat": [
    "scenarios/oracle/next-turns.ts",
    "const sequence = Math.max(head.sequence, completed);",
    "const sequence = Math.max(state.sequence, completed);",
  ],
  "instance-without-a-message": [
    "scenarios/systems/keeper.ts",
    "return pending_messages === 0 && completed_turns === 0;",
    "return pending_messages < 0 && completed_turns < 0;",
  ],
  "claim-told-of-later-signals": [
    "scenarios/checkers/i19-attempt-fence.ts",
    "one.holder?.token === holder.token && version",
    'record.operation === "complete" && one.holder?.token === holder.token && version',
  ],
  "next-turn-told-of-later-signals": [
    "scenarios/oracle/views.ts",
    "since.every(isNew)",
    "since.length === 0",
  ],
};

const files = listReplays(join(packageRoot(), "scenarios", "pinned")).map((path) => {
  const read = readReplay(path);
  if (!read.ok) throw new Error(`${path} ${read.error.reason}`);
  return { name: basename(path, ".json"), file: read.value };
});

function scenarioOf(scenarios: readonly Scenario[], file: ReplayFile): Scenario {
  const found = scenarios.find(({ name }) => name === file.scenario);
  if (found === undefined) throw new Error(`no scenario ${file.scenario}`);
  return found;
}

describe("each pinned run", () => {
  test("has the edit that brings its bug back", () => {
    expect(files.map(({ name }) => name).sort()).toEqual(Object.keys(UNDONE).sort());
  });

  test.each(files)("$name passes today", async ({ file }) => {
    expect((await guidedRun(scenarioOf(catalog, file), file)).outcome).toEqual({ kind: "pass" });
  });

  test.each(files)("$name fails as it did when its bug is back", async ({ name, file }) => {
    const [path, find, replace, ...more] = present(UNDONE[name], "the edit");
    const about = `what ${name} showed`;
    const first: PlantedBug = { name, catalogue: "pinned", file: path, find, replace, about, caughtBy: [] };
    const source = readFileSync(join(packageRoot(), path), "utf8");
    const text = more.reduce(
      (sofar, [find, replace]) => plant({ ...first, find, replace }, sofar),
      plant(first, source),
    );
    const bug: PlantedBug = { ...first, find: source, replace: text };
    const loaded = (await loadWithEdit("scenarios/index.ts", bug)) as { catalog: readonly Scenario[] };
    const { outcome } = await guidedRun(scenarioOf(loaded.catalog, file), file);
    expect(brokenInvariants(outcome)).toEqual(expect.arrayContaining([...file.outcome.invariants]));
  });
});
