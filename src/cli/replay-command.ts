/**
 * `baton replay`: one run again, from its file or from its seed, told in full.
 *
 * A file is replayed strictly: where the code asks for another draw than recorded, the run stops and both sides
 * are shown. A seed has nothing to compare with; its run is what it is.
 */
import { relative, resolve } from "node:path";
import {
  type ReplayFile,
  type RunResult,
  readReplay,
  replayRun,
  runScenario,
  SeedSource,
} from "../../sim/index.ts";
import { pickOne, pickProfile, UsageError } from "./arguments.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { keepFailure, tellFailure } from "./failure-report.ts";
import type { Io } from "./io.ts";
import type { Shelf } from "./shelf.ts";
import { grouped, spell } from "./table.ts";

export interface ReplayOptions {
  readonly scenario?: string;
  readonly seed?: number;
  readonly nodes?: number;
  readonly profile?: string;
  readonly plant?: string;
}

/** Makes the run; answers the exit code. */
export async function replayCommand(
  io: Io,
  shelf: Shelf,
  path: string | undefined,
  options: ReplayOptions,
): Promise<number> {
  if (path === undefined) return replaySeed(io, shelf, options);
  if (Object.values(options).some((value) => value !== undefined)) {
    throw new UsageError("a replay file says all about its run: give either FILE or --scenario and --seed");
  }
  return replayFromFile(io, shelf, path);
}

async function replaySeed(io: Io, shelf: Shelf, options: ReplayOptions): Promise<number> {
  const { scenario: name, seed, nodes } = options;
  if (name === undefined || seed === undefined) {
    throw new UsageError("nothing to replay: give FILE, or --scenario NAME and --seed N");
  }
  const planted = options.plant ?? null;
  const scenario = await findScenario(shelf, name, planted);
  const profile = pickProfile(options.profile);
  const result = await runScenario(scenario, new SeedSource(seed), {
    ...(nodes === undefined ? {} : { nodes }),
    ...(profile === undefined ? {} : { profile }),
  });
  if (result.outcome.kind === "pass") {
    io.out(`passed ${name}, seed ${seed}\n${figures(result)}`);
    return exitCodeOf(["pass"]);
  }
  const failure = { scenario, seed, pinned: null, result };
  const record = keepFailure(io, failure, { nodes, profile, planted, version: shelf.version });
  io.out(tellFailure(io, failure, record, null) + figures(result));
  return exitCodeOf([result.outcome.kind]);
}

async function replayFromFile(io: Io, shelf: Shelf, path: string): Promise<number> {
  const absolute = resolve(io.folder, path);
  const shown = relative(io.folder, absolute) || path;
  const read = readReplay(absolute);
  if (!read.ok) throw new UsageError(`${shown} ${read.error.reason}`);
  const file = read.value;
  const scenario = await findScenario(shelf, file.scenario, file.planted);
  if (file.harness !== shelf.version || file.engine !== shelf.version) {
    io.err(`note: written by harness ${file.harness}, engine ${file.engine}; this is ${shelf.version}\n`);
  }
  const result = await replayRun(scenario, file);
  const { kind } = result.outcome;
  if (kind === "pass") io.out(`passed ${scenario.name}\n`);
  else io.out(tellFailure(io, { scenario, seed: file.seed, pinned: null, result }, null, null));
  io.out(figures(result));
  io.out(kind === "divergence" ? recordedAs(file) : "the run is as recorded, step by step\n");
  return exitCodeOf([kind]);
}

async function findScenario(shelf: Shelf, name: string, planted: string | null) {
  const bug = planted === null ? null : pickOne("planted bug", shelf.bugs, planted);
  const sound = pickOne("scenario", shelf.catalog, name);
  return bug === null ? sound : pickOne("scenario", await shelf.loadPlanted(bug), name);
}

function figures(result: RunResult): string {
  const { stats } = result;
  const faults = [...stats.faults].filter(([, n]) => n > 0).map(([kind, n]) => `${kind} ${n}`);
  const line = [
    `${grouped(stats.storeOps)} store operations`,
    `${grouped(stats.events)} events`,
    `${spell(stats.virtualMs)} of virtual time`,
    `${grouped(result.draws().length)} draws`,
    `fingerprint ${result.fingerprint}`,
  ];
  return `  store ${stats.profile}; faults on: ${stats.kinds.join(", ") || "none"}\n  ${line.join(", ")}\n  faults: ${faults.join(", ") || "none"}\n`;
}

function recordedAs(file: ReplayFile): string {
  const { outcome } = file;
  const was = outcome.kind === "pass" ? "passed" : `${outcome.invariants.join(", ")}: ${outcome.message}`;
  return `recorded was: ${was}\nthe code has changed since, or is not deterministic; record it anew from its seed: ${file.seed ?? "none"}\n`;
}
