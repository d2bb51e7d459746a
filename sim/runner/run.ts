/**
 * One run: a scenario and a source of choices make a result.
 *
 * Owns the phases and their bounds. Does not own what a run is made of (`stage.ts`) nor how many there are
 * (`campaign.ts`).
 *
 *   R6  A run is a function of (scenario, options, choices); real time is neither read nor waited for.
 *   R7  The phases are faults, heal, settle, quiet, checks. Each of the first four ends early on a failure of the
 *       code under test; what the checks would say of such a run is not asked.
 *   R8  A throw of the scenario's own code is told as a crash of `scenario`, never as a pass.
 */
import { present } from "../../src/std/assert.ts";
import type { Finding } from "../checkers/checker.ts";
import type { FaultKind } from "../history/history.ts";
import {
  type ChoiceSource,
  describeFailure,
  ReplayDivergence,
  type RunEnd,
  type RunFailure,
  type SchedulePolicy,
  within,
} from "../kernel/index.ts";
import { profileNamed } from "../store/index.ts";
import type { Outcome, RunConfiguration, RunResult } from "./outcome.ts";
import type { Production, Scenario } from "./scenario.ts";
import { RunStage } from "./stage.ts";

export interface RunOptions {
  /** Nodes that the user asked for; absent: the scenario's own number. */
  readonly nodes?: number;
  /** How far behind the earliest event another one may be and still come first; absent: 0, strictly by time. */
  readonly slackMs?: number;
  /** Picks the next event in place of a plain draw among those within `slackMs`; serves one run. */
  readonly policy?: SchedulePolicy;
  /** Keeps each step for a comparison; slow. */
  readonly logSteps?: boolean;
  /** The store's profile, sound or broken, by its name; absent: a sound one, drawn. */
  readonly profile?: string;
}

/** What the checks said, and the outcome that follows. */
interface Ending {
  readonly outcome: Outcome;
  readonly checks: ReadonlyMap<string, number>;
}

function configurationOf({ nodes, profile }: RunOptions, slackMs: number): RunConfiguration {
  return {
    ...(nodes === undefined ? {} : { nodes }),
    ...(profile === undefined ? {} : { profile }),
    ...(slackMs === 0 ? {} : { slackMs }),
  };
}

const NO_CHECKS: ReadonlyMap<string, number> = new Map();

export async function runScenario(
  scenario: Scenario,
  source: ChoiceSource,
  options: RunOptions,
): Promise<RunResult> {
  const policy = options.policy ?? within(options.slackMs ?? 0);
  const stage = new RunStage({
    faults: scenario.faults,
    source,
    policy,
    logSteps: options.logSteps === true,
    profile:
      options.profile === undefined ? null : present(profileNamed(options.profile), "the store profile"),
    latency: scenario.latency ?? "fast",
  });
  const ending = await ended(stage, scenario, options);
  const { world, store } = stage;
  return {
    scenario: scenario.name,
    outcome: ending.outcome,
    fingerprint: world.fingerprint.digest(),
    draws: () => world.recorder.draws(),
    marks: world.recorder.marks,
    configuration: configurationOf(options, policy.slackMs),
    steps: world.stepLog,
    history: stage.history(),
    stats: {
      storeOps: store.operationCount,
      events: world.events,
      virtualMs: world.now(),
      faults: stage.faultCounts(),
      checks: ending.checks,
      profile: store.profile.name,
      kinds: stage.injector.kinds,
    },
  };
}

async function ended(stage: RunStage, scenario: Scenario, options: RunOptions): Promise<Ending> {
  try {
    const { world: simulation, store } = stage;
    const asked = options.nodes === undefined ? {} : { nodes: options.nodes };
    const strikes = (kind: FaultKind): boolean => stage.injector.strikes(kind);
    const production = scenario.build({ simulation, store, options: asked, strikes });
    stage.setClocks();
    return await phases(stage, production);
  } catch (error) {
    const diverged = error instanceof ReplayDivergence;
    const outcome = diverged ? divergenceOf(error) : crashOf("scenario", error);
    return { outcome, checks: NO_CHECKS };
  }
}

async function phases(stage: RunStage, production: Production): Promise<Ending> {
  const { world } = stage;
  const until = everyFew(() => production.finished());
  const stormy = await world.run({ until, deadlineMs: production.faultsUntilMs });
  if (stormy.kind === "failed") return failed(stormy.failure);
  stage.stopFaults();
  production.heal();
  const calm = await world.run({ until, deadlineMs: world.now() + production.settleWithinMs });
  if (calm.kind === "failed") return failed(calm.failure);
  if (calm.kind !== "finished" && !production.finished()) return stuck(stage, production, calm);
  const quiet = await world.run({ until: never, deadlineMs: world.now() + production.quietMs });
  if (quiet.kind === "failed") return failed(quiet.failure);
  const { violations, examined } = judge(production.check(stage.history()));
  const outcome: Outcome = violations.length === 0 ? { kind: "pass" } : { kind: "violation", violations };
  return { outcome, checks: examined };
}

const never = (): boolean => false;

/** Events between two looks at whether the workload is done: looking costs more than most events. */
const EVENTS_BETWEEN_LOOKS = 16;

function everyFew(ask: () => boolean): () => boolean {
  let asked = 0;
  return () => asked++ % EVENTS_BETWEEN_LOOKS === 0 && ask();
}

/** The checks are made all the same: a broken invariant often is why nothing goes on. */
function stuck(stage: RunStage, production: Production, end: RunEnd): Ending {
  const why =
    end.kind === "idle" ? "nothing is pending any more" : `not done ${production.settleWithinMs} ms later`;
  const { violations, examined } = judge(production.check(stage.history()));
  const waiting = `${why}; ${production.waiting()}`;
  return { outcome: { kind: "no-progress", waiting, violations }, checks: examined };
}

function judge(findings: ReadonlyMap<string, Finding>) {
  const examined = new Map<string, number>();
  const violations: Finding["violations"][number][] = [];
  for (const [name, finding] of findings) {
    examined.set(name, finding.examined);
    // Neither for nor against: told beside the facts that were examined, never among them.
    if (finding.undecided !== undefined) examined.set(`${name}, undecided`, finding.undecided);
    for (const violation of finding.violations) violations.push(violation);
  }
  return { violations, examined };
}

function failed(failure: RunFailure): Ending {
  return { outcome: outcomeOf(failure), checks: NO_CHECKS };
}

function outcomeOf(failure: RunFailure): Outcome {
  switch (failure.kind) {
    case "replay-divergence":
      return divergenceOf(failure.divergence);
    case "ambient": {
      const [first] = failure.violations;
      const { call, at, instead } = first ?? { call: "something real", at: "unknown", instead: "the ports" };
      return { kind: "escape", call, where: at, instead };
    }
    case "crash":
      return crashOf(failure.process ?? "harness", failure.error);
    case "livelock":
      return { kind: "no-progress", waiting: describeFailure(failure), violations: [] };
  }
}

/** Of a replay that asks for another draw than the recorded one, both sides. */
export function divergenceOf({ index, recorded, asked }: ReplayDivergence): Outcome {
  const was = recorded === null ? "the end of the record" : drawText(recorded.label, recorded.n);
  return { kind: "divergence", step: index, recorded: was, now: drawText(asked.label, asked.n) };
}

function drawText(label: string, n: number): string {
  return `a draw "${label}" of ${n}`;
}

function crashOf(process: string, error: unknown): Outcome {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return { kind: "crash", process, error: String(error), stack };
}
