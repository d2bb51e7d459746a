/**
 * Risk: the command works when called as a function and not as a process: other signals, other threads, other modules.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { bundled, bundleFolder } from "./bundled.ts";

const run = promisify(execFile);
const outdir = bundleFolder("cli");
const main = join(outdir, "main.mjs");
const cwd = mkdtempSync(join(tmpdir(), "baton-main-"));

/** The line that moves on a terminal is the only thing that tells of runs while they go on: so here it always moves. */
const alwaysLive = (text: string): string => text.replace("process.stderr.isTTY === true", "true");

beforeAll(() => {
  const programs = { main: "cli/main", "campaign/run-worker": "cli/campaign/run-worker" };
  return bundled(outdir, programs, alwaysLive);
});

/** The one JSON object that the command prints, without real time. */
async function sim(...words: string[]): Promise<Record<string, unknown>> {
  const argv = [main, "sim", "--seeds", "28", "--seed", "5", "--json", ...words];
  const { stdout } = await run(process.execPath, argv, { cwd }).catch((error: { stdout: string }) => error);
  return { ...JSON.parse(stdout), wallMs: 0 };
}

test("one seed gives the same result in two processes, and in one with two threads", async () => {
  const first = await sim();
  expect(first).toMatchObject({ runs: 28, failures: [] });
  expect(await sim()).toEqual(first);
  expect(await sim("--jobs", "2")).toEqual(first);
});

test("threads load the planted bug themselves", async () => {
  const alone = await sim("two-node-handoff", "--plant", "unconditional-write");
  expect(alone.failures).toHaveLength(5);
  expect(await sim("two-node-handoff", "--plant", "unconditional-write", "--jobs", "2")).toEqual(alone);
});

test.each(["1", "2"])("Ctrl-C ends with the summary so far and 130, with %s jobs", async (jobs) => {
  const argv = [main, "sim", "two-node-handoff", "--for", "50s", "--jobs", jobs, "--json"];
  const env = { ...process.env, TERM: "xterm" };
  const child = spawn(process.execPath, argv, { cwd, env });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let [out, told, stopped] = ["", "", false];
  child.stdout.on("data", (data) => {
    out += data;
  });
  child.stderr.on("data", (data) => {
    told += data;
    if (stopped || !/ [1-9][\d,]* runs /.test(told)) return;
    stopped = true;
    child.kill("SIGINT");
  });
  expect([await ended, told]).toEqual([130, expect.stringContaining(" runs ")]);
  const result = JSON.parse(out);
  expect(result).toMatchObject({ ended: "interrupted", failures: [] });
  expect(result.runs).toBeGreaterThan(0);
});

test.each(["1", "2"])("Ctrl-C on a terminal keeps the matrix so far, with %s jobs", async (jobs) => {
  const argv = [main, "mutants", "--seed", "1", "--strategy", "mix", "--jobs", jobs];
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  // A terminal sends the signal to the whole group: also to what bundles the bugs.
  const child = spawn(process.execPath, argv, { cwd, stdio, detached: true });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let [out, told] = ["", 0];
  child.stderr.on("data", (data) => {
    out += data;
  });
  child.stdout.on("data", (data) => {
    out += data;
    if (told++ === 0) process.kill(-(child.pid ?? 0), "SIGINT");
  });
  expect(await ended).toBe(130);
  expect(out).toContain("partial: stopped by Ctrl-C");
  expect(out).not.toContain("error");
  const kept = JSON.parse(readFileSync(join(cwd, "reports", "mutants.json"), "utf8"));
  expect(kept).toMatchObject({ ended: "interrupted", hunters: ["mix"] });
});
