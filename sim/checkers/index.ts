/**
 * What a checker is, and the checkers that know nothing of the system under test.
 */
import type { Checker } from "./checker.ts";
import { storeChains } from "./store-chains.ts";
import { storeOutcomes } from "./store-outcomes.ts";

export type { Checker, Finding, Violation } from "./checker.ts";

/** Hold the store and its record, in any scenario. */
export const STORE_CHECKERS: readonly Checker<unknown>[] = [storeOutcomes, storeChains];
