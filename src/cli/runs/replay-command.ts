/**
 * `baton replay`: one run again, from its file or from its seed, told in full.
 *
 * A file is replayed strictly: where the code asks for another draw than recorded, the run stops and both sides
 * are shown. A seed has nothing to compare with; its run is what it is.
 *
 *   R1  A page is written when it is asked for, passed or failed; a failed run of a seed has one beside its file anyway.
 *   R3  A file says all about its run, so no other option may be given with it but where the page goes.
 *   R2  The page of a shrunken run shows the original beside it when that one's file lies beside its own.
 */
import { basename, join, relative, resolve } from "node:path";
import { type ReplayFile, type RunResult, readReplay, replayRun, type Scenario } from "../../../sim/index.ts";
import { commandOf, keepFailure, tellFailure } from "../campaign/failure-report.ts";
import { makeRun } from "../campaign/run-settings.ts";
import type { Io } from "../io.ts";
import { type ShownRun, writeRunPage } from "../pages/pages.ts";
import type { Shelf } from "../shelf.ts";
import { pickOne, pickProfile, pickStrategy, UsageError } from "../terminal/arguments.ts";
import { exitCodeOf } from "../terminal/exit-codes.ts";
import { grouped, spell } from "../terminal/table.ts";
import { checkOutputs, checkReports } from "../terminal/write-file.ts";

export interface ReplayOptions {
  readonly scenario?: string;
  readonly seed?: number;
  readonly nodes?: number;
  readonly profile?: string;
  readonly strategy?: string;
  readonly plant?: string;
  /** Where the run's page goes; `true`: to its usual place. */
  readonly report?: string | true;
}

/** Makes the run; answers the exit code. */
export async function replayCommand(
  io: Io,
  shelf: Shelf,
  path: string | undefined,
  options: ReplayOptions,
): Promise<number> {
  if (typeof options.report === "string") checkOutputs(io, { "--report": options.report });
  if (path === undefined) return replaySeed(io, shelf, options);
  const { report, ...origin } = options;
  if (Object.values(origin).some((value) => value !== undefined)) {
    throw new UsageError("a replay file says all about its run: give either FILE or --scenario and --seed");
  }
  return replayFromFile(io, shelf, path, report);
}

/** A failed one is kept as a file, as `baton sim` does. */
async function replaySeed(io: Io, shelf: Shelf, options: ReplayOptions): Promise<number> {
  const { scenario: name, seed, nodes } = options;
  if (name === undefined || seed === undefined) {
    throw new UsageError("nothing to replay: give FILE, or --scenario NAME and --seed N");
  }
  checkReports(io);
  const planted = options.plant ?? null;
  const scenario = await findScenario(shelf, name, planted);
  const settings = {
    nodes,
    profile: pickProfile(options.profile),
    strategy: pickStrategy(options.strategy),
    planted,
    twice: false,
    version: shelf.version,
  };
  const result = await makeRun(settings, scenario, seed);
  const again = commandOf({ scenario: name, seed, replayFile: "" }, settings, false);
  const shown = { name: "original", scenario, seed, planted, result, again };
  if (result.outcome.kind === "pass") {
    io.out(`passed ${name}, seed ${seed}\n${figures(result)}`);
    report(io, options.report, join("reports", `${name}-${seed}.html`), [shown]);
    return exitCodeOf(["pass"]);
  }
  const failure = { scenario, seed, pinned: null, result };
  const record = keepFailure(io, failure, settings);
  io.out(tellFailure(io, failure, record, null) + figures(result));
  if (typeof options.report === "string") report(io, options.report, "", [shown]);
  return exitCodeOf([result.outcome.kind]);
}

async function replayFromFile(
  io: Io,
  shelf: Shelf,
  path: string,
  asked: ReplayOptions["report"],
): Promise<number> {
  const absolute = resolve(io.folder, path);
  const shownPath = relative(io.folder, absolute) || path;
  const read = readReplay(absolute);
  if (!read.ok) throw new UsageError(`${shownPath} ${read.error.reason}`);
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
  if (asked !== undefined) {
    const shown = shownRun(file, scenario, result, shownPath);
    const beside = await originalOf(shelf, file, absolute, shownPath);
    report(io, asked, join("reports", basename(path).replace(/(\.json)?$/, ".html")), [shown, ...beside]);
  }
  return exitCodeOf([kind]);
}

/** The run of a file, as a page shows it. */
function shownRun(file: ReplayFile, scenario: Scenario, result: RunResult, path: string): ShownRun {
  const name = file.shrunk === null ? "original" : "shrunken";
  const { seed, planted } = file;
  return { name, scenario, seed, planted, result, again: `npx baton replay ${path}` };
}

/** R2: files are found by their usual names. */
async function originalOf(
  shelf: Shelf,
  shrunken: ReplayFile,
  absolute: string,
  path: string,
): Promise<readonly ShownRun[]> {
  const was = (text: string): string => text.replace(/-shrunk\.json$/, ".json");
  if (shrunken.shrunk === null || was(absolute) === absolute) return [];
  const read = readReplay(was(absolute));
  if (!read.ok) return [];
  const scenario = await findScenario(shelf, read.value.scenario, read.value.planted);
  return [shownRun(read.value, scenario, await replayRun(scenario, read.value), was(path))];
}

/** Writes the page where the user wants it, if it is wanted. */
function report(io: Io, asked: ReplayOptions["report"], usual: string, runs: readonly ShownRun[]): void {
  if (asked === undefined) return;
  const page = writeRunPage(io, asked === true ? usual : asked, runs);
  if (page !== null) io.out(`page: ${page}\n`);
}

/** The scenario or exploration, with the bug in the code under it when there is one. */
export async function findScenario(shelf: Shelf, name: string, planted: string | null): Promise<Scenario> {
  const bug = planted === null ? null : pickOne("planted bug", shelf.bugs, planted);
  const exploration = shelf.explorations.find((entry) => entry.name === name);
  const sound = exploration ?? pickOne("scenario", shelf.catalog, name);
  if (bug === null) return sound;
  const load = exploration === undefined ? shelf.loadPlanted : shelf.loadPlantedExplorations;
  return pickOne<Scenario>("scenario", await load(bug), name);
}

/** What the run was like, in three lines. */
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

/** For a divergence: what the recorded run was, and what to do. */
function recordedAs(file: ReplayFile): string {
  const { outcome } = file;
  const was = outcome.kind === "pass" ? "passed" : `${outcome.invariants.join(", ")}: ${outcome.message}`;
  return `recorded was: ${was}\nthe code has changed since, or is not deterministic; record it anew from its seed: ${file.seed ?? "none"}\n`;
}
