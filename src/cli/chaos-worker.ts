/**
 * A worker of a chaos run, in a process of its own. Says `ready` when it begins to claim; SIGTERM ends it.
 */
import { openSync } from "node:fs";
import { join } from "node:path";
import {
  HttpEngine,
  LoggedOutside,
  seedOf,
  startHandWorker,
  type World,
} from "../../scenarios/chaos/index.ts";
import { SeedSource } from "../../sim/index.ts";
import { AppendLog } from "../adapters/append-log.ts";
import { RunClock } from "../adapters/run-clock.ts";
import { SYSTEM_IDS } from "../adapters/system-ports.ts";
import { fetchClient } from "./chaos-fetch.ts";
import { readOrder, type WorkerOrder } from "./chaos-orders.ts";

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

function main(order: WorkerOrder): void {
  const { name, incarnation, run, seed, graph, nodes, versions } = order;
  const clock = new RunClock(run, order.clock);
  const file = new AppendLog(order.log);
  const log = { nowMs: () => clock.nowMs(), write: (line: object) => file.write(line) };
  const outside = new LoggedOutside(log, worldIn(order.outside));
  const choices = new SeedSource(seedOf(seed, name, incarnation));
  const engines = nodes.map((node) => [node.name, new HttpEngine(fetchClient(node.url), graph)] as const);
  const ports = {
    choices,
    clock,
    ids: SYSTEM_IDS,
    logOf: () => log,
    crashed: (process: string, error: unknown) => {
      throw new Error(`${process} failed`, { cause: error });
    },
  };
  const home = Number(name.replace(/\D/g, ""));
  startHandWorker({ name, version: versions[0] ?? "v1", engines, home }, ports, outside);
  process.stdout.write("ready\n");
  process.once("SIGTERM", () => {
    outside.closed = true;
    process.exit(0);
  });
}

main(readOrder<WorkerOrder>());
