/**
 * Runs made again from a replay file: strictly, to see the very same run; or guided, to try a mended engine.
 *
 *   P8  A strict replay is the recorded run or a divergence: the same draws in the same order, none left over, the
 *       same marks before each draw and the same fingerprint at the end.
 *   P10 A divergence is told at the earliest place that shows it: where a mark differs, the steps since the draw before
 *       it are other steps than the recorded ones, although the draws still agree.
 */
import { type Draw, ReplayDivergence, ReplaySource, type StepLog } from "../kernel/index.ts";
import {
  divergenceOf,
  type Outcome,
  type RunOptions,
  type RunResult,
  runScenario,
  type Scenario,
} from "../runner/index.ts";
import { GuidedSource } from "./guided-source.ts";
import type { ReplayFile } from "./replay-file.ts";
import { streamsOf } from "./streams.ts";

/** Steps shown of a stretch between two draws. */
const MOST_SHOWN = 6;

/** The recorded run, step by step. */
export async function replayRun(scenario: Scenario, file: ReplayFile): Promise<RunResult> {
  const source = new ReplaySource(file.draws);
  const result = await madeOrNot(scenario, source, file);
  const mark = result.marks.findIndex((now, i) => i < file.marks.length && now !== file.marks[i]);
  if (mark >= 0) return { ...result, outcome: await markDivergence(scenario, file, mark) };
  if (result.outcome.kind === "divergence") return result;
  const divergence = differenceAtEnd(file, source.remaining, result.fingerprint);
  return divergence === null ? result : { ...result, outcome: divergence };
}

/** The run; or that nothing of it was made, when it parts from the record before its system is set up. */
async function madeOrNot(scenario: Scenario, source: ReplaySource, file: ReplayFile): Promise<RunResult> {
  try {
    return await runScenario(scenario, source, file.options);
  } catch (error) {
    if (!(error instanceof ReplayDivergence)) throw error;
    return nothingMade(scenario, file, divergenceOf(error));
  }
}

function nothingMade({ name }: Scenario, file: ReplayFile, outcome: Outcome): RunResult {
  const profile = file.options.profile ?? "none";
  return {
    scenario: name,
    outcome,
    fingerprint: "0".repeat(16),
    draws: () => [],
    marks: [],
    configuration: file.options,
    steps: null,
    history: { operations: [], chains: new Map(), calls: [], incidents: [], healedAtMs: null, endedAtMs: 0 },
    stats: { storeOps: 0, events: 0, virtualMs: 0, profile, kinds: [], faults: new Map(), checks: new Map() },
  };
}

/** A run as near to the recorded one as the code of today allows. */
export function guidedRun(scenario: Scenario, file: ReplayFile): Promise<RunResult> {
  return runScenario(scenario, new GuidedSource(streamsOf(file.draws)), file.options);
}

/** The run once more with its steps kept, to show those before the draw at which the marks part. */
async function markDivergence(scenario: Scenario, file: ReplayFile, step: number): Promise<Outcome> {
  const options: RunOptions = { ...file.options, logSteps: true };
  const { steps } = await runScenario(scenario, new ReplaySource(file.draws), options);
  const [before, draw] = [file.draws[step - 1], file.draws[step]];
  const since = before === undefined ? "the start" : drawText(before);
  const until = draw === undefined ? "the end" : drawText(draw);
  return {
    kind: "divergence",
    step,
    recorded: `other steps between ${since} and ${until}`,
    now: steps === null ? "unknown" : stepsBefore(steps, step),
  };
}

/** The steps between the draw before draw number `index` and that draw, in words; the last ones when there are many. */
function stepsBefore(steps: StepLog, index: number): string {
  const texts: string[] = [];
  let draws = 0;
  for (let i = 0; i < steps.length; i++) {
    if (steps.step(i)?.kind === "draw") {
      if (draws === index) break;
      draws++;
    } else if (draws === index) texts.push(steps.describe(i));
  }
  const left = texts.length - MOST_SHOWN;
  if (texts.length === 0) return "no step between them";
  return `${left > 0 ? `${left} steps, then ` : ""}${texts.slice(-MOST_SHOWN).join("; ")}`;
}

function differenceAtEnd(file: ReplayFile, remaining: number, fingerprint: string): Outcome | null {
  const step = file.draws.length - remaining;
  const next = file.draws[step];
  if (next !== undefined) {
    return { kind: "divergence", step, recorded: `a ${drawText(next)}`, now: "the end of the run" };
  }
  if (fingerprint === file.fingerprint) return null;
  const now = `the same draws, but other events after the last one: fingerprint ${fingerprint}`;
  return { kind: "divergence", step, recorded: `fingerprint ${file.fingerprint}`, now };
}

function drawText({ label, n }: Draw): string {
  return `draw "${label}" of ${n}`;
}
