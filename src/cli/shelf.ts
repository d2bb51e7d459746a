/**
 * What the command line works with: the catalogue of scenarios, the planted bugs, and how to load a bug.
 *
 * `packageShelf` is the one of this package; tests give small ones. This is the only file of the command line that
 * knows where scenarios come from.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plantedBugs } from "../../scenarios/canaries/index.ts";
import { catalog, explorations } from "../../scenarios/index.ts";
import {
  codeHash,
  type Exploration,
  loadWithEdit,
  PlantError,
  type PlantedBug,
  packageRoot,
  type Scenario,
} from "../../sim/index.ts";
import { isJsonObject, parseJson } from "../std/json.ts";
import { UsageError } from "./terminal/arguments.ts";

export interface Shelf {
  readonly catalog: readonly Scenario[];
  /** Scenes small enough to be run in all their orders. */
  readonly explorations: readonly Exploration[];
  readonly bugs: readonly PlantedBug[];
  /** The catalogue with this bug in the code under test. */
  loadPlanted(bug: PlantedBug): Promise<readonly Scenario[]>;
  /** The explorations with this bug in the code under test. */
  loadPlantedExplorations(bug: PlantedBug): Promise<readonly Exploration[]>;
  /** Which code hunts for planted bugs load, the edit of the bug apart; another one when the sources have changed. */
  codeHash(): Promise<string>;
  /** The folder of the runs that are replayed in front of every campaign. */
  readonly pinnedFolder: string;
  readonly version: string;
}

/** The entry that bugs are planted below, from the root of the package. */
const ENTRY = "scenarios/index.ts";
/** What hunts below it. */
const HUNTERS = "src/cli/mutants/hunters.ts";

export function packageShelf(): Shelf {
  const root = packageRoot();
  return {
    catalog,
    explorations,
    bugs: plantedBugs,
    loadPlanted: async (bug) => (await loadPlanted(bug, root)).catalog,
    loadPlantedExplorations: async (bug) => (await loadPlanted(bug, root)).explorations,
    codeHash: () => codeHash([ENTRY, HUNTERS], root).catch(told),
    pinnedFolder: join(root, "scenarios", "pinned"),
    version: versionOf(root),
  };
}

/** What the entry exports, as far as it is used here. */
interface Entry {
  readonly catalog: readonly Scenario[];
  readonly explorations: readonly Exploration[];
}

async function loadPlanted(bug: PlantedBug, root: string): Promise<Entry> {
  const loaded = await loadWithEdit(ENTRY, bug, root).catch(told);
  if (isEntry(loaded)) return loaded;
  throw new UsageError(`${ENTRY} with planted bug ${bug.name} has no catalogue or no explorations`);
}

function told(error: unknown): never {
  throw error instanceof PlantError ? new UsageError(error.message) : error;
}

function isEntry(loaded: unknown): loaded is Entry {
  if (typeof loaded !== "object" || loaded === null) return false;
  if (!("catalog" in loaded) || !("explorations" in loaded)) return false;
  return Array.isArray(loaded.catalog) && Array.isArray(loaded.explorations);
}

function versionOf(root: string): string {
  const manifest = parseJson(readFileSync(join(root, "package.json"), "utf8"));
  return isJsonObject(manifest) && typeof manifest.version === "string" ? manifest.version : "unknown";
}
