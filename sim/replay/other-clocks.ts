/**
 * A run made again with other clocks: the same schedule and the same choices as far as the code asks for them, and
 * each process's wall clock off by another amount (catalogue I22).
 *
 *   O1  where the run had clocks that were off, variant k gives each process the offset of the k-th one after it, with
 *       the sign turned for odd k; where it had none, offsets are drawn from the variant's own seed, up to
 *       `OFFSET_MS` in both directions, which is more than any lease in a scenario.
 *   O2  everything else is guided by the record. Code that asks otherwise because of its clock is answered as the
 *       guide answers changed code: by the next recorded value of the same label, and 0 behind the end.
 *
 * Safety must hold in every such run; whether work gets done in time may depend on clocks, so that is not asked here.
 */
import { type Draw, SeedSource } from "../kernel/index.ts";
import { type RunOptions, type RunResult, runScenario, type Scenario } from "../runner/index.ts";
import { GuidedSource } from "./guided-source.ts";
import { streamsOf } from "./streams.ts";

const SKEW = "clock-skew";
const OFFSET_MS = 60_000;
/** More processes than any scenario has. */
const PROCESSES = 32;

export async function runWithOtherClocks(
  scenario: Scenario,
  draws: readonly Draw[],
  variant: number,
  options: RunOptions,
): Promise<RunResult> {
  const streams = new Map(streamsOf(draws));
  const recorded = streams.get(SKEW) ?? [];
  const isOff = recorded.some((value) => value !== 0);
  streams.set(SKEW, isOff ? permuted(recorded, variant) : fresh(variant));
  const { faults } = scenario;
  const skewed =
    isOff || faults.skewMs > 0 ? scenario : { ...scenario, faults: { ...faults, skewMs: OFFSET_MS } };
  return runScenario(skewed, new GuidedSource(streams), options);
}

/** O1. A value 2k - 1 means k milliseconds ahead, 2k as much behind, 0 a clock that is right. */
function permuted(values: readonly number[], variant: number): readonly number[] {
  return values.map((_, i) => {
    const value = values[(i + variant) % values.length] ?? 0;
    if (variant % 2 === 0 || value === 0) return value;
    return value % 2 === 1 ? value + 1 : value - 1;
  });
}

function fresh(variant: number): readonly number[] {
  const source = new SeedSource(variant);
  return Array.from({ length: PROCESSES }, () => source.choose(2 * OFFSET_MS + 1, SKEW));
}
