/**
 * The processes of a chaos run, as the command sees them: started, struck, healed and ended through the warden.
 *
 *   P1  each start is a life of its own, with its own number, order and log.
 *   P2  whatever happens to a process is an incident, written down when it is done or when it was noticed.
 *   P3  a process that ends without being told to is started again. One that did not die of a kill is remembered with what
 *       it said last: the code under test has failed.
 */
import { type ChildProcess, fork } from "node:child_process";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChaosLog } from "../../../scenarios/chaos/index.ts";
import type { WardenNews, WardenOrder } from "./chaos-warden.ts";

const HERE = fileURLToPath(import.meta.url);
/** What a start answers that could not open its store, and is to be repeated. */
const TRY_AGAIN = 75;
const AGAIN_MS = 300;
/** A process that was told to stop is killed after this time. */
const STOP_MS = 15_000;
/** The last words of a process that are kept. */
const WORDS = 12;

export interface ProcessOf {
  /** `node-1`, `worker-2`. */
  readonly name: string;
  /** The entry beside this file, without its ending. */
  readonly entry: string;
  /** Writes the order of a life; answers its path. */
  readonly order: (incarnation: number) => string;
}

type State = "down" | "starting" | "up" | "frozen" | "ending";

class Handle {
  readonly of: ProcessOf;
  state: State = "down";
  incarnation = 0;
  lastWords: string[] = [];
  constructor(of: ProcessOf) {
    this.of = of;
  }
}

export interface ChaosCounts {
  kills: number;
  freezes: number;
  restarts: number;
  /** Deaths that a server's own store brought upon it. */
  deaths: number;
  starts: number;
  failedStarts: number;
}

export class ChaosProcesses {
  readonly counts: ChaosCounts = { kills: 0, freezes: 0, restarts: 0, deaths: 0, starts: 0, failedStarts: 0 };
  /** P3: what failed of the code under test. */
  readonly failures: string[] = [];
  readonly #log: ChaosLog;
  readonly #warden: ChildProcess;
  readonly #handles: readonly Handle[];
  #listeners: (() => void)[] = [];
  #ending = false;

  constructor(log: ChaosLog, processes: readonly ProcessOf[]) {
    this.#log = log;
    this.#handles = processes.map((one) => new Handle(one));
    const script = join(dirname(HERE), `chaos-warden${extname(HERE)}`);
    this.#warden = fork(script, [], { detached: true, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    this.#warden.on("message", (news: WardenNews) => this.#hear(news));
    this.#warden.on("exit", () => {
      if (!this.#ending) this.failures.push("the warden ended, and all processes with it");
      this.#changed();
    });
  }

  get names(): readonly string[] {
    return this.#handles.map(({ of }) => of.name);
  }

  #named(name: string): Handle | undefined {
    return this.#handles.find(({ of }) => of.name === name);
  }

  #note(kind: string, process: string, detail: string): void {
    this.#log.write({ e: "incident", at: this.#log.nowMs(), kind, process, detail });
  }

  #send(order: WardenOrder): void {
    if (this.#warden.connected) this.#warden.send(order);
  }

  startAll(): void {
    for (const handle of this.#handles) this.#start(handle);
  }

  /** P1. */
  #start(handle: Handle): void {
    if (handle.state !== "down" || this.#ending) return;
    handle.incarnation += 1;
    handle.state = "starting";
    handle.lastWords = [];
    this.counts.starts += 1;
    const order = handle.of.order(handle.incarnation);
    this.#note("start", handle.of.name, `incarnation ${handle.incarnation}`);
    const script = join(dirname(HERE), `${handle.of.entry}${extname(HERE)}`);
    this.#send({ do: "start", name: handle.of.name, args: ["--enable-source-maps", script, order] });
  }

  #hear(news: WardenNews): void {
    const handle = this.#named(news.name);
    if (handle === undefined) return;
    if (news.is === "said") {
      if (!news.failed && news.line === "ready" && handle.state === "starting") handle.state = "up";
      else handle.lastWords = [...handle.lastWords, news.line].slice(-WORDS);
    }
    if (news.is === "ended") this.#ended(handle, news.code, news.signal);
    this.#changed();
  }

  /** P3. */
  #ended(handle: Handle, code: number | null, signal: NodeJS.Signals | null): void {
    const { name } = handle.of;
    const wasTold = handle.state === "ending" || this.#ending;
    handle.state = "down";
    this.#note(signal === "SIGKILL" ? "crash" : "stopped", name, `incarnation ${handle.incarnation}`);
    if (wasTold) {
      const clean = signal === "SIGKILL" || signal === "SIGTERM" || code === 0;
      if (!clean)
        this.failures.push(`${name} was to stop and ended with ${code ?? signal}: ${words(handle)}`);
      return;
    }
    if (signal === "SIGKILL") this.counts.deaths += 1;
    else if (code === TRY_AGAIN) this.counts.failedStarts += 1;
    else this.failures.push(`${name} ended by itself with ${code ?? signal}: ${words(handle)}`);
    setTimeout(() => this.#start(handle), AGAIN_MS).unref();
  }

  #changed(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** Waits until something about a process has changed, or so long. */
  #news(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#listeners.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Whether all are up within the time. `look` is called now and then, and may throw. */
  async allUp(withinMs: number, look: () => void): Promise<boolean> {
    const untilMs = this.#log.nowMs() + withinMs;
    const up = () => this.#handles.every(({ state }) => state === "up" || state === "frozen");
    while (!up() && this.failures.length === 0 && this.#log.nowMs() < untilMs) {
      look();
      await this.#news(200);
    }
    return up();
  }

  /** Strikes the process at that place, or the next one that is up; answers whether there was one. */
  strike(kind: "kill" | "freeze" | "restart", place: number, forMs: number): boolean {
    const all = this.#handles.length;
    const order = Array.from({ length: all }, (_, n) => this.#handles[(place + n) % all]);
    const handle = order.find((one) => one?.state === "up");
    if (handle === undefined) return false;
    const { name } = handle.of;
    if (kind === "freeze") {
      this.counts.freezes += 1;
      handle.state = "frozen";
      this.#note("pause", name, `${Math.round(forMs)} ms`);
      this.#send({ do: "signal", name, signal: "SIGSTOP" });
      setTimeout(() => this.#thaw(handle), forMs).unref();
      return true;
    }
    const counted = kind === "kill" ? "kills" : "restarts";
    this.counts[counted] += 1;
    handle.state = "ending";
    this.#send({ do: "signal", name, signal: kind === "kill" ? "SIGKILL" : "SIGTERM" });
    setTimeout(() => void this.#startOnceDown(handle), forMs).unref();
    return true;
  }

  #thaw(handle: Handle): void {
    if (handle.state !== "frozen") return;
    handle.state = "up";
    this.#send({ do: "signal", name: handle.of.name, signal: "SIGCONT" });
    this.#note("resume", handle.of.name, "");
  }

  async #startOnceDown(handle: Handle): Promise<void> {
    const untilMs = this.#log.nowMs() + STOP_MS;
    while (handle.state === "ending" && !this.#ending) {
      await this.#news(1_000);
      if (this.#log.nowMs() > untilMs) this.#send({ do: "signal", name: handle.of.name, signal: "SIGKILL" });
    }
    this.#start(handle);
  }

  /** No more strikes are to come: whoever is frozen goes on. */
  heal(): void {
    for (const handle of this.#handles) this.#thaw(handle);
  }

  /** Stops those processes in good order within a time, and kills what is left of them. */
  async stop(prefix: string, withinMs: number): Promise<void> {
    const some = this.#handles.filter(({ of }) => of.name.startsWith(prefix));
    const untilMs = this.#log.nowMs() + withinMs;
    for (const handle of some) {
      this.#thaw(handle);
      if (handle.state !== "down") handle.state = "ending";
      this.#send({ do: "signal", name: handle.of.name, signal: "SIGTERM" });
    }
    const left = () => some.filter(({ state }) => state !== "down");
    while (left().length > 0 && this.#log.nowMs() < untilMs) await this.#news(200);
    for (const { of } of left()) this.#send({ do: "signal", name: of.name, signal: "SIGKILL" });
    while (left().length > 0 && this.#warden.connected) await this.#news(200);
  }

  /** Ends everything at once. */
  async end(): Promise<void> {
    this.#ending = true;
    if (this.#warden.exitCode !== null || this.#warden.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#warden.once("exit", resolve));
    if (this.#warden.connected) this.#warden.disconnect();
    else this.#warden.kill("SIGKILL");
    await gone;
  }
}

function words({ lastWords }: Handle): string {
  return lastWords.join(" | ").slice(0, 600);
}
