/**
 * Tiny scenarios for tests of the runner, the replay and the command line: one for each way a run can end. Only
 * tests use it.
 */
import { NO_FAULTS } from "../faults/index.ts";
import type { ProcessContext } from "../kernel/index.ts";
import type { Production, Scenario, Stage } from "./scenario.ts";

/** One process that does this and then is done; `done` by its own word. */
export function scenarioOf(
  name: string,
  work: (context: ProcessContext, stage: Stage) => Promise<void>,
  changes: Partial<Scenario> & { readonly production?: Partial<Production> } = {},
): Scenario {
  const { production, ...rest } = changes;
  return {
    name,
    claim: `claims of ${name}`,
    faults: NO_FAULTS,
    build(stage) {
      let done = false;
      const worker = stage.simulation.process<null>("worker", async (context) => {
        await work(context, stage);
        done = true;
      });
      worker.start();
      return {
        finished: () => done,
        waiting: () => "the worker is not done",
        faultsUntilMs: 1_000,
        settleWithinMs: 1_000,
        quietMs: 10,
        heal: () => (worker.running ? worker.resume() : worker.start()),
        check: (history) => new Map([["I00-ops", { examined: history.operations.length, violations: [] }]]),
        ...production,
      };
    },
    ...rest,
  };
}

/** Writes a few objects, with pauses drawn between. */
export const writes = scenarioOf("writes", async (context, stage) => {
  const store = stage.store.client(context);
  for (let i = 0; i < 5; i++) {
    await store.put(`key-${i % 2}`, `body ${i}`, { kind: "none" });
    await context.clock.sleep(1 + context.random.below(20, "pause"));
  }
});

/** Breaks an invariant of its own. */
export const breaks = scenarioOf(
  "breaks",
  async (context, stage) => {
    await stage.store.client(context).put("key-0", "body", { kind: "if-absent" });
    await context.clock.sleep(1 + context.random.below(20, "pause"));
  },
  {
    invariants: new Map([["I00-broken", "nothing is written to key-0"]]),
    production: {
      check: () => {
        const violation = { invariant: "I00-broken", message: "key-0 was written", key: "key-0", atMs: 5 };
        return new Map([["I00-broken", { examined: 1, violations: [violation] }]]);
      },
    },
  },
);

/** Waits for what never comes. */
export const hangs = scenarioOf("hangs", () => new Promise(() => undefined));

/** Throws where nobody catches. */
export const throws = scenarioOf("throws", async (context) => {
  await context.clock.sleep(3);
  throw new Error("out of cheese");
});

/** Uses what the call under test gives, which is to be something real. */
export function escapesBy(call: () => number): Scenario {
  return scenarioOf("escapes", async (context) => context.clock.sleep(call() % 2));
}

let unsteadyRuns = 0;
/** Does something else in each run of the process. */
export const unsteady = scenarioOf("unsteady", async (context) => {
  await context.clock.sleep(5);
  unsteadyRuns++;
  await context.clock.sleep(unsteadyRuns);
});
