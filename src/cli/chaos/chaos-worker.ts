/**
 * A worker of a chaos run, in a process of its own: the product's, or one made by hand. Says `ready` when it begins to
 * claim; SIGTERM ends it.
 *
 *   K1  every request to a server, and every effect, is in the log before it happens.
 *   K2  what workers do outside is counted in files that outlive them, so a turn is turned away as often as was planned,
 *       whoever had it.
 */
import { openSync } from "node:fs";
import { join } from "node:path";
import {
  type ChaosLog,
  HttpEngine,
  LoggedHttp,
  LoggedOutside,
  realOrders,
  seedOf,
  startHandWorker,
  type World,
} from "../../../scenarios/chaos/index.ts";
import { SeedSource } from "../../../sim/index.ts";
import { AppendLog } from "../../adapters/append-log.ts";
import { NetworkHttp } from "../../adapters/http-client.ts";
import { RunClock } from "../../adapters/run-clock.ts";
import { SYSTEM_IDS } from "../../adapters/system-ports.ts";
import { BatonClient } from "../../client/index.ts";
import { WorkflowWorker } from "../../workflow/index.ts";
import { readOrder, type WorkerOrder, whenTold } from "./chaos-orders.ts";

/** Turns that are held at a stop have so long to end. */
const DRAIN_MS = 3_000;

/** Files that can be made once count what all workers did, whoever dies. */
function worldIn(folder: string): World {
  return {
    turnsAway(workflowId, turn, times) {
      for (let n = 1; n <= times; n++) {
        try {
          openSync(join(folder, `away-${workflowId}-${turn}-${n}`), "wx");
          return true;
        } catch {
          // Somebody was turned away this time before.
        }
      }
      return false;
    },
  };
}

/** The simulation's own worker: makes mistakes that a good one does not. */
function byHand(order: WorkerOrder, bench: Bench): void {
  const { name, graph, nodes, versions } = order;
  const { clock, log, choices, world, home } = bench;
  const outside = new LoggedOutside(log, world);
  const engines = nodes.map((node) => [node.name, new HttpEngine(new NetworkHttp(node.url), graph)] as const);
  const crashed = (process: string, error: unknown) => {
    throw new Error(`${process} failed`, { cause: error });
  };
  const ports = { choices, clock, ids: SYSTEM_IDS, logOf: () => log, crashed };
  startHandWorker({ name, version: versions[0] ?? "v1", engines, home }, ports, outside);
  process.once("SIGTERM", () => process.exit(0));
}

/** The product's worker over the product's client. */
function asProduct(order: WorkerOrder, bench: Bench): void {
  const { name, graph, nodes, versions, concurrency } = order;
  const { clock, log, choices, world, home } = bench;
  const random = { below: (n: number, label: string) => choices.choose(n, label) };
  const servers = nodes.map((node) => [node.name, new NetworkHttp(node.url)] as const);
  const striking = whenTold(order.window, clock);
  const loses = () => striking() && choices.choose(1_000, "chaos-lost-answer") < order.lostAnswers;
  const http = new LoggedHttp(servers, home, log, loses);
  const client = new BatonClient({ http, clock, random, graph });
  const workflows = versions.map((version) => realOrders(version, { worker: name, clock, log, world }));
  const worker = new WorkflowWorker(client, workflows, { worker: name, concurrency, drainMs: DRAIN_MS });
  process.on("SIGTERM", () => worker.stop());
  void worker.run().then(() => process.exit(0));
}

interface Bench {
  readonly clock: RunClock;
  readonly log: ChaosLog;
  readonly choices: SeedSource;
  readonly world: World;
  readonly home: number;
}

function main(order: WorkerOrder): void {
  const { name, incarnation, run, seed } = order;
  const clock = new RunClock(run, order.clock);
  const file = new AppendLog(order.log);
  const log = { nowMs: () => clock.nowMs(), write: (line: object) => file.write(line) };
  const choices = new SeedSource(seedOf(seed, name, incarnation));
  const bench = { clock, log, choices, world: worldIn(order.outside), home: Number(name.replace(/\D/g, "")) };
  if (order.byHand) byHand(order, bench);
  else asProduct(order, bench);
  process.stdout.write("ready\n");
}

main(readOrder<WorkerOrder>());
