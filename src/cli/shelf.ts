/**
 * What the command line works with: the catalogue of scenarios, the planted bugs, and how to load a bug.
 *
 * `packageShelf` is the one of this package; tests give small ones. This is the only file of the command line that
 * knows where scenarios come from.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plantedBugs } from "../../scenarios/canaries/index.ts";
import { catalog } from "../../scenarios/index.ts";
import { loadWithEdit, PlantError, type PlantedBug, packageRoot, type Scenario } from "../../sim/index.ts";
import { isJsonObject, parseJson } from "../std/json.ts";
import { UsageError } from "./arguments.ts";

export interface Shelf {
  readonly catalog: readonly Scenario[];
  readonly bugs: readonly PlantedBug[];
  /** The catalogue with this bug in the code under test. */
  loadPlanted(bug: PlantedBug): Promise<readonly Scenario[]>;
  /** The folder of the runs that are replayed in front of every campaign. */
  readonly pinnedFolder: string;
  readonly version: string;
}

/** The entry that bugs are planted below, from the root of the package. */
const ENTRY = "scenarios/index.ts";

export function packageShelf(): Shelf {
  const root = packageRoot();
  return {
    catalog,
    bugs: plantedBugs,
    loadPlanted: (bug) => loadPlanted(bug, root),
    pinnedFolder: join(root, "scenarios", "pinned"),
    version: versionOf(root),
  };
}

async function loadPlanted(bug: PlantedBug, root: string): Promise<readonly Scenario[]> {
  try {
    const loaded = await loadWithEdit(ENTRY, bug, root);
    if (hasCatalog(loaded)) return loaded.catalog;
  } catch (error) {
    if (error instanceof PlantError) throw new UsageError(error.message);
    throw error;
  }
  throw new UsageError(`${ENTRY} with planted bug ${bug.name} has no catalogue`);
}

function hasCatalog(loaded: unknown): loaded is { readonly catalog: readonly Scenario[] } {
  return (
    typeof loaded === "object" && loaded !== null && "catalog" in loaded && Array.isArray(loaded.catalog)
  );
}

function versionOf(root: string): string {
  const manifest = parseJson(readFileSync(join(root, "package.json"), "utf8"));
  return isJsonObject(manifest) && typeof manifest.version === "string" ? manifest.version : "unknown";
}
