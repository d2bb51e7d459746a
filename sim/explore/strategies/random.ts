/**
 * Uniform random search: events strictly by time, ties by a draw. Orders vary because latencies do.
 */
import { SeedSource, TIMED } from "../../kernel/index.ts";
import type { Strategy } from "./strategy.ts";

export const RANDOM: Strategy = {
  name: "random",
  about: "events by their drawn times; an order is as likely as the latencies make it",
  begin: (seed) => ({ source: new SeedSource(seed), policy: TIMED }),
};
