/**
 * Percentiles of the time that requests take one after the other, by a latency model: exact, with nothing drawn.
 *
 *   L1  the times of the requests are independent, and each is spread as the model says for its kind; so the chances of a
 *       sum are the convolution of theirs.
 *   L2  the order of the requests does not matter, so chains with as many of each kind are one.
 */
import { chancesOf, type Spread, type StoreLatency, type StoreOperation, spreadOf } from "../sim/index.ts";
import { present } from "../src/std/assert.ts";

/** By whole milliseconds, from 0 on. */
type Chances = Float64Array;

const NO_TIME: Chances = Float64Array.of(1);

/** The times below which these shares of the chains lie, whole milliseconds. */
export function percentilesOf(
  chains: readonly (readonly Pick<StoreOperation, "kind" | "condition">[])[],
  latency: StoreLatency,
  shares: readonly number[],
): readonly number[] {
  const sums = new Sums();
  const all: number[] = [];
  for (const { counts, times } of alike(chains, latency))
    for (const [ms, chance] of sums.of(counts).entries())
      all[ms] = (all[ms] ?? 0) + (chance * times) / chains.length;
  return shares.map((share) => timeBelow(all, share));
}

function timeBelow(chances: readonly (number | undefined)[], share: number): number {
  let below = 0;
  for (let ms = 0; ms < chances.length; ms++) {
    below += chances[ms] ?? 0;
    if (below >= share) return ms;
  }
  return chances.length - 1;
}

/** L2. */
interface Alike {
  /** Requests of each spread. */
  readonly counts: ReadonlyMap<Spread, number>;
  /** Chains that have just these. */
  times: number;
}

function alike(
  chains: readonly (readonly Pick<StoreOperation, "kind" | "condition">[])[],
  latency: StoreLatency,
): Iterable<Alike> {
  const spreads = [latency.getMs, latency.createMs, latency.replaceMs, latency.listMs];
  const known = new Map<string, Alike>();
  for (const chain of chains) {
    const counts = new Map(spreads.map((spread) => [spread, 0]));
    for (const request of chain) {
      const spread = spreadOf(latency, request);
      counts.set(spread, (counts.get(spread) ?? 0) + 1);
    }
    const key = [...counts.values()].join();
    const same = known.get(key);
    if (same === undefined) known.set(key, { counts, times: 1 });
    else same.times++;
  }
  return known.values();
}

/** Sums of one model; those of many requests are built from those of fewer. */
class Sums {
  readonly #powers = new Map<Spread, Chances[]>();

  of(counts: ReadonlyMap<Spread, number>): Chances {
    let sum = NO_TIME;
    for (const [spread, requests] of counts) sum = convolved(sum, this.#power(spread, requests));
    return sum;
  }

  #power(spread: Spread, requests: number): Chances {
    let powers = this.#powers.get(spread);
    if (powers === undefined) {
      powers = [NO_TIME, Float64Array.from(chancesOf(spread))];
      this.#powers.set(spread, powers);
    }
    const one = present(powers[1], "the first power");
    while (powers.length <= requests) powers.push(convolved(present(powers.at(-1), "a power"), one));
    return present(powers[requests], "a power");
  }
}

/** L1. */
function convolved(some: Chances, others: Chances): Chances {
  const sum = new Float64Array(some.length + others.length - 1);
  for (const [a, chance] of some.entries()) {
    if (chance === 0) continue;
    for (let b = 0; b < others.length; b++) sum[a + b] = (sum[a + b] ?? 0) + chance * (others[b] ?? 0);
  }
  return sum;
}
