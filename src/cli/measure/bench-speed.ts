/**
 * The noisy part of a record: processor time of one turn, and of one simulated request, on this machine.
 *
 *   T1  tinybench warms up, takes samples and says how sure it is; nothing is left out of its samples.
 *   T2  a figure is told with its margin and its machine, and is never part of the gate.
 *   T3  where tinybench is not installed there is no noisy part: it is for who works on this project.
 */
import { arch, cpus, platform } from "node:os";
import type { NoisyFigure, ProcessorTime } from "../../../ledger/index.ts";
import type { MeasuredScenario } from "../../../scenarios/index.ts";
import { runScenario, SeedSource } from "../../../sim/index.ts";
import { MemoryStore } from "../../adapters/memory-store.ts";
import { createNode, DEFAULT_CONFIG } from "../../index.ts";
import { present } from "../../std/assert.ts";
import { cpuMs, engineTurns, TURNS_PER_SAMPLE } from "./engine-turns.ts";

const SAMPLES = 30;
const WARM_UP = 8;

/** Null: tinybench is not there (T3). `simulated` is the run whose requests are timed. */
export async function processorTime(simulated: MeasuredScenario): Promise<ProcessorTime | null> {
  const tinybench = await import("tinybench").catch(() => null);
  if (tinybench === null) return null;
  const bench = new tinybench.Bench({
    iterations: SAMPLES,
    time: 0,
    warmupIterations: WARM_UP,
    warmupTime: 0,
    now: cpuMs,
  });
  // The names of the ports are the same; what they hold is this commit's.
  const turns = await engineTurns({
    createNode: (ports, config) => anyNode(ports, config),
    DEFAULT_CONFIG,
    MemoryStore,
  });
  let requests = 1;
  const run = async (): Promise<void> => {
    const { stats } = await runScenario(simulated.scenario, new SeedSource(1), { profile: "aws-s3" });
    requests = stats.storeOps;
  };
  bench.add("turn", turns);
  bench.add("operation", run);
  await bench.run();
  const figure = (name: string, of: number): NoisyFigure => {
    const result = present(bench.getTask(name), "the task").result;
    if (!("latency" in result)) throw new Error(`${name} was not timed: ${result.state}`);
    const { mean, moe, samplesCount } = result.latency;
    return { mean_us: micros(mean, of), margin_us: micros(moe, of), samples: samplesCount, warm_up: WARM_UP };
  };
  const machine = `${cpus()[0]?.model ?? "unknown"} ×${cpus().length}, ${platform()} ${arch()}, Node ${process.version}`;
  return { machine, turn: figure("turn", TURNS_PER_SAMPLE), operation: figure("operation", requests) };
}

function anyNode(...[ports, config]: [object, object]) {
  return Reflect.apply(createNode, null, [ports, config]);
}

/** Milliseconds of a sample as microseconds of one of its parts. */
function micros(ms: number, of: number): number {
  return Math.round((ms * 1e6) / of) / 1_000;
}
