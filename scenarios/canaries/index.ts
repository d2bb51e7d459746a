/**
 * The planted bugs: one-place edits of the engine's source that the checkers must see.
 *
 * Owns the list. The mechanism, and the rule that an edit which no longer applies fails, are in `sim/canaries`.
 */
import type { PlantedBug } from "../../sim/index.ts";
import { AMBIENT } from "./ambient.ts";
import { CORE } from "./core.ts";

export const plantedBugs: readonly PlantedBug[] = [...CORE, ...AMBIENT];
