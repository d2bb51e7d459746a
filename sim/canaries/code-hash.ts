/**
 * Which code a run loads, as a short hash: two results with the same hash were made by the same code.
 *
 *   H1  everything of this package that the entries reach counts, as it is executed. Comments, types and layout do
 *       not, and neither does where the package lies.
 *   H2  other packages do not count: the manifest pins them.
 */
import { build } from "esbuild";
import { sha256 } from "../../src/std/hash.ts";
import { BUNDLING, buildReason } from "./bundling.ts";
import { packageRoot } from "./load.ts";
import { PlantError } from "./planted-bug.ts";

const HASH_CHARS = 16;

/** The hash of what these entries reach, from the root with `/`. Throws `PlantError` when the sources do not build. */
export async function codeHash(entries: readonly string[], root: string = packageRoot()): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outdir: root,
    ...BUNDLING,
    // Not the identifiers: how those are shortened depends on types, too.
    minifyWhitespace: true,
    minifySyntax: true,
  }).catch((error: unknown) => {
    throw new PlantError(`the sources do not build: ${buildReason(error)}`);
  });
  return sha256(outputFiles.map(({ text }) => text).join("\n")).slice(0, HASH_CHARS);
}
