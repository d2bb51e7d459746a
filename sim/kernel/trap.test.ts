/**
 * Risk: code under test goes past the ports unseen, and a run is no longer a function of its choices.
 *
 * Each banned call stands on a line of its own with a mark, so that the test knows the line to be named.
 */
import childProcess, { execFileSync } from "node:child_process";
import nodeCrypto, { randomBytes, randomInt, randomUUID } from "node:crypto";
import dns from "node:dns";
import fs, { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import timers from "node:timers";
import { scheduler, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { ScriptSource } from "./script-source.ts";
import { AmbientCallError, installAmbientTrap } from "./trap.ts";
import { World } from "./world.ts";

const FILE = fileURLToPath(import.meta.url);
const SOURCE = readFileSync(FILE, "utf8").split("\n");

const BANNED: readonly (readonly [call: string, make: () => unknown])[] = [
  ["setTimeout", () => setTimeout(() => undefined, 1)],
  ["setInterval", () => setInterval(() => undefined, 1)],
  ["setImmediate", () => setImmediate(() => undefined)],
  ["fetch", () => fetch("http://127.0.0.1:9/")],
  ["Date.now", () => Date.now()],
  ["new Date()", () => new Date()],
  ["new Date() ", () => Date()],
  ["new Date()  ", () => new (class extends Date {})()],
  ["Math.random", () => Math.random()],
  ["performance.now", () => performance.now()],
  ["process.hrtime", () => process.hrtime()],
  ["process.hrtime.bigint", () => process.hrtime.bigint()],
  ["process.uptime", () => process.uptime()],
  ["AbortSignal.timeout", () => AbortSignal.timeout(1)],
  ["crypto.randomUUID", () => crypto.randomUUID()],
  ["crypto.getRandomValues", () => crypto.getRandomValues(new Uint8Array(4))],
  ["crypto.subtle.digest", () => crypto.subtle.digest("SHA-256", new Uint8Array(4))],
  ["crypto.randomUUID ", () => nodeCrypto.randomUUID()],
  ["crypto.randomUUID  ", () => randomUUID()],
  ["crypto.randomBytes", () => randomBytes(8)],
  ["crypto.randomInt", () => randomInt(8)],
  ["crypto.getRandomValues ", () => nodeCrypto.getRandomValues(new Uint8Array(4))],
  ["fs.readFileSync", () => readFileSync(FILE)],
  ["fs.writeFileSync", () => fs.writeFileSync("/nonexistent/file", "")],
  ["fs.existsSync", () => fs.existsSync(FILE)],
  ["fs.createReadStream", () => fs.createReadStream(FILE)],
  ["fs/promises.readFile", () => readFile(FILE)],
  ["fs/promises.stat", () => fs.promises.stat(FILE)],
  ["net.connect", () => net.connect(9)],
  ["net.Socket.connect", () => new net.Socket().connect(9)],
  ["http.request", () => http.request("http://127.0.0.1:9/")],
  ["dns.lookup", () => dns.lookup("localhost", () => undefined)],
  ["child_process.spawn", () => childProcess.spawn("true")],
  ["child_process.execFileSync", () => execFileSync("true")],
  ["setTimeout ", () => timers.setTimeout(() => undefined, 1)],
  ["timers/promises.setTimeout", () => sleep(1)],
  ["timers/promises.setTimeout ", () => promisify(setTimeout)(1)],
  ["scheduler.wait", () => scheduler.wait(1)],
];

/** Runs `code` as a process and answers the violations. */
async function violationsOf(code: () => unknown, drain: "auto" | "slow" = "auto") {
  const world = new World({ source: new ScriptSource([]), drain });
  const main = async (): Promise<void> => {
    await null;
    await code();
  };
  world.process("suspect", main).start();
  const end = await world.run({ until: () => false, deadlineMs: 1000 });
  return end.kind === "failed" && end.failure.kind === "ambient" ? end.failure.violations : [];
}

describe("a banned call fails the run and its line is named", () => {
  it.each(BANNED)("%s", async (call, make) => {
    const line = SOURCE.findIndex((text) => text.includes(`["${call}", () =>`)) + 1;
    const violations = await violationsOf(make);
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatchObject({ call: call.trim(), at: `${FILE}:${line}`, process: "suspect" });
    expect(violations[0]?.instead).toMatch(/port|simulation|synchronous/);
  });
});

describe("the trap", () => {
  it("reports a call whose error the code swallows", async () => {
    const swallow = (): void => {
      try {
        Math.random();
      } catch (error) {
        expect(error).toBeInstanceOf(AmbientCallError);
      }
    };
    expect(await violationsOf(swallow)).toMatchObject([{ call: "Math.random" }]);
  });

  it("sees calls after a deep chain of awaits, and with the slow drain", async () => {
    const deep = async (): Promise<void> => {
      for (let i = 0; i < 50; i++) await null;
      Date.now();
    };
    expect(await violationsOf(deep)).toMatchObject([{ call: "Date.now" }]);
    expect(await violationsOf(deep, "slow")).toMatchObject([{ call: "Date.now" }]);
  });

  it("allows dates made of a number, hashes, ticks and microtasks", async () => {
    let seen = "";
    const allowed = async (): Promise<void> => {
      const date = new Date(86_400_000);
      nodeCrypto.createHash("sha256").update("x").digest("hex");
      await new Promise<void>((resolve) => process.nextTick(resolve));
      await new Promise<void>((resolve) => queueMicrotask(resolve));
      seen = `${date.toISOString()} ${date instanceof Date} ${Date.UTC(1970, 0, 2)} ${date.constructor === Date}`;
    };
    expect(await violationsOf(allowed)).toEqual([]);
    expect(seen).toBe("1970-01-02T00:00:00.000Z true 86400000 true");
  });

  it("passes everything through outside a run", async () => {
    installAmbientTrap();
    await violationsOf(() => Math.random());
    expect(Math.random()).toBeLessThan(1);
    expect(new Date().getFullYear()).toBeGreaterThan(2020);
    expect(Date()).toMatch(/GMT/);
    expect(randomUUID()).toHaveLength(36);
    expect(process.hrtime.bigint()).toBeGreaterThan(0n);
    expect(await readFile(FILE, "utf8")).toContain("passes everything through");
    expect(await sleep(1, "woken")).toBe("woken");
    expect(await promisify(setTimeout)(1, "woken")).toBe("woken");
    expect(await new Promise((resolve) => setTimeout(resolve, 1, "woken"))).toBe("woken");
  });

  it("keeps the properties of what it guards", () => {
    installAmbientTrap();
    expect(Date.name).toBe("Date");
    expect(Date.length).toBe(7);
    expect(Object.prototype.toString.call(new Date(0))).toBe("[object Date]");
    expect(timers.setTimeout).toBe(setTimeout);
    expect(fs.readFileSync).toBe(readFileSync);
  });

  it("works with a second copy of the kernel in the same process", async () => {
    vi.resetModules();
    const copy = await import("./index.ts");
    expect(copy.World).not.toBe(World);
    const world = new copy.World({ source: new ScriptSource([]) });
    world.process("other", async () => void Math.random()).start();
    const end = await world.run({ until: () => false, deadlineMs: 10 });
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "ambient" } });
    expect(await violationsOf(() => Math.random())).toHaveLength(1);
    expect(Math.random()).toBeLessThan(1);
  });

  it("does not watch while the real event loop turns", async () => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += Date.now() > 0 ? 1 : 0;
    }, 1);
    const world = new World({ source: new ScriptSource([]) });
    const main = async (context: { clock: { sleep(ms: number): Promise<void> } }): Promise<void> => {
      for (;;) await context.clock.sleep(1);
    };
    world.process("busy", main).start();
    const end = await world.run({ until: () => ticks >= 2, deadlineMs: 100_000_000 });
    clearInterval(timer);
    expect(end.kind).toBe("finished");
  });
});
