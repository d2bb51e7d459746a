/**
 * The planted bugs: one-place edits of the engine's, the worker's and the server's source that the checkers must see.
 *
 * Owns the list. The mechanism, and the rule that an edit which no longer applies fails, are in `sim/canaries`.
 */
import type { PlantedBug } from "../../sim/index.ts";
import { AMBIENT } from "./ambient.ts";
import { ATTEMPTS } from "./attempts.ts";
import { BOUNDS } from "./bounds.ts";
import { CONTROLS } from "./controls.ts";
import { CORE } from "./core.ts";
import { FAMILIES } from "./families.ts";
import { HANDOFF } from "./handoff.ts";
import { LIFETIMES } from "./lifetimes.ts";
import { MOVES } from "./moves.ts";
import { SAVINGS } from "./savings.ts";
import { SHARDS } from "./shards.ts";
import { WAITS } from "./waits.ts";
import { WORKER } from "./worker.ts";
import { WORKER_SAVINGS } from "./worker-savings.ts";
import { WRITES } from "./writes.ts";

export const plantedBugs: readonly PlantedBug[] = [
  ...CORE,
  ...WRITES,
  ...ATTEMPTS,
  ...WAITS,
  ...CONTROLS,
  ...MOVES,
  ...FAMILIES,
  ...HANDOFF,
  ...SAVINGS,
  ...SHARDS,
  ...LIFETIMES,
  ...BOUNDS,
  ...WORKER,
  ...WORKER_SAVINGS,
  ...AMBIENT,
];
