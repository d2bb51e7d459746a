/**
 * The command line's programs as files that a child process or a thread can start, built from the sources: for tests.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { BUNDLING, bundleCache, packageRoot } from "../../sim/index.ts";

/** A folder for what the tests of one file build. */
export function bundleFolder(name: string): string {
  return join(bundleCache(packageRoot()), name);
}

/** Writes `NAME.mjs` into the folder for each source (from `src`, without `.ts`), perhaps with an edit of what is written. */
export async function bundled(
  folder: string,
  programs: { readonly [name: string]: string },
  edit: (text: string) => string = (text) => text,
): Promise<void> {
  const sources = Object.entries(programs).map(([out, source]) => ({
    out,
    in: join(packageRoot(), "src", `${source}.ts`),
  }));
  const { outputFiles } = await build({
    entryPoints: sources,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    ...BUNDLING,
  });
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, edit(text));
  }
}
