/**
 * Tiny systems for the tests of the search: processes that do a few things with a store, one after the other.
 *
 *   T1  a toy is searched from its start until all its parts have ended;
 *   T2  a part has no memory but its own, so what it does depends on the answers that it got and on nothing else.
 */
import type { ObjectStore } from "../../../src/ports/object-store.ts";
import { type FaultPlan, NO_FAULTS } from "../../faults/index.ts";
import type { ProcessContext } from "../../kernel/index.ts";
import type { Production, Stage } from "../../runner/index.ts";
import type { Exploration } from "./exploration.ts";

/** What one process does; it is over when the promise is settled. */
export type Part = (store: ObjectStore, context: ProcessContext, stage: Stage) => Promise<void>;

/** Each part as a process `p1`, `p2` …; done when all have ended. A part that crashed begins anew. */
export function toy(
  parts: readonly Part[],
  check: Production["check"] = () => new Map(),
  faults: FaultPlan = NO_FAULTS,
): Exploration {
  return {
    name: "toy",
    claim: "parts end",
    faults,
    build(stage) {
      const ended = new Set<string>();
      const processes = parts.map((part, i) =>
        stage.simulation.process<null>(`p${i + 1}`, async (context) => {
          await part(stage.store.client(context), context, stage);
          ended.add(context.name);
        }),
      );
      for (const process of processes) process.start();
      let healed = false;
      return {
        begun: () => true,
        done: () => ended.size === parts.length,
        finished: () => healed && ended.size === parts.length,
        waiting: () => "a part has not ended",
        faultsUntilMs: 100_000,
        settleWithinMs: 10_000,
        quietMs: 10,
        heal() {
          healed = true;
          for (const process of processes) if (!process.running) process.start();
        },
        check,
      };
    },
  };
}

/** Puts, unconditionally, to these keys in turn. */
export const puts =
  (...keys: readonly string[]): Part =>
  async (store, context) => {
    for (const key of keys) await store.put(key, `${context.name} ${key}`, { kind: "none" });
  };

/** Reads these keys in turn. */
export const gets =
  (...keys: readonly string[]): Part =>
  async (store) => {
    for (const key of keys) await store.get(key);
  };
