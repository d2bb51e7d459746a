/**
 * Loading code with a planted bug: bundles a TypeScript entry with one file edited, and imports the bundle.
 *
 * Owns bundling, where the bundle lies and the way back from a place in it to the source. Does not own the list of
 * bugs. Packages stay outside the bundle; everything of this package that the entry reaches is inside, so a
 * loaded module shares no state, and no class identity, with the code that loaded it.
 *
 *   C2  No source file is ever written; the edit exists only in the bundle.
 *   C3  The same sources and bug give the same bundle under the same name, so loading twice gives one module.
 *   C4  `bug: null` gives the unedited code by the same way, for the comparison.
 *   C5  Whoever writes a bundle removes those that nobody has used for a day, and what was never finished; whoever finds
 *       one marks it as used. A day is far more than lies between the mark and the import, so several processes may do
 *       this at once; a file that is gone meanwhile is fine. A run that goes on for longer does not need its bundle any
 *       more, but a place in it may then be told as it is in the bundle.
 *
 * Works from the sources and from the compiled package alike: the sources are part of the package. Code that asks
 * for its own place (`import.meta.url`) sees the bundle's.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { present } from "../../src/std/assert.ts";
import { sha256 } from "../../src/std/hash.ts";
import { isJsonObject, parseJson } from "../../src/std/json.ts";
import { BUNDLING, buildReason, bundleCache } from "./bundling.ts";
import { PlantError, type PlantedBug, plant } from "./planted-bug.ts";

const UNUSED_MS = 86_400_000;
const MAP_MARK = "//# sourceMappingURL=data:application/json;base64,";

/**
 * The module behind `entry` (from the root, with `/`) with the bug in it. Throws `PlantError` when the edit does
 * not apply, and what esbuild or the module throws when the code does not load.
 */
export async function loadWithEdit(
  entry: string,
  bug: PlantedBug | null,
  root: string = packageRoot(),
): Promise<unknown> {
  const text = await bundle(entry, bug, root);
  const folder = bundleCache(root);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${bug?.name ?? "unedited"}-${sha256(text).slice(0, 16)}.mjs`);
  if (!markUsed(path)) {
    // A name of its own: another process may be at the same bundle.
    const unfinished = `${path}.${crypto.randomUUID()}.unfinished`;
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
    removeUnused(folder);
  }
  const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(path).href);
  return loaded;
}

/** C5. Answers whether it is there. */
function markUsed(path: string): boolean {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Not there, or of somebody else: then it can be used and not be marked.
  }
  return existsSync(path);
}

/** C5. */
function removeUnused(folder: string): void {
  const nowMs = Date.now();
  for (const name of readdirSync(folder)) {
    if (!/\.(mjs|unfinished)$/.test(name)) continue;
    const path = join(folder, name);
    try {
      if (nowMs - statSync(path).mtimeMs > UNUSED_MS) unlinkSync(path);
    } catch {
      // Gone meanwhile, or of somebody else, who removes it.
    }
  }
}

/** The root of this package: the nearest folder above with a `package.json` that names it. */
export function packageRoot(from: string = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    const value = existsSync(manifest) ? parseJson(readFileSync(manifest, "utf8")) : undefined;
    if (isJsonObject(value) && value.name === "baton") return folder;
    if (dirname(folder) === folder) throw new PlantError(`no package.json of baton above ${from}`);
  }
}

/**
 * A place `file:line` or `file:line:column` as it is in the sources, from the root: out of a bundle by its map, and
 * without the way to the root. Text around it stays.
 */
export function sourcePlace(text: string, root: string = packageRoot()): string {
  const inSources = text.replace(
    /(?:file:\/\/)?(\/[^():]*\.mjs):(\d+)(?::(\d+))?/,
    (place, path, line, column) => {
      if (!String(path).startsWith(bundleCache(root))) return place;
      return mappedPlace(path, Number(line), Number(column ?? 1), root) ?? place;
    },
  );
  return inSources.replaceAll("file://", "").replaceAll(`${root}${sep}`, "");
}

function mappedPlace(path: string, line: number, column: number, root: string): string | null {
  const code = existsSync(path) ? readFileSync(path, "utf8") : "";
  const at = code.lastIndexOf(MAP_MARK);
  if (at < 0) return null;
  const map = new SourceMap(JSON.parse(Buffer.from(code.slice(at + MAP_MARK.length), "base64").toString()));
  const origin = map.findEntry(line - 1, column - 1);
  if (!("originalSource" in origin)) return null;
  const file = relative(root, resolve(dirname(path), origin.originalSource));
  return `${file.split(sep).join("/")}:${origin.originalLine + 1}`;
}

async function bundle(entry: string, bug: PlantedBug | null, root: string): Promise<string> {
  const path = join(root, entry);
  if (!existsSync(path))
    throw new PlantError(`${entry} is not in ${root}: bugs are planted into the sources`);
  let planted = false;
  const edit: Plugin = {
    name: "plant",
    setup(builder) {
      builder.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        if (bug === null || relative(root, file).split(sep).join("/") !== bug.file) return null;
        planted = true;
        return { contents: plant(bug, readFileSync(file, "utf8")), loader: "ts" };
      });
    },
  };
  const built = await build({
    absWorkingDir: root,
    entryPoints: [path],
    outdir: bundleCache(root),
    outExtension: { ".js": ".mjs" },
    ...BUNDLING,
    sourcemap: "inline",
    plugins: [edit],
  }).catch((error: unknown) => {
    throw bug === null ? error : asPlantError(bug, error);
  });
  if (bug !== null && !planted) {
    throw new PlantError(`planted bug ${bug.name} does not apply: ${entry} does not load ${bug.file}`);
  }
  return present(built.outputFiles[0], "the bundle").text;
}

/** esbuild wraps what a plugin throws; the first line of it says which bug and file. */
function asPlantError(bug: PlantedBug, error: unknown): PlantError {
  const line = /planted bug .*/.exec(error instanceof Error ? error.message : String(error))?.[0];
  return new PlantError(line ?? `planted bug ${bug.name} does not build: ${buildReason(error)}`);
}
