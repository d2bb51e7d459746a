/**
 * Risk: something that only a node's memory held, so that a cold node makes something else of the same objects (I08).
 *
 * Runs under faults are cut at some moments, the objects of that moment are put into an empty store, and one node and
 * one worker that have never seen them go on, without faults. What they do has to be what the stored prefix says:
 * they perform exactly the steps that are not saved, under the same effect ids, each once, and every state is the
 * fold of the messages.
 */
import { describe, expect, test } from "vitest";
import { NO_FAULTS, type RunHistory, runScenario, type Scenario, SeedSource } from "../sim/index.ts";
import { catalog } from "./catalog.ts";
import { Decoder, type Records, type SegmentObject } from "./checkers/records.ts";
import { CONFIG } from "./engine-production.ts";
import { engineNode } from "./systems/engine-node.ts";
import { Hazards, NO_WORKER_HAZARDS } from "./systems/hazards.ts";
import { type Effect, Outside } from "./systems/outside.ts";
import { worker } from "./systems/worker.ts";
import { fold, readPayload, readState, stepKey } from "./workloads/handler.ts";

const SPACE = { tenant: CONFIG.tenant, graph: CONFIG.graph, epoch: String(CONFIG.epoch) };
const CUTS = [0.2, 0.4, 0.6, 0.8];
/** Time for everything that is left, leases that have to end included. */
const BOUND_MS = 1_000_000;

/** The bodies that were stored at a moment. */
function objectsAt(history: RunHistory, atMs: number): ReadonlyMap<string, string> {
  const objects = new Map<string, string>();
  for (const [key, chain] of history.chains)
    for (const { body, atMs: since } of chain) if (since <= atMs && body !== null) objects.set(key, body);
  return objects;
}

interface ColdRun {
  readonly outcome: string;
  readonly history: RunHistory;
  readonly effects: readonly Effect[];
}

async function goOn(objects: ReadonlyMap<string, string>): Promise<ColdRun> {
  const outside = new Outside();
  const scenario: Scenario = {
    name: "cold-start",
    claim: "",
    faults: NO_FAULTS,
    build({ simulation, store }) {
      for (const [key, body] of objects) store.plant(key, body);
      const hazards = new Hazards(simulation, NO_WORKER_HAZARDS, 1);
      const node = engineNode("cold-node", { simulation, store, config: CONFIG, hazards, aim: null });
      const hand = worker("cold-worker", { simulation, nodes: [node], outside, hazards, home: 0 });
      for (const process of [node, hand]) process.start();
      const done = (): boolean =>
        [...new Decoder(SPACE).decode({ ...EMPTY, chains: store.chains }).identities.values()].every(
          (chain) => {
            const head = chain.at(-1)?.value.turns.find(({ status }) => status !== "completed");
            return head === undefined || head.status === "failed";
          },
        );
      return {
        finished: done,
        waiting: () => "work that the cold node does not do",
        faultsUntilMs: BOUND_MS,
        settleWithinMs: BOUND_MS,
        quietMs: 2 * CONFIG.reconcile_ms,
        heal: () => undefined,
        check: () => new Map(),
      };
    },
  };
  const { outcome, history } = await runScenario(scenario, new SeedSource(1), { profile: "aws-s3" });
  return { outcome: outcome.kind, history, effects: outside.effects };
}

const EMPTY: RunHistory = {
  operations: [],
  chains: new Map(),
  calls: [],
  incidents: [],
  healedAtMs: null,
  endedAtMs: 0,
};

/** All turns of an instance, from history and from its identity. */
function turnsOf(id: string, records: Records) {
  const moved = [...records.segments.values()].flatMap((objects: readonly SegmentObject[]) =>
    objects.slice(-1),
  );
  const own = moved.filter(({ workflowId }) => workflowId === id).flatMap(({ content }) => content.turns);
  const here = records.identities.get(id)?.at(-1)?.value.turns ?? [];
  return new Map([...own, ...here].map((turn) => [turn.number, turn]));
}

/** What the cold processes did, and what they ought to have done. */
function compare(before: Records, initial: Records, cold: ColdRun): void {
  const after = new Decoder(SPACE).decode(cold.history);
  expect(after.unreadable).toEqual([]);
  for (const [id, chain] of before.identities) {
    const saved = turnsOf(id, before);
    const done: string[] = [];
    for (const [number, turn] of [...turnsOf(id, after)].sort(([a], [b]) => a - b)) {
      const payload = readPayload(turn.message);
      if (turn.status === "completed" && payload !== null) done.push(payload.name);
      const performed = cold.effects.filter((effect) => effect.workflowId === id && effect.turn === number);
      const from = saved.get(number)?.steps.length ?? 0;
      const due = turn.steps.slice(from).map((_, i) => stepKey(from + i));
      expect(performed.map(({ key }) => key)).toEqual(due);
      const scope = `${SPACE.tenant}/${SPACE.graph}/${SPACE.epoch}/${id}/${chain[0]?.value.incarnation}`;
      for (const { effectId, key } of performed)
        expect(effectId).toBe(`${scope}/${number}/${turn.message_id}/${key}`);
    }
    let state = readState(initial.identities.get(id)?.[0]?.value.state ?? null);
    for (const name of done) state = state && fold(state, name);
    expect(after.identities.get(id)?.at(-1)?.value.state).toEqual(state);
  }
}

describe("a cold node", () => {
  test.each(["everything", "crash-during-history-move", "two-node-handoff"])(
    "goes on from any moment of %s as the stored prefix says",
    async (name) => {
      const scenario = catalog.find((one) => one.name === name);
      for (let seed = 1; seed <= 3 && scenario !== undefined; seed++) {
        const { history } = await runScenario(scenario, new SeedSource(seed), {});
        const initial = new Decoder(SPACE).decode(history);
        const lastMs = Math.max(...history.operations.map(({ appliedAtMs }) => appliedAtMs ?? 0));
        for (const cut of CUTS) {
          const objects = objectsAt(history, Math.trunc(cut * lastMs));
          const cold = await goOn(objects);
          expect(cold.outcome).toBe("pass");
          const chains = new Map(
            [...cold.history.chains].map(([key, chain]) => [
              key,
              chain.filter((v) => v.operation.process === "harness"),
            ]),
          );
          compare(new Decoder(SPACE).decode({ ...EMPTY, chains }), initial, cold);
        }
      }
    },
    60_000,
  );
});
