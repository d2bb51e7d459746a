/**
 * Risk: an attack that works in parts and not as a command; processes that outlive it, however it ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, test } from "vitest";
import { bundled, bundleFolder } from "../bundled.ts";

const outdir = bundleFolder("chaos");
/** Removed with all folders of the tests. */
const newFolder = () => mkdtempSync(join(tmpdir(), "baton-chaos-"));
const main = join(outdir, "main.mjs");

beforeAll(() =>
  bundled(outdir, {
    main: "cli/main",
    "chaos-warden": "cli/chaos/chaos-warden",
    "chaos-node": "cli/chaos/chaos-node",
    "chaos-worker": "cli/chaos/chaos-worker",
  }),
);

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  out(): string;
  /** Resolves when it has told this on standard error. */
  told(words: string): Promise<void>;
}

function chaos(folder: string, ...words: string[]): Run {
  const argv = [main, "chaos", "--keep", folder, ...words];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  child.stdout.on("data", (data) => {
    out += data;
  });
  const lines = createInterface(child.stderr);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const told = (text: string) =>
    new Promise<void>((resolve, reject) => {
      lines.on("line", (line) => line.includes(text) && resolve());
      void ended.then(() => reject(new Error(`it ended and did not say "${text}": ${out}`)));
    });
  return { child, ended, out: () => out, told };
}

/** The processes of this machine whose command line names the folder, which every one of a run's does. */
function processesOf(folder: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(join("/proc", name, "cmdline"), "utf8").includes(folder);
    } catch {
      return false;
    }
  });
}

async function untilNone(folder: string): Promise<void> {
  for (let tries = 0; tries < 100 && processesOf(folder).length > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(processesOf(folder)).toEqual([]);
}

describe("baton chaos", () => {
  test("attacks real processes for three seconds, finds nothing broken, and leaves nothing running", async () => {
    const folder = newFolder();
    const json = join(newFolder(), "result.json");
    const small = ["--for", "3s", "--nodes", "2", "--workers", "2", "--kills", "2", "--restarts", "1"];
    const run = chaos(folder, ...small, "--seed", "1", "--json", json);
    expect(await run.ended, run.out()).toBe(0);
    const { figures, findings, waiting, failures } = JSON.parse(readFileSync(json, "utf8"));
    expect({ waiting, failures }).toEqual({ waiting: [], failures: [] });
    expect(figures.kills).toBeGreaterThanOrEqual(2);
    expect(figures.storeOperations).toBeGreaterThan(100);
    expect(findings["I23-recorded"].examined).toBeGreaterThan(20);
    await untilNone(folder);
  }, 120_000);

  test.skipIf(process.platform !== "linux")(
    "ends every process on Ctrl-C, and when it is killed itself",
    async () => {
      const small = ["--nodes", "2", "--workers", "2", "--freezes", "30", "--seed", "2"];
      const ends = [
        ["SIGINT", 130],
        ["SIGKILL", null],
      ] as const;
      const runs = ends.map(async ([signal, code]) => {
        const folder = newFolder();
        const run = chaos(folder, ...small);
        await run.told("s of faults left");
        expect(processesOf(folder).length).toBeGreaterThan(3);
        run.child.kill(signal);
        expect(await run.ended).toBe(code);
        await untilNone(folder);
      });
      await Promise.all(runs);
    },
    180_000,
  );

  test("is refused in one line when what it was told makes no sense", async () => {
    const run = chaos(newFolder(), "--nodes", "0");
    expect(await run.ended).toBe(2);
    const planted = chaos(newFolder(), "--plant", "no-such-bug");
    expect(await planted.ended).toBe(2);
  }, 60_000);
});
