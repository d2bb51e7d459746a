/**
 * The checkers of scenarios with a system of their own: those of the engine that need to know neither a workload nor how
 * many lives an instance has.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { writeOrder } from "./i02-write-order.ts";
import { tokensUnique } from "./i03-tokens-unique.ts";
import { noLostUpdate } from "./i05-no-lost-update.ts";
import { turnNumbers } from "./i07-turn-numbers.ts";
import { gcSafe } from "./i15-gc-safe.ts";
import { reserved } from "./i26-reserved.ts";
import { budget } from "./i27-budget.ts";

export const ALWAYS_CHECKERS: readonly Checker<Facts>[] = [
  writeOrder,
  tokensUnique,
  noLostUpdate,
  turnNumbers,
  gcSafe,
];

/** Those that only these scenarios run. */
export const OWN_CHECKERS: readonly Checker<Facts>[] = [reserved, budget];
