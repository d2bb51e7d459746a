/**
 * Reads the real tree from disk: the only part of tidy that touches files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOTS } from "./places.ts";
import type { Source, Tree } from "./tree.ts";
import { treeOf } from "./tree.ts";

const TEXT = /\.(ts|md|json)$/;

/** The tree under `root`, parsed. Files of other kinds are known by path only. */
export function readTree(root: string): Tree {
  const entries = readdirSync(root);
  const paths = [
    ...entries.filter((name) => TEXT.test(name)),
    ...ROOTS.filter((name) => entries.includes(name)).flatMap((name) => filesUnder(root, name)),
    ...(entries.includes(".ci") ? filesUnder(root, ".ci") : []),
  ];
  const sources = paths
    .sort()
    // The tools' own settings at the top level are no part of the architecture.
    .filter((path) => path.includes("/") || !path.endsWith(".ts"))
    .map((path): Source => ({ path, text: TEXT.test(path) ? readFileSync(join(root, path), "utf8") : "" }));
  return treeOf(sources, entries);
}

function filesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replace(/^\//, ""));
}
