/**
 * Risk: the gate is green over a dearer protocol, or a baseline changes without a reason.
 *
 * The proof that the gate can fail: the engine with one read more in each checkpoint, and with a completion that is
 * answered only when its turns have moved, planted in memory.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type MeasuredScenario, workloads } from "../../../scenarios/index.ts";
import { installAmbientTrap, loadWithEdit, type PlantedBug, packageRoot } from "../../../sim/index.ts";
import { runLine } from "../example-io.ts";
import type { Io } from "../io.ts";
import { packageShelf } from "../shelf.ts";
import { benchCommand } from "./bench-command.ts";
import { ledgerAccept, ledgerCheck, ledgerShow } from "./ledger-command.ts";

const CHECKPOINT_READS: PlantedBug = {
  name: "checkpoint-reads-once-more",
  catalogue: "",
  file: "src/engine/attempts.ts",
  find: "const wrong = checkCheckpoint(request);",
  replace:
    "await this.#changes.turn(request.workflow_id, () => refuse({ kind: 'invalid', code: 'look', message: '', param: null }));\n    const wrong = checkCheckpoint(request);",
  about: "Each checkpoint reads the identity once before it begins.",
  caughtBy: [],
};

const MOVE_AWAITED: PlantedBug = {
  name: "completion-waits-for-its-move",
  catalogue: "",
  file: "src/documents/instances.ts",
  find: "if (moving instanceof Promise && !owesEnd(now)) void",
  replace: "if (moving instanceof Promise && !owesEnd(now) && now.id === '') void",
  about: "A completion is answered when its turns have moved.",
  caughtBy: [],
};

const root = packageRoot();
let folder = "";
beforeAll(() => {
  installAmbientTrap();
  folder = mkdtempSync(join(tmpdir(), "baton-ledger-"));
  copyFileSync(join(root, "ledger", "baseline.jsonl"), join(folder, "baseline.jsonl"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const some = (names: readonly string[]) => workloads.filter(({ scenario }) => names.includes(scenario.name));
const book = (of: readonly MeasuredScenario[]) => ({
  workloads: of,
  folder,
  code: { version: "0.0.0", commit: "none" },
});

async function told(act: (io: Io) => Promise<number> | number): Promise<{ code: number; out: string }> {
  let [out, code] = ["", -1];
  const io = { out: (text: string) => (out += text), err: () => undefined, live: false, nowMs: () => 0 };
  code = await act({ ...io, interrupted: () => false, turn: async () => undefined } as unknown as Io);
  return { code, out };
}

it("the check passes over the code as it is", async () => {
  const names = ["sticky", "crash-recovery"];
  const { code, out } = await told((io) => ledgerCheck(io, book(workloads), names));
  expect(out).toBe("2 scenarios measured: each count is that of the baseline\n");
  expect(code).toBe(0);
});

it("one read more per checkpoint fails the check, which names scenario, cause, kind and difference", async () => {
  const loaded = await loadWithEdit("scenarios/index.ts", CHECKPOINT_READS);
  const planted = Reflect.get(Object(loaded), "workloads") as typeof workloads;
  const { code, out } = await told((io) => ledgerCheck(io, book(planted), ["sticky-checkpoint", "steps-8"]));
  expect(code).toBe(1);
  expect(out).toMatch(
    /sticky-checkpoint on aws-s3: checkpoint gets rose, \S+ to \S+ \(\+(1|1\.0\d*|0\.9\d*)\)/,
  );
  expect(out).toMatch(/steps-8 on aws-s3: checkpoint gets rose, \S+ to \S+ \(\+(7|7\.0\d*|6\.\d+)\)/);
  const first = (row: string) => out.split("\n").find((line) => line.startsWith(`${row} on`));
  for (const row of ["sticky-checkpoint", "steps-8"]) expect(first(row)).toContain("checkpoint gets rose");
});

it("a wait at the very end of a call fails the check, which names the serial time", async () => {
  const loaded = await loadWithEdit("scenarios/index.ts", MOVE_AWAITED);
  const planted = Reflect.get(Object(loaded), "workloads") as typeof workloads;
  const { code, out } = await told((io) =>
    ledgerCheck(io, book(planted), ["sticky-checkpoint", "history-64"]),
  );
  expect(code).toBe(1);
  for (const row of ["sticky-checkpoint", "history-64"])
    for (const share of ["p50", "p99"]) expect(out).toContain(`${row} on aws-s3: serial ms ${share} rose`);
});

it("a baseline changes only with a reason, by rows that differ, and what it was stays", async () => {
  const path = join(folder, "baseline.jsonl");
  const before = readFileSync(path, "utf8");
  const last = before
    .trim()
    .split("\n")
    .findLast((line) => JSON.parse(line).scenario === "sticky");
  const record = JSON.parse(last ?? "{}");
  record.counts.complete.put *= 2;
  const dearer = `${before}${JSON.stringify(record)}\n`;
  writeFileSync(path, dearer);
  const two = book(some(["sticky", "cross-node"]));
  const check = await told((io) => ledgerCheck(io, two, ["sticky", "cross-node"]));
  expect([check.code, check.out]).toEqual([
    0,
    expect.stringMatching(/^sticky on aws-s3: complete puts fell, 2(\.\d+)? to 1(\.\d+)? \(−1/),
  ]);
  await expect(told((io) => ledgerAccept(io, two, " "))).rejects.toThrow("--why needs a reason");
  expect(readFileSync(path, "utf8")).toBe(dearer);
  await told((io) => ledgerAccept(io, two, "one read less"));
  const after = readFileSync(path, "utf8");
  expect(after.startsWith(dearer)).toBe(true);
  const added = after.slice(dearer.length).trim().split("\n");
  expect(added.map((line) => [JSON.parse(line).scenario, JSON.parse(line).why])).toEqual([
    ["sticky", "one read less"],
  ]);
  const shown = await told((io) => ledgerShow(io, two, false));
  expect(shown.out).toMatch(/sticky +none .*one read less/);
});

it("a file that is no ledger is told and left as it is", async () => {
  const path = join(folder, "baseline.jsonl");
  writeFileSync(path, "{}\n");
  await expect(told((io) => ledgerCheck(io, book(some(["sticky"])), []))).rejects.toThrow(
    /baseline\.jsonl cannot be read: line 1/,
  );
  expect(readFileSync(path, "utf8")).toBe("{}\n");
});

it("bench records what it counts beside what was recorded before", async () => {
  const one = book(some(["crash-recovery"]));
  for (const profile of ["aws-s3", "gcs"]) {
    const { code, out } = await told((io) => benchCommand(io, one, [], { profile, speed: false }));
    expect([code, out]).toEqual([0, expect.stringContaining(`on ${profile}`)]);
  }
  const lines = readFileSync(join(folder, "records.jsonl"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).profile)).toEqual(["aws-s3", "gcs"]);
});

it.each([
  ["bench nothing-like-it", "measured scenario"],
  ["bench --profile nowhere", "store profile"],
  ["bench --against no-such-ref", "is no commit"],
  ["bench sticky --against HEAD", "give no scenario"],
  ["ledger accept", "--why"],
])("baton %s is an error of usage", async (line, says) => {
  const { code, err } = await runLine(line, packageShelf(), folder);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
});

it("the speed of another commit is told as a ratio with its interval", async () => {
  const { code, out } = await runLine("bench --against HEAD", packageShelf(), folder);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/turn against HEAD \(\w+\): ×\d\.\d+ \(95 %: .* 60 pairs\)/),
  ]);
});
