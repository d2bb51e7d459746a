/**
 * Planted bugs: the mechanism. The list is in `scenarios/canaries`.
 */
export { BUNDLING, bundleCache } from "./bundling.ts";
export { codeHash } from "./code-hash.ts";
export { type Catch, type Hunt, type HuntPlan, hunt, quantile } from "./hunt.ts";
export { loadWithEdit, packageRoot, sourcePlace } from "./load.ts";
export { PlantError, type PlantedBug, plant } from "./planted-bug.ts";
