/**
 * `baton explore`: every order of a small scene, with every outcome of each operation up to a number of faults.
 *
 *   X1  "all … no violation" is said only when the search came to its end by itself; a search that was ended by time,
 *       by Ctrl-C or at its depth says so.
 *   X2  The first run that does not pass ends the search; it is kept as a replay file like any other failure.
 *   X3  Scenes are named without their prefix here; in replay files it tells them from the scenarios of a campaign.
 *   X4  With `--json` standard output holds exactly one JSON object. Numbers of orders are strings in it: they can be
 *       larger than numbers of JSON are exact.
 */
import type { Command } from "commander";
import {
  type Exploration,
  type ExplorePlan,
  type ExploreReport,
  explore,
  UnsteadyRun,
} from "../../../sim/index.ts";
import { commandOf, type FailureRecord, keepFailure, tellFailure } from "../campaign/failure-report.ts";
import type { Io } from "../io.ts";
import type { Shelf } from "../shelf.ts";
import { parseCount, parseDuration, parseFaults, pickOne } from "../terminal/arguments.ts";
import { EXIT, EXIT_CODE_HELP, exitCodeOf } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import { grouped, spell, table } from "../terminal/table.ts";
import { checkReports } from "../terminal/write-file.ts";

export interface ExploreOptions {
  readonly faults?: number;
  readonly depth?: number;
  readonly for?: number;
  readonly json?: boolean;
  readonly plant?: string;
}

/** What `--json` prints; the page of a campaign shows it (`--with`). */
export const EXPLORE_FORMAT = "baton.explore.v1";

const DEFAULT_FAULTS = 1;
/** How long the event loop may stay without a turn: a Ctrl-C is seen within it. */
const TURN_EVERY_MS = 50;
/** What the explorations put before the names of their scenes, so that replay files tell them from scenarios. */
const PREFIX = "explore-";

/** A search that has ended, with everything that is told about it. */
interface Search {
  readonly scene: string;
  readonly claim: string;
  readonly faults: number;
  readonly depth: number | null;
  readonly planted: string | null;
  readonly report: ExploreReport;
  readonly ended: "done" | "time" | "interrupted";
  readonly wallMs: number;
  readonly failure: FailureRecord | null;
}

/** Puts the command into the program. */
export function addExplore(program: Command, io: Io, shelf: Shelf, done: (code: number) => void): void {
  const scenes = scenesOf(shelf).map(({ name, claim }) => [name, claim]);
  program
    .command("explore")
    .description("run a small scene in every order of its operations, with every outcome of each")
    .argument("<SCENE>", "one of the scenes below")
    .option(
      "--faults <K>",
      `faults in one run: lost requests, answers and calls, late writes, crashes (default: ${DEFAULT_FAULTS})`,
      parseFaults,
    )
    .option("--depth <D>", "search the order of the first D steps only (default: of all)", parseCount)
    .option("--for <TIME>", "stop after this much real time, as in 5m", parseDuration)
    .option("--json", "one JSON object instead of text")
    .option("--plant <NAME>", "search with this bug in the engine; see `baton scenarios --planted`")
    .addHelpText("after", `\nScenes:\n${table(scenes)}\n${EXIT_CODE_HELP}`)
    .action(async (name: string, options: ExploreOptions) =>
      done(await exploreCommand(io, shelf, name, options)),
    );
}

/** Makes the search; answers the exit code. */
async function exploreCommand(io: Io, shelf: Shelf, name: string, options: ExploreOptions): Promise<number> {
  const bug = options.plant === undefined ? null : pickOne("planted bug", shelf.bugs, options.plant);
  const scene = pickOne("scene", scenesOf(shelf), name);
  checkReports(io);
  const planted = bug === null ? shelf.explorations : await shelf.loadPlantedExplorations(bug);
  const exploration = pickOne("scene", planted, PREFIX + scene.name);
  const progress = new Progress(io);
  const startMs = io.nowMs();
  let [turnedMs, ended] = [startMs, "done" as Search["ended"]]; // widened: it is set below
  const goOn = async (report: ExploreReport): Promise<boolean> => {
    const nowMs = io.nowMs();
    if (nowMs - turnedMs >= TURN_EVERY_MS) {
      turnedMs = nowMs;
      progress.line(`${grouped(report.classes)} classes, ${grouped(report.orders)} orders`, nowMs);
      await io.turn();
    }
    if (io.interrupted()) ended = "interrupted";
    else if (options.for !== undefined && nowMs - startMs >= options.for) ended = "time";
    return ended === "done";
  };
  // Everything that varies between two searches of one scene, besides its code.
  const { faults = DEFAULT_FAULTS, depth = null } = options;
  const report = await searched({ scenario: exploration, faults, depth, reduction: "classes", goOn });
  progress.clear();
  if (report === null) {
    io.err("two runs of one order differ: find the first step with `baton sim --check-determinism`\n");
    return EXIT.nonDeterminism;
  }
  const failure = tellIfFailed(io, shelf, report, bug?.name ?? null, exploration, options.json === true);
  const { claim } = exploration;
  const wallMs = io.nowMs() - startMs;
  const kept = {
    scene: name,
    claim,
    faults,
    depth,
    planted: bug?.name ?? null,
    report,
    ended,
    wallMs,
    failure,
  };
  io.out(options.json === true ? jsonText(kept) : plainText(kept));
  if (ended === "interrupted") return EXIT.interrupted;
  return exitCodeOf(report.failure === null ? ["pass"] : [report.failure.outcome.kind]);
}

/** Null: the code under test is not deterministic. */
async function searched(plan: ExplorePlan): Promise<ExploreReport | null> {
  try {
    return await explore(plan);
  } catch (error) {
    if (error instanceof UnsteadyRun) return null;
    throw error;
  }
}

/** The scenes by the names that users give. */
function scenesOf({ explorations }: Shelf) {
  return explorations.map(({ name, claim }) => ({ name: name.replace(PREFIX, ""), claim }));
}

/** Keeps and tells the run that did not pass (X2). */
function tellIfFailed(
  io: Io,
  shelf: Shelf,
  { failure: result }: ExploreReport,
  planted: string | null,
  scenario: Exploration,
  quiet: boolean,
): FailureRecord | null {
  if (result === null) return null;
  const settings = {
    nodes: undefined,
    profile: undefined,
    strategy: "exhaustive",
    planted,
    twice: false,
    version: shelf.version,
  };
  const failure = { scenario, seed: null, pinned: null, result };
  const record = keepFailure(io, failure, settings);
  const text = `${tellFailure(io, failure, record, commandOf(record, settings, false))}\n`;
  if (quiet) io.err(text);
  else io.out(text);
  return record;
}

/** X1, in one line. */
function statement({ report, faults, depth, ended }: Search): string {
  const upTo = `with up to ${faults} ${faults === 1 ? "fault" : "faults"}`;
  const counts = `${grouped(report.orders)} orders (${grouped(report.classes)} classes)`;
  if (report.failure !== null) return `${counts} searched ${upTo}: a violation in the last of them`;
  if (!report.complete) {
    const why = ended === "time" ? "the time was over" : "stopped by Ctrl-C";
    return `not all orders: ${why} after ${counts} ${upTo}; no violation in them`;
  }
  if (report.cut === 0) return `all ${counts} ${upTo}: no violation`;
  return `not all orders: ${counts} ${upTo} that differ in the first ${depth} steps: no violation`;
}

/** The statement, the figures behind it, and what was searched and what was not. */
function plainText(search: Search): string {
  const { report, wallMs, planted } = search;
  const byFaults = report.classesByFaults.map((n, faults) => `${grouped(n)} with ${faults}`);
  const rows = [
    ["pruned", `${grouped(report.orders - BigInt(report.classes))} orders equivalent to one that was run`],
    ["given up", `${grouped(report.repeats)} runs that only repeated a class`],
    ["by faults", `classes: ${byFaults.join(", ")}`],
    ["longest", `${grouped(report.longest)} steps`],
    ["cut off", `${grouped(report.cut)} alternatives beyond the depth`],
    ["store operations", grouped(report.storeOps)],
    ["real time", spell(wallMs)],
    ["searched", "the order of requests at the store and of calls at nodes; each request answered, lost,"],
    [
      "",
      "without its answer, landing late or the last of its node; each call answered, lost or without reply",
    ],
    ["not searched", "latencies and clocks other than the scene's; the order of answers under way to one"],
    ["", "process; requests, other than late writes, that are under way for longer than a timer"],
  ];
  if (planted !== null) rows.push(["planted bug", planted]);
  return `${search.scene}: ${search.claim}\n${statement(search)}\n${table(rows)}\n`;
}

/** X4. */
function jsonText(search: Search): string {
  const { report } = search;
  const value = {
    format: EXPLORE_FORMAT,
    scene: search.scene,
    statement: statement(search),
    complete: report.complete && report.cut === 0,
    faults: search.faults,
    depth: search.depth,
    orders: String(report.orders),
    classes: report.classes,
    pruned: String(report.orders - BigInt(report.classes)),
    repeats: report.repeats,
    classesByFaults: report.classesByFaults,
    longest: report.longest,
    cut: report.cut,
    storeOps: report.storeOps,
    wallMs: Math.round(search.wallMs),
    ended: search.ended,
    failure: search.failure,
    ...(search.planted === null ? {} : { planted: search.planted }),
  };
  return `${JSON.stringify(value)}\n`;
}
