/**
 * How code of this package is bundled to be loaded into this process, and where what is written of it lies.
 */
import { join } from "node:path";
import type { BuildOptions } from "esbuild";

/** One module with all of this package that it reaches; other packages stay outside. */
export const BUNDLING = {
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  logLevel: "silent",
} as const satisfies BuildOptions;

/** Below the root of the package, where packages resolve and nobody looks. */
export function bundleCache(root: string): string {
  return join(root, "node_modules", ".cache", "baton");
}

/** What esbuild says first, on one line. */
export function buildReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n").slice(0, 3).join(" ");
}
