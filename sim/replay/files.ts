/**
 * Replay files on disk: written whole or not at all, read with a reason when they cannot be.
 *
 * Owns names and atomic writing. Does not own the text (`format.ts`).
 *
 *   P4  A file appears under its name only when it is complete (written beside it, then renamed).
 *   P5  Writing replaces an older replay of the same run and nothing else: where the name is taken by anything
 *       that is no sound replay file, the next free name is used.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { err, type Result } from "../../src/std/result.ts";
import { parseReplay, type Refusal, renderReplay } from "./format.ts";
import type { ReplayFile } from "./replay-file.ts";

/** Writes the run into the folder, which is made when missing, and answers the path. */
export function writeReplay(folder: string, file: ReplayFile): string {
  mkdirSync(folder, { recursive: true });
  const path = freePath(folder, file);
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, renderReplay(file));
  renameSync(unfinished, path);
  return path;
}

/** The run in the file, or why it cannot be had. */
export function readReplay(path: string): Result<ReplayFile, Refusal> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return err({
      kind: "not-found",
      reason: `cannot be read (${codeOf(error)}): give the path of a replay file`,
    });
  }
  return parseReplay(text);
}

/** The replay files of a folder in the order of their names; none when there is no such folder. */
export function listReplays(folder: string): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(folder, name));
}

function freePath(folder: string, file: ReplayFile): string {
  const parts = [file.scenario, String(file.seed ?? "draws")];
  if (file.options.nodes !== undefined) parts.push(`nodes${file.options.nodes}`);
  if (file.options.profile !== undefined) parts.push(file.options.profile);
  if (file.planted !== null) parts.push(file.planted);
  if (file.shrunk !== null) parts.push("shrunk");
  const stem = parts.join("-").replaceAll(/[^A-Za-z0-9._-]/g, "_");
  for (let attempt = 1; ; attempt++) {
    const path = join(folder, attempt === 1 ? `${stem}.json` : `${stem}.${attempt}.json`);
    if (!existsSync(path) || readReplay(path).ok) return path;
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return String(error);
}
