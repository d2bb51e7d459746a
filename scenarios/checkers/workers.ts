/**
 * The checkers of whoever speaks HTTP: workers, clients and servers. They run where that is spoken.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";

export const WORKER_CHECKERS: readonly Checker<Facts>[] = [];
