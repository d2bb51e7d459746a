/**
 * Risk: a failure is handed on in a file that does not make it again, or a damaged file is believed.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../src/std/hash.ts";
import { SeedSource } from "../kernel/index.ts";
import { breaks, writes } from "../runner/fixtures.ts";
import { runScenario, type Scenario } from "../runner/index.ts";
import {
  guidedRun,
  listReplays,
  parseReplay,
  type ReplayFile,
  readReplay,
  renderReplay,
  replayRun,
  writeReplay,
} from "./index.ts";

async function recorded(scenario: Scenario = writes): Promise<ReplayFile> {
  const result = await runScenario(scenario, new SeedSource(42), {});
  return {
    harness: "0.1.0",
    engine: "0.1.0",
    scenario: scenario.name,
    options: {},
    planted: null,
    seed: 42,
    strategy: "random",
    draws: result.draws(),
    marks: result.marks,
    fingerprint: result.fingerprint,
    outcome: { kind: result.outcome.kind, invariants: [], message: "as it was" },
    shrunk: null,
  };
}

const folder = (): string => mkdtempSync(join(tmpdir(), "baton-replay-"));

describe("a replay file", () => {
  test("gives back the run that was written", async () => {
    const shrunk = { before: 90, after: 4, runs: 120, removed: "removed 86 of 90 choices" };
    const options = { nodes: 3, profile: "r2", slackMs: 20 };
    const file = { ...(await recorded()), options, strategy: "pct", planted: "some-bug", shrunk };
    expect(file.draws.length).toBeGreaterThan(5);
    expect(parseReplay(renderReplay(file))).toEqual({ ok: true, value: file });
  });

  test("of a version that kept no marks, strategy or shrinking can be read", async () => {
    const {
      marks: _m,
      strategy: _s,
      shrunk: _n,
      checksum: _c,
      ...old
    } = JSON.parse(renderReplay(await recorded()));
    const read = parseReplay(JSON.stringify({ ...old, checksum: sha256(JSON.stringify(old)) }));
    expect(read).toMatchObject({ ok: true, value: { marks: [], strategy: "random", shrunk: null } });
  });

  test("may be formatted anew", async () => {
    const text = JSON.stringify(JSON.parse(renderReplay(await recorded())), null, 2);
    expect(parseReplay(text).ok).toBe(true);
  });

  test.each([
    ["cut short", (text: string) => text.slice(0, -40), "not-json"],
    ["empty", () => "", "not-json"],
    ["no JSON", () => "seed 42", "not-json"],
    ["some other JSON", () => '{"format":"something"}', "not-a-replay"],
    ["a list", () => "[]", "not-a-replay"],
    ["of a later format", (text: string) => text.replace("replay.v1", "replay.v2"), "other-version"],
    ["edited in its draws", (text: string) => text.replace(/"draws":\[(\d)/, '"draws":[1$1'), "edited"],
    ["edited in its seed", (text: string) => text.replace('"seed":42', '"seed":43'), "edited"],
    ["robbed of its checksum", (text: string) => text.replace(/,"checksum":"\w+"/, ""), "edited"],
  ])("that is %s is refused in one line that says what to do", async (_, damage, kind) => {
    const damaged = parseReplay(damage(renderReplay(await recorded())));
    expect(damaged).toMatchObject({ ok: false, error: { kind } });
    if (!damaged.ok) expect(damaged.error.reason).toMatch(/^[^\n]+: (take|use|name|write) [^\n]+$/);
  });

  test("with a sound checksum over wrong fields is refused", async () => {
    const file = await recorded();
    const wrong = parseReplay(renderReplay({ ...file, draws: [{ label: "x", n: 2, value: 2 }] }));
    expect(wrong).toMatchObject({ ok: false, error: { kind: "not-a-replay" } });
  });

  test("that is not there is refused", () => {
    expect(readReplay("/nowhere/at-all.json")).toMatchObject({ ok: false, error: { kind: "not-found" } });
  });
});

describe("writing a replay file", () => {
  test("makes the folder, leaves nothing unfinished, and replaces the same run", async () => {
    const reports = join(folder(), "reports");
    const path = writeReplay(reports, await recorded());
    expect(writeReplay(reports, await recorded())).toBe(path);
    expect(readdirSync(reports)).toEqual(["writes-42.json"]);
    expect(listReplays(reports)).toEqual([path]);
  });

  test("never replaces what is no sound replay file", async () => {
    const reports = folder();
    writeFileSync(join(reports, "writes-42.json"), "notes of mine");
    expect(writeReplay(reports, await recorded())).toBe(join(reports, "writes-42.2.json"));
    expect(readFileSync(join(reports, "writes-42.json"), "utf8")).toBe("notes of mine");
  });
});

describe("a strict replay", () => {
  test("is the recorded run", async () => {
    const file = await recorded(breaks);
    const result = await replayRun(breaks, file);
    expect(result.outcome.kind).toBe("violation");
    expect(result.fingerprint).toBe(file.fingerprint);
  });

  test.each([0, 1, 2, 5])(
    "stops at the first draw that differs and shows both sides: draw %i",
    async (at) => {
      const file = await recorded();
      const draws = file.draws.map((draw, i) => (i === at ? { ...draw, label: "other" } : draw));
      const { outcome } = await replayRun(writes, { ...file, draws });
      expect(outcome).toMatchObject({
        kind: "divergence",
        step: at,
        recorded: expect.stringContaining('"other"'),
      });
    },
  );

  test.each([
    [
      "a draw too many",
      (draws: ReplayFile["draws"]) => [...draws, { label: "more", n: 2, value: 0 }],
      "the end of the run",
    ],
    ["a draw too few", (draws: ReplayFile["draws"]) => draws.slice(0, -1), "a draw"],
  ])("is a divergence with %s", async (_, change, now) => {
    const file = await recorded();
    const { outcome } = await replayRun(writes, { ...file, draws: change(file.draws) });
    expect(outcome).toMatchObject({ kind: "divergence", now: expect.stringContaining(now) });
  });

  test("names the draws between which other steps were taken, and shows those of today", async () => {
    const file = await recorded();
    const marks = file.marks.map((mark, i) => (i >= 4 ? mark ^ 1 : mark));
    const { outcome } = await replayRun(writes, { ...file, marks });
    expect(outcome).toMatchObject({ kind: "divergence", step: 4 });
    if (outcome.kind !== "divergence") return;
    const [before, at] = [file.draws[3], file.draws[4]];
    expect(outcome.recorded).toBe(
      `other steps between draw "${before?.label}" of ${before?.n} and draw "${at?.label}" of ${at?.n}`,
    );
    expect(outcome.now).toMatch(/event "|no step/);
  });

  test("of a file without marks goes by the draws and the fingerprint", async () => {
    const file = { ...(await recorded()), marks: [] };
    expect((await replayRun(writes, file)).outcome.kind).toBe("pass");
  });

  test("is a divergence when the draws agree and the last events do not", async () => {
    const { outcome } = await replayRun(writes, { ...(await recorded()), fingerprint: "0".repeat(16) });
    expect(outcome).toMatchObject({ kind: "divergence", now: expect.stringContaining("the same draws") });
  });
});

describe("a guided replay", () => {
  test("is the recorded run where the code asks as recorded", async () => {
    const file = await recorded();
    expect((await guidedRun(writes, file)).fingerprint).toBe(file.fingerprint);
  });

  test("goes on where the record ends or differs", async () => {
    const file = await recorded();
    const draws = file.draws.slice(3).map((draw) => ({ ...draw, n: 10_000, value: 9_999 }));
    expect((await guidedRun(writes, { ...file, draws })).outcome).toEqual({ kind: "pass" });
  });
});
