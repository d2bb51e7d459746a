/**
 * Runs made again from a replay file: strictly, to see the very same run; or guided, to try a mended engine.
 *
 *   P8  A strict replay is the recorded run or a divergence: the same draws in the same order, none left over, and
 *       the same fingerprint at the end.
 */
import { ReplaySource } from "../kernel/index.ts";
import { type Outcome, type RunResult, runScenario, type Scenario } from "../runner/index.ts";
import type { ReplayFile } from "./format.ts";
import { GuidedSource } from "./guided-source.ts";
import { streamsOf } from "./streams.ts";

/** The recorded run, step by step. */
export async function replayRun(scenario: Scenario, file: ReplayFile): Promise<RunResult> {
  const source = new ReplaySource(file.draws);
  const result = await runScenario(scenario, source, file.options);
  if (result.outcome.kind === "divergence") return result;
  const divergence = differenceAtEnd(file, source.remaining, result.fingerprint);
  return divergence === null ? result : { ...result, outcome: divergence };
}

/** A run as near to the recorded one as the code of today allows. */
export function guidedRun(scenario: Scenario, file: ReplayFile): Promise<RunResult> {
  return runScenario(scenario, new GuidedSource(streamsOf(file.draws)), file.options);
}

function differenceAtEnd(file: ReplayFile, remaining: number, fingerprint: string): Outcome | null {
  const step = file.draws.length - remaining;
  const next = file.draws[step];
  if (next !== undefined) {
    return {
      kind: "divergence",
      step,
      recorded: `a draw "${next.label}" of ${next.n}`,
      now: "the end of the run",
    };
  }
  if (fingerprint === file.fingerprint) return null;
  const now = `the same draws, but other events between them: fingerprint ${fingerprint}`;
  return { kind: "divergence", step, recorded: `fingerprint ${file.fingerprint}`, now };
}
