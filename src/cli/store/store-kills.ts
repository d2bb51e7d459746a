/**
 * Kills writers and readers of one embedded store, again and again, and looks for what was lost.
 *
 *   node dist/src/cli/store/store-kills.js [kills] [seed]     default 100 kills, in a directory that is removed afterwards
 *
 *   V1  no acknowledged write is lost: a counter that one writer raises is found at the last value that was
 *       acknowledged or at the next one, after each restart and at the end; a created object is there.
 *   V2  no update is lost: nobody is told of two increments of the shared counter to the same value.
 *   V3  nobody waits for the dead: each writer that lives acknowledges something every `STALL_MS`.
 *
 * Ends with exit code 1 when one does not hold. It kills only processes that it has started.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openEmbeddedStore } from "../../adapters/embedded/embedded-store.ts";
import { assert } from "../../std/assert.ts";
import { counterOf, SHARED } from "./store-kills-child.ts";

const WRITERS = 3;
const READERS = 2;
const STALL_MS = 5_000;

export interface KillsReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly reads: number;
  /** The longest time in which a living writer acknowledged nothing, milliseconds. */
  readonly longestWaitMs: number;
  readonly largestLogBytes: number;
  /** What no outcome of a sound disk explains. */
  readonly troubles: number;
  readonly broken: readonly string[];
}

interface Living {
  readonly child: ChildProcess;
  /** Settled when it has ended and all that it said has been heard. */
  readonly closed: Promise<unknown>;
  heardMs: number;
}

class Trial {
  readonly #directory: string;
  readonly #next: () => number;
  readonly #acked = new Map<string, number>();
  readonly #living = new Map<string, Living>();
  readonly broken: string[] = [];
  counts = { kills: 0, acknowledged: 0, reads: 0, troubles: 0 };
  longestWaitMs = 0;
  largestLogBytes = 0;

  constructor(directory: string, seed: number) {
    this.#directory = directory;
    let state = seed;
    this.#next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  async run(kills: number): Promise<void> {
    const names = [...numbered("writer", WRITERS), ...numbered("reader", READERS)];
    for (const name of names) this.#start(name);
    await this.#untilAllWrite(60_000);
    while (this.counts.kills < kills && this.broken.length === 0) {
      await this.#passTime(50 + this.#next() * 400);
      const name = names[Math.floor(this.#next() * names.length)] ?? "";
      await this.#kill(name);
      this.counts.kills += 1;
      this.#start(name);
    }
    await this.#passTime(500);
    for (const name of names) await this.#kill(name);
    await this.#lookAtTheEnd();
  }

  #start(name: string): void {
    const here = fileURLToPath(import.meta.url);
    const script = join(dirname(here), `store-kills-child${extname(here)}`);
    const role = name.startsWith("writer") ? "writer" : "reader";
    const child = spawn(process.execPath, [script, role, this.#directory, name], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = new Promise((resolve) => child.once("close", resolve));
    const entry: Living = { child, closed, heardMs: performance.now() };
    this.#living.set(name, entry);
    createInterface(child.stdout).on("line", (line) => {
      if (role === "writer")
        this.longestWaitMs = Math.max(this.longestWaitMs, performance.now() - entry.heardMs);
      entry.heardMs = performance.now();
      this.#hear(line);
    });
    child.once("exit", (code, signal) => {
      if (signal !== "SIGKILL") this.broken.push(`${name} ended by itself with ${code ?? signal}`);
    });
  }

  #hear(line: string): void {
    const [what, key = "", value = ""] = line.split(" ");
    const n = Number(value);
    if (what === "read") this.counts.reads += 1;
    else if (what === "trouble") this.counts.troubles += 1;
    else if (what === "seen") this.#check(key, n);
    else this.#acknowledge(key, n);
  }

  /** V2 for the shared counter, V1 for the others: nothing is acknowledged twice. */
  #acknowledge(key: string, n: number): void {
    this.counts.acknowledged += 1;
    const name = key === SHARED ? `${SHARED} ${n}` : key;
    if (n <= (this.#acked.get(name) ?? 0))
      this.broken.push(`${key === SHARED ? "V2" : "V1"}: ${key} was raised to ${n} twice`);
    this.#acked.set(name, n);
  }

  /** V1 for one writer's own counter: an increment whose answer was lost may have happened. */
  #check(key: string, found: number): void {
    const acked = this.#acked.get(key) ?? 0;
    if (found === acked + 1) this.#acked.set(key, found);
    else if (found !== acked) this.broken.push(`V1: ${key} is ${found}, acknowledged was ${acked}`);
  }

  /** Ends the process, and waits until all that it said has been heard. */
  async #kill(name: string): Promise<void> {
    const entry = this.#living.get(name);
    assert(entry !== undefined, `${name} lives`);
    this.#living.delete(name);
    entry.child.kill("SIGKILL");
    await entry.closed;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** V3, and the size of the log meanwhile. */
  async #passTime(ms: number): Promise<void> {
    const untilMs = performance.now() + ms;
    do {
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (const [name, { heardMs }] of this.#living) {
        if (name.startsWith("writer") && performance.now() - heardMs > STALL_MS)
          this.broken.push(`V3: ${name} has waited for ${STALL_MS} ms`);
      }
      const log = statSync(join(this.#directory, "store.db-wal"), { throwIfNoEntry: false });
      this.largestLogBytes = Math.max(this.largestLogBytes, log?.size ?? 0);
    } while (performance.now() < untilMs && this.broken.length === 0);
  }

  /** The first start of all processes at once is no part of the trial. */
  async #untilAllWrite(mostMs: number): Promise<void> {
    const untilMs = performance.now() + mostMs;
    const write = () => numbered("writer", WRITERS).every((name) => this.#acked.has(`own/${name}/0`));
    while (!write() && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 20));
    if (!write()) this.broken.push("the writers did not begin");
    this.longestWaitMs = 0;
  }

  async #lookAtTheEnd(): Promise<void> {
    const opened = await openEmbeddedStore(this.#directory);
    assert(opened.ok, opened.ok ? "" : opened.error.message);
    for (const [key, n] of this.#acked) {
      if (key.startsWith(SHARED)) continue;
      const found = await opened.value.get(key);
      this.#check(key, found.kind === "ok" ? counterOf(found.body) : 0);
      if (found.kind !== "ok" && n > 0) this.broken.push(`V1: ${key} is ${found.kind}`);
    }
    const shared = await opened.value.get(SHARED);
    const reached = shared.kind === "ok" ? counterOf(shared.body) : 0;
    const told = Math.max(0, ...[...this.#acked].filter(([key]) => key.startsWith(SHARED)).map(([, n]) => n));
    if (reached < told) this.broken.push(`V1: the shared counter is ${reached}, acknowledged was ${told}`);
    await opened.value.close();
  }
}

function numbered(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${name}${i + 1}`);
}

/** One trial in a fresh directory. */
export async function killsTrial(kills: number, seed: number): Promise<KillsReport> {
  const directory = mkdtempSync(join(tmpdir(), "baton-kills-"));
  const trial = new Trial(directory, seed);
  try {
    await trial.run(kills);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const { counts, longestWaitMs, largestLogBytes, broken } = trial;
  return { ...counts, longestWaitMs: Math.round(longestWaitMs), largestLogBytes, broken };
}

const [, script, kills = "100", seed = "1"] = process.argv;
if (script !== undefined && /store-kills\.[a-z]+$/.test(script)) {
  const report = await killsTrial(Number(kills), Number(seed));
  console.log(JSON.stringify(report, null, 2));
  if (report.broken.length > 0) process.exitCode = 1;
}
