/**
 * Makes an exploration: a scene of the real engine so small that all its orders can be run.
 *
 * A scene has one instance, two or three nodes and a few actors, each of which does one thing. A prologue brings the
 * instance to where the scene begins; it is not searched.
 *
 *   E1  nodes do not sweep by themselves; a scene that wants a pass of the sweeper has an actor that asks for one;
 *   E2  the scene begins at `SCENE_MS`: all its actors wake then, so everything they do is under way at once;
 *   E3  a scene that is about one write to the identity is `settled` when every node knows who made it;
 *   E4  it is done when every actor has ended. Then a further node and worker (`closer`) finish what was left open, and
 *       all checkers look at the whole run.
 */
import {
  EPOCH_MS,
  type Exploration,
  type FaultPlan,
  type Finding,
  type RunHistory,
  type SearchedProduction,
  STORE_CHECKERS,
  type Stage,
} from "../../sim/index.ts";
import type { EngineConfig } from "../../src/index.ts";
import { Facts } from "../checkers/facts.ts";
import { ENGINE_CHECKERS } from "../checkers/index.ts";
import { CONFIG } from "../engine-production.ts";
import { Scene, type SceneSetting } from "./scene.ts";

/** When the scene begins, virtual milliseconds. */
const SCENE_MS = 5_000;
/** Later than any scene ends: callers wait some ten seconds for an answer, and ask a few times. */
const ENDS_MS = 10 * 60_000;

export interface ScenePlan extends SceneSetting {
  readonly name: string;
  readonly claim: string;
  /** Declares the actors of the prologue and of the scene. */
  readonly cast: (scene: Scene) => void;
  /** Absent: everything that the actors do is searched. */
  readonly settled?: (scene: Scene) => boolean;
}

/** Every outcome that an operation can have, and every point at which a node can crash. */
const OUTCOMES: FaultPlan = {
  rates: {
    "F01-lost-answer": 1,
    "F02-lost-request": 1,
    "F03-late-write": 1,
    "N01-crash": 1,
    "H01-lost-call": 1,
    "H02-lost-reply": 1,
  },
  outcomes: true,
  lateByMs: 60_000,
  skewMs: 0,
  downMs: 0,
};
/** The closer looks often, so that the end of a run is short. */
const CLOSER: EngineConfig = { ...CONFIG, reconcile_ms: 2_000 };
const SLACK_MS = 5_000;
const SPACE = { tenant: CONFIG.tenant, graph: CONFIG.graph, epoch: String(CONFIG.epoch) };

const INVARIANTS: ReadonlyMap<string, string> = new Map(
  [...STORE_CHECKERS, ...ENGINE_CHECKERS].map(({ name, statement }) => [name, statement]),
);

export function rehearse(plan: ScenePlan): Exploration {
  const { name, claim } = plan;
  return {
    name: `explore-${name}`,
    claim,
    faults: OUTCOMES,
    invariants: INVARIANTS,
    build: (stage) => produce(plan, stage),
  };
}

function produce(plan: ScenePlan, stage: Stage): SearchedProduction {
  const scene = new Scene(stage, plan, SPACE, CONFIG, SCENE_MS);
  plan.cast(scene);
  scene.start();
  return {
    begun: () => stage.simulation.now() >= SCENE_MS,
    done: () => scene.done(),
    settled: () => plan.settled?.(scene) ?? false,
    finished: () => scene.finished(),
    waiting: () => scene.waiting(),
    faultsUntilMs: ENDS_MS,
    settleWithinMs: 5 * 60_000,
    quietMs: 2 * CLOSER.reconcile_ms + SLACK_MS,
    heal: () => scene.close(CLOSER),
    check(history: RunHistory): ReadonlyMap<string, Finding> {
      const findings = new Map<string, Finding>();
      for (const checker of STORE_CHECKERS) findings.set(checker.name, checker.check(history, null));
      const { effects } = scene.outside;
      const hiddenWithinMs = CLOSER.reconcile_ms + SLACK_MS;
      const { workload } = plan;
      const setup = { space: SPACE, workload, effects, damaged: [], epochMs: EPOCH_MS, hiddenWithinMs };
      const facts = new Facts(history, setup, scene.decoder);
      for (const checker of ENGINE_CHECKERS) findings.set(checker.name, checker.check(history, facts));
      return findings;
    },
  };
}
