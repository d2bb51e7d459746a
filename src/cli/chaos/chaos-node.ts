/**
 * A server of a chaos run: what `baton serve` starts, over a store that records and strikes, with the run's own clock.
 *
 * The engine is the one of this package or one with a planted bug in it; everything around it is the product's own.
 * Says `ready` when it serves. SIGTERM ends it in good order.
 */

import { plantedBugs } from "../../../scenarios/canaries/index.ts";
import { RecordingStore, SeededStrikes, seedOf } from "../../../scenarios/chaos/index.ts";
import { loadWithEdit } from "../../../sim/index.ts";
import { AppendLog } from "../../adapters/append-log.ts";
import { RunClock } from "../../adapters/run-clock.ts";
import { createNode } from "../../index.ts";
import { present } from "../../std/assert.ts";
import { openStore } from "../serve/open-store.ts";
import { settingsOf } from "../serve/serve-options.ts";
import { startServer } from "../serve/serve-process.ts";
import { type NodeOrder, readOrder, whenTold } from "./chaos-orders.ts";

/** The store could not be opened now: the start is to be repeated. */
const TRY_AGAIN = 75;

/** The engine with the bug in it; null: as it is. */
async function engineOf(plant: string | null): Promise<typeof createNode> {
  if (plant === null) return createNode;
  const bug = present(
    plantedBugs.find(({ name }) => name === plant),
    `the planted bug ${plant}`,
  );
  const planted = await loadWithEdit("src/engine/node.ts", bug);
  return (planted as { createNode: typeof createNode }).createNode; // The module is that very file, edited in one place.
}

async function main(order: NodeOrder): Promise<void> {
  const { name, incarnation, run, seed, rates, port, graph, pollMs, reconcileMs } = order;
  const clock = new RunClock(run, order.clock);
  const file = new AppendLog(order.log);
  const log = { nowMs: () => clock.nowMs(), write: (line: object) => file.write(line) };
  const strikes = new SeededStrikes(seedOf(seed, name, incarnation), rates, whenTold(order.window, clock));
  const opened = await openStore(order.store, process.cwd());
  if (!opened.ok) {
    process.stderr.write(`${opened.error.message}\n`);
    process.exit(TRY_AGAIN);
  }
  const die = () => process.kill(process.pid, "SIGKILL");
  const store = new RecordingStore({ store: opened.value.store, log, clock, strikes, die });
  const options = { pollMs: String(pollMs), reconcileMs: String(reconcileMs), log: "error", stopMs: "5000" };
  const settings = settingsOf({ ...options, graph, bind: `127.0.0.1:${port}` }, {});
  const parts = { clock, createNode: await engineOf(order.plant) };
  const started = await startServer(
    settings,
    { ...opened.value, store },
    "0.0.0",
    (line) => process.stderr.write(line),
    parts,
  );
  if (!started.ok) {
    process.stderr.write(`${started.error}\n`);
    process.exit(TRY_AGAIN);
  }
  process.stdout.write("ready\n");
  process.once("SIGTERM", () => {
    void started.value.stop().then(() => process.exit(0));
  });
}

await main(readOrder<NodeOrder>());
