/**
 * `baton chaos`: one run with real processes, its figures, and its verdict as an exit code.
 *
 *   C1  a run that failed keeps its logs, and says where; one that passed leaves nothing behind but what was asked for.
 *   C2  each run has a graph of its own, so a store may be used again and again, and beside others.
 *   C3  a store on a gateway is reached through a proxy that loses answers; an `https` one without it, which is said.
 *   C4  the command itself speaks to the store past the proxy and past every fault: what it reads at the end is true.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { plantedBugs } from "../../../scenarios/canaries/index.ts";
import { type DisturbancePlan, FAST, SLOW, USUAL_RATES, usualPlan } from "../../../scenarios/chaos/index.ts";
import { SeedSource } from "../../../sim/index.ts";
import { type ChaosProxy, startChaosProxy } from "../../adapters/chaos-proxy.ts";
import type { Io } from "../io.ts";
import { openStore } from "../serve/open-store.ts";
import { pickOne, UsageError } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { writeWhole } from "../terminal/write-file.ts";
import { chaosExitCode, chaosJson, chaosText, type ToldSettings } from "./chaos-report.ts";
import { ChaosInterrupted, type ChaosResult, chaosRun } from "./chaos-session.ts";
import { judge } from "./chaos-verdict.ts";

export interface ChaosOptions {
  readonly store?: string;
  readonly nodes?: number;
  readonly workers?: number;
  readonly for?: number;
  readonly seed?: number;
  readonly kills?: number;
  readonly freezes?: number;
  readonly restarts?: number;
  readonly skew?: number;
  readonly settle?: number;
  readonly plant?: string;
  readonly json?: string;
  readonly keep?: string;
  readonly judge?: string;
}

/** Everything has to be done so long after the faults, and as long again as they lasted. */
const SETTLE_MS = 240_000;

/** What a connection to a gateway meets beside what the servers' own stores do. */
const PROXY_RATES = { lostRequest: 4, lostAnswer: 8, cutAnswer: 4, late: 10 };

export async function chaosCommand(io: Io, options: ChaosOptions): Promise<number> {
  if (options.judge !== undefined) return judgeAgain(io, options, resolve(io.folder, options.judge));
  const seed = options.seed ?? io.freshSeed();
  const forMs = options.for ?? 60_000;
  const settings = {
    seed,
    forMs,
    nodes: options.nodes ?? 3,
    workers: options.workers ?? 4,
    settleMs: options.settle ?? SETTLE_MS + forMs,
    plan: planOf(options, forMs),
    rates: USUAL_RATES,
    pace: options.store?.startsWith("s3://") ? SLOW : FAST,
    plant: options.plant === undefined ? null : pickOne("planted bug", plantedBugs, options.plant).name,
    graph: `chaos-${seed}-${Date.now()}`,
  };
  const folder = folderOf(io, options);
  const text = options.store ?? join(folder, "store");
  const opened = await openStore(text, io.folder);
  if (!opened.ok) {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
    throw new UsageError(opened.error.message);
  }
  const striking = { on: false };
  const proxied = await proxyOf(text, seed, striking);
  if (proxied === null && text.startsWith("s3://"))
    io.err("no proxy stands before this store: only an http:// endpoint can have one\n");
  const progress = {
    tell: (words: string) => io.err(`${words}\n`),
    interrupted: () => io.interrupted(),
    striking: (on: boolean) => {
      striking.on = on;
    },
  };
  io.err(`seed ${seed}, ${settings.nodes} servers, ${settings.workers} workers, graph ${settings.graph}\n`);
  // Until the opposite is known.
  let failed = true;
  try {
    const store = proxied?.store ?? resolvedStore(text, io.folder);
    const { store: behind } = opened.value;
    const result = await chaosRun({ ...settings, folder, store, behind }, progress);
    const code = tell(io, options, { ...settings, struck: proxied?.proxy.struck ?? new Map() }, result);
    failed = code !== EXIT.pass;
    return code;
  } catch (error) {
    if (!(error instanceof ChaosInterrupted)) throw error;
    io.err("stopped by Ctrl-C; every process was ended\n");
    failed = false;
    return EXIT.interrupted;
  } finally {
    await proxied?.proxy.close();
    await opened.value.close();
    // C1.
    if (failed) io.err(`logs and orders are in ${folder}\n`);
    else if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** A run that was kept, judged by what its folder holds. */
function judgeAgain(io: Io, options: ChaosOptions, folder: string): number {
  const result = { ...judge(folder), counts: null, waiting: [], failures: [] };
  return tell(io, options, { seed: null, plant: null, struck: new Map() }, result);
}

/** Figures and verdict, for people and for a file. */
function tell(io: Io, options: ChaosOptions, told: ToldSettings, result: ChaosResult): number {
  io.out(chaosText(told, result));
  if (options.json !== undefined)
    writeWhole(resolve(io.folder, options.json), `${JSON.stringify(chaosJson(told, result), null, 2)}\n`);
  return chaosExitCode(result);
}

/** As often as was asked for, or at the usual rate. */
function planOf(options: ChaosOptions, forMs: number): DisturbancePlan {
  const usual = usualPlan(forMs);
  return {
    kills: options.kills ?? usual.kills,
    freezes: options.freezes ?? usual.freezes,
    restarts: options.restarts ?? usual.restarts,
    skewMs: options.skew ?? usual.skewMs,
  };
}

/** C1: where orders and logs go, and the store when none was named. */
function folderOf(io: Io, { keep }: ChaosOptions): string {
  if (keep === undefined) return mkdtempSync(join(tmpdir(), "baton-chaos-"));
  const folder = resolve(io.folder, keep);
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new UsageError(`--keep ${keep}: the folder is not empty`);
  return folder;
}

/** C4 needs the same place. Servers may stand elsewhere: a directory is named from the root. */
function resolvedStore(text: string, folder: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : resolve(folder, text);
}

/** C3: the store as it is reached through a proxy. */
async function proxyOf(
  text: string,
  seed: number,
  striking: { readonly on: boolean },
): Promise<{ readonly proxy: ChaosProxy; readonly store: string } | null> {
  const url = /^s3:\/\//.test(text) ? new URL(text) : null;
  const endpoint = url?.searchParams.get("endpoint") ?? "";
  if (url === null || !endpoint.startsWith("http://")) return null;
  const { hostname: host, port } = new URL(endpoint);
  const choices = new SeedSource(seed + 2);
  const draw = () => choices.choose(1_000_000, "chaos-proxy") / 1_000_000;
  const to = { host, port: Number(port || 80) };
  const proxy = await startChaosProxy(to, PROXY_RATES, draw, () => striking.on);
  const query = new URLSearchParams(url.search);
  query.set("endpoint", `http://127.0.0.1:${proxy.port}`);
  const [bare = ""] = text.split("?");
  return { proxy, store: `${bare}?${[...query].map(([name, value]) => `${name}=${value}`).join("&")}` };
}
