/**
 * What stands in every page besides its data: the style sheet and the script, made ready from their sources.
 *
 * The script is many small modules; esbuild makes one of them. The sources are part of the package, as they are for
 * planted bugs. Both are made once in a process, when the first page is written.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import type { PageAssets } from "../../../reports/index.ts";
import { packageRoot } from "../../../sim/index.ts";

const SOURCES = join("reports", "browser");

let made: PageAssets | null = null;

export function pageAssets(): PageAssets {
  made ??= makeAssets(join(packageRoot(), SOURCES));
  return made;
}

function makeAssets(sources: string): PageAssets {
  const bundled = buildSync({
    entryPoints: [join(sources, "main.ts")],
    bundle: true,
    write: false,
    format: "iife",
    minify: true,
    target: "es2023",
    charset: "utf8",
  });
  const script = bundled.outputFiles.map(({ text }) => text).join("");
  return { script, style: readFileSync(join(sources, "page.css"), "utf8") };
}
