/**
 * The engine's start-up probe in a process of its own, over a simulated store without faults.
 */
import { NO_STORE_FAULTS, SeedSource, SimulatedStore, type StoreProfile, World } from "../../sim/index.ts";
import { type ProbeReport, probeStore } from "../../src/index.ts";
import { present } from "../../src/std/assert.ts";

const DEADLINE_MS = 120_000;

/** What the probe says of a store, and the keys that it left there. */
export async function probeRun(
  profile: StoreProfile,
  seed: number,
): Promise<{ readonly report: ProbeReport; readonly left: readonly string[] }> {
  const world = new World({ source: new SeedSource(seed) });
  const store = new SimulatedStore(world, { faults: NO_STORE_FAULTS, profile });
  const reports: ProbeReport[] = [];
  const process = world.process<null>("probe", async (context) => {
    const { clock, ids } = context;
    reports.push(await probeStore({ store: store.client(context), clock, ids }, "probe/"));
  });
  process.start();
  await world.run({ until: () => reports.length > 0, deadlineMs: DEADLINE_MS });
  const left = [...store.chains.keys()].filter((key) => store.object(key) !== null);
  return { report: present(reports[0], "the probe's report"), left };
}
