/**
 * Where turns are made for `baton speed`: on an engine in this process, or on a server in another one.
 *
 *   P1  each measurement has a store of its own, on the disk that was asked for, which is removed afterwards.
 *   P2  the server is `baton serve` as anybody starts it. It is ended when the measurement ends, however that ends.
 *   P3  requests to the store are counted in this process only; processor time is that of both.
 *
 * Not measured: the worker and the client with its repeats (their own work is small beside a write), and a bucket, whose
 * time is the network's.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openEmbeddedStore } from "../../adapters/embedded/embedded-store.ts";
import { NetworkHttp } from "../../adapters/http-client.ts";
import { meteredStore } from "../../adapters/metered-store.ts";
import { SYSTEM_IDS, SYSTEM_RANDOM, SystemClock } from "../../adapters/system-ports.ts";
import { HttpEngine } from "../../client/index.ts";
import { createNode, EMBEDDED_CONFIG } from "../../index.ts";
import { SILENT } from "../../ports/index.ts";
import { UsageError } from "../terminal/arguments.ts";
import { cpuMs } from "./engine-turns.ts";
import type { TurnEngine } from "./speed-turns.ts";

export interface Place {
  readonly engine: TurnEngine;
  /** Processor time so far of all that takes part, milliseconds; null where it cannot be told. */
  cpuMs(): number | null;
  /** Requests to the store so far; null where they are not counted. */
  requests(): number | null;
  close(): Promise<void>;
}

/** P1. */
function freshFolder(below: string): string {
  try {
    return mkdtempSync(join(below, "baton-speed-"));
  } catch (error) {
    throw new UsageError(`no store can be made in ${below}: ${error instanceof Error ? error.message : ""}`);
  }
}

export async function inProcess(below: string): Promise<Place> {
  const folder = freshFolder(below);
  const opened = await openEmbeddedStore(folder);
  if (!opened.ok) throw new UsageError(`cannot open the store in ${folder}: ${opened.error.message}`);
  const clock = new SystemClock();
  let requests = 0;
  const store = meteredStore(opened.value, clock, { emit: () => void requests++ });
  const ports = { store, clock, ids: SYSTEM_IDS, random: SYSTEM_RANDOM, trace: SILENT };
  return {
    engine: createNode(ports, EMBEDDED_CONFIG),
    cpuMs,
    requests: () => requests,
    async close() {
      clock.stop();
      await opened.value.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** P2. */
export async function overHttp(below: string): Promise<Place> {
  const folder = freshFolder(below);
  const [, program = ""] = process.argv;
  const argv = [program, "serve", "--store", folder, "--bind", "127.0.0.1:0", "--log", "error"];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  const endWithMe = () => child.kill("SIGKILL");
  process.once("exit", endWithMe);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const url = await addressOf(child);
  const clock = new SystemClock();
  const engine = new HttpEngine({ http: new NetworkHttp(url), clock, random: SYSTEM_RANDOM });
  return {
    engine,
    cpuMs: () => {
      const server = cpuMsOf(child.pid ?? 0);
      return server === null ? null : server + cpuMs();
    },
    requests: () => null,
    async close() {
      clock.stop();
      child.kill("SIGTERM");
      await ended;
      process.off("exit", endWithMe);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with code ${code}`)));
    if (child.stdout === null) return;
    createInterface(child.stdout).on("line", (line) => {
      const url = / on (http:\S+)$/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

/** Of another process, where the system tells it in files: in hundredths of a second. */
function cpuMsOf(pid: number): number | null {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [user, system] = fields.split(" ").slice(11, 13).map(Number);
    return user === undefined || system === undefined ? null : (user + system) * 10;
  } catch {
    return null;
  }
}

const SYNCS = 200;

/** How long this disk takes to keep 4 KiB that are written over others: median, milliseconds. */
export function diskSyncMs(below: string, nowMs: () => number): number {
  const folder = freshFolder(below);
  const file = openSync(join(folder, "sync"), "w");
  const page = Buffer.alloc(4_096, 1);
  const times: number[] = [];
  try {
    for (let n = 0; n < SYNCS; n++) {
      // The first half makes the file as long as it stays.
      const startMs = nowMs();
      writeSync(file, page, 0, page.length, (n % (SYNCS / 2)) * page.length);
      fdatasyncSync(file);
      if (n >= SYNCS / 2) times.push(nowMs() - startMs);
    }
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
  return times.sort((a, b) => a - b)[times.length / 2] ?? 0;
}
