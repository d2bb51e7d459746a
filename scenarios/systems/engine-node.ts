/**
 * The real engine as a process: a node that serves calls over the simulated store and sweeps in the background.
 */

import type { Process, ProcessContext, SimulatedStore, Simulation, Stage } from "../../sim/index.ts";
import { type Caller, createNode, type Engine, type EngineConfig, keepReconciled } from "../../src/index.ts";
import { type ObjectStore, SILENT } from "../../src/ports/index.ts";
import { type AimedFaults, AimedStore } from "./aimed-faults.ts";
import type { Hazards } from "./hazards.ts";
import { type Booted, NodeShell } from "./node-shell.ts";

export interface NodeSetup {
  readonly simulation: Simulation;
  readonly store: SimulatedStore;
  readonly config: EngineConfig;
  readonly hazards: Hazards;
  readonly aim: AimedFaults | null;
  /** Whether a fault of the node's memory strikes now; absent: never. */
  readonly strikes?: Stage["strikes"];
  /** Whom it takes its callers for; absent: for ordinary ones. */
  readonly caller?: Caller;
}

export function engineNode(name: string, setup: NodeSetup): Process<Engine> {
  const { simulation, config } = setup;
  const node: Process<Engine> = simulation.process<Engine>(name, async (context, serve) => {
    const { clock, ids, random } = context;
    const store = storeOf(context, setup, () => node);
    const boot = (): Booted => {
      const booted = createNode({ store, clock, ids, random, trace: SILENT }, config);
      return { engine: setup.caller === undefined ? booted : booted.as(setup.caller), node: booted };
    };
    const shell = new NodeShell(boot, () => context.alive && setup.strikes?.("N07-drop-hint") === true);
    serve(shell, () => shell.stop());
    await keepReconciled(shell, clock, config.reconcile_ms);
  });
  return node;
}

function storeOf(context: ProcessContext, setup: NodeSetup, node: () => Process<Engine>): ObjectStore {
  const client = setup.store.client(context);
  if (setup.aim === null) return client;
  return new AimedStore(client, setup.aim, setup.hazards, setup.simulation, context, node);
}
