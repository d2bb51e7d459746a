/**
 * Where things may be: the project's architecture as tables.
 *
 * The tables are the rule; the files that read them only apply them. A change here is a change of the
 * architecture and belongs in a commit of its own, with the README of the folder that it concerns.
 *
 *   P1  A pattern that ends in `.ts` names one file; a `*` in it stands for any part of a file name. Any other
 *       pattern names a folder and all below it.
 *   P2  Nothing imports `src/cli`: it is where the parts are put together.
 *   P3  Everything under `sim` could be used without the engine: it imports no part of it, tests included.
 */

/** Whether a path lies in one of the places (P1). */
export function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => {
    if (!place.endsWith(".ts")) return path === place || path.startsWith(`${place}/`);
    const [head = "", tail] = place.split("*");
    return tail === undefined ? path === place : path.startsWith(head) && path.endsWith(tail);
  });
}

/** The part of the project a path belongs to: `src/engine`, `sim`, `src/index.ts`. */
export function zoneOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  if (top !== "src") return top;
  return `${top}/${second.replace(/\.(test|contract)\.ts$/, second.startsWith("index.") ? ".ts" : "")}`;
}

/** What each part may import of the others. Every part may import itself. */
export const MATRIX: { readonly [zone: string]: readonly string[] } = {
  "src/std": [],
  "src/ports": ["src/std"],
  "src/vocabulary": ["src/std"],
  "src/protocol": ["src/std", "src/vocabulary"],
  "src/documents": ["src/std", "src/vocabulary", "src/ports", "src/protocol"],
  "src/engine": ["src/std", "src/vocabulary", "src/ports", "src/protocol", "src/documents"],
  "src/workflow": ["src/std", "src/vocabulary", "src/ports", "src/engine/engine.ts"],
  "src/client": ["src/std", "src/vocabulary", "src/ports", "src/workflow", "src/engine/engine.ts"],
  "src/server": ["src/std", "src/vocabulary", "src/ports", "src/workflow", "src/engine/engine.ts"],
  "src/adapters": ["src/std", "src/ports"],
  "src/index.ts": [
    "src/std",
    "src/vocabulary",
    "src/ports",
    "src/documents",
    "src/engine",
    "src/workflow",
    "src/client",
    "src/server",
    "src/adapters",
  ],
  "src/cli": [
    "src/std",
    "src/adapters",
    "src/index.ts",
    "src/ports/index.ts",
    "src/client/index.ts",
    "src/server/index.ts",
    "src/workflow/index.ts",
    "sim/index.ts",
    "scenarios/index.ts",
    "scenarios/catalog.ts",
    "scenarios/canaries/index.ts",
    "scenarios/chaos/index.ts",
    "ledger/index.ts",
    "reports/index.ts",
  ],
  "src/tidy": [],
  sim: ["src/std", "src/ports"],
  scenarios: [
    "src/index.ts",
    "src/client/index.ts",
    "src/server/index.ts",
    "src/workflow/index.ts",
    "sim/index.ts",
    "src/std",
    "src/ports",
  ],
  examples: ["src/index.ts", "src/client/index.ts", "src/workflow/index.ts"],
  ledger: ["src/std", "sim/index.ts", "scenarios/catalog.ts"],
  reports: ["ledger", "sim/history", "src/std"],
};

/** What tests may import beyond the row of their part: a real store to run against, tiny scenarios. */
export const MATRIX_OF_TESTS: { readonly [zone: string]: readonly string[] } = {
  "src/cli": ["sim/runner/fixtures.ts", "sim/store/store-bench.ts"],
  "src/ports": ["src/adapters"],
  "src/documents": ["src/adapters"],
  "src/engine": ["src/adapters"],
  "src/workflow": ["src/adapters", "src/engine"],
  "src/server": ["src/adapters", "src/engine"],
  "src/client": ["src/adapters", "src/engine", "src/server"],
  examples: ["src/adapters", "src/ports", "src/server"],
};

/**
 * Who may import which package. A package that is not here may not be imported. One that only tests have may be loaded
 * where it is named here, if it is there: `baton mutants` compares with fast-check.
 */
export const PACKAGES: { readonly [name: string]: readonly string[] } = {
  "@aws-sdk/client-s3": ["src/adapters/s3"],
  "@hono/node-server": ["src/adapters"],
  "@photostructure/sqlite": ["src/adapters/embedded"],
  commander: ["src/cli"],
  esbuild: ["sim/canaries", "src/cli", "src/adapters/embedded/thread-code.ts"],
  "fast-check": ["src/cli/mutants/hunters.ts"],
  hono: ["src/server", "src/adapters"],
  picocolors: ["src/cli"],
  pino: ["src/adapters", "src/cli"],
  "prom-client": ["src/adapters", "src/server"],
  seedrandom: ["src/std", "sim/kernel", "sim/explore"],
  tinybench: ["src/cli"],
  typescript: ["src/tidy"],
  zod: ["src/server"],
};

/** Packages that tests, and only tests, may import. */
export const TEST_PACKAGES: readonly string[] = ["vitest", "fast-check", "playwright-core"];

/** The places that may touch the machine: time, randomness, files, the process. */
export const AMBIENT_PLACES: readonly string[] = [
  "src/adapters",
  "src/cli",
  "src/tidy",
  "sim/kernel/drain*.ts",
  "sim/kernel/trap*.ts",
  "sim/canaries",
  "sim/replay",
  "examples/run.ts",
  "examples/conformance-worker.ts",
];

/** Single functions of Node's own modules that are pure, and who may import them. */
export const PURE_BUILTINS: {
  readonly [module: string]: { readonly names: readonly string[]; readonly places: readonly string[] };
} = { "node:crypto": { names: ["hash"], places: ["src/std"] } };

/** Everything that may stand at the top level. The second row is made by tools and not committed. */
export const TOP_LEVEL: readonly string[] = [
  ..."package.json package-lock.json tsconfig.json tsconfig.build.json biome.json vitest.config.ts".split(
    " ",
  ),
  ..."src sim scenarios ledger reports examples tools README.md LICENSE .ci .github .gitignore".split(" "),
  ..."node_modules dist coverage .git".split(" "),
];

/** The folders that hold the project's own files. */
export const ROOTS: readonly string[] = ["src", "sim", "scenarios", "ledger", "reports", "examples"];

/** Paths that tools make and git ignores: a page may name one that is not there. */
export const GENERATED = /^(dist|coverage|node_modules)(\/|$)|^reports\/[^/]+\.(json|html|mjs)$/;
