/**
 * Files that a command writes for its user: looked at before anything runs, and written whole or not at all.
 *
 *   W1  A place that cannot be written is an error of usage before the first run, not a surprise after the last one.
 *       Permissions are asked first, so that nothing is made where nothing may be; then the folders are made.
 *   W2  A file appears under its name only when it is complete: written beside it, then renamed.
 *   W3  Folders are made one by one. Node's own way to make several at once does not end where a file system refuses
 *       new folders as if their parents were missing, as `/proc` does.
 *   W4  What is no plain file, as `/dev/stdout`, is written to and never replaced; a link stays one.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Io } from "../io.ts";
import { UsageError } from "./arguments.ts";

/** Writes the text (W2, W4), with the folders above it (W3). Throws what the file system throws. */
export function writeWhole(path: string, text: string): void {
  makeFolders(dirname(path));
  const target = existsSync(path) ? realpathSync(path) : path;
  if (isDevice(target)) {
    writeFileSync(target, text);
    return;
  }
  const unfinished = `${target}.unfinished`;
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** What is there and is no plain file: a pipe, `/dev/null`, a terminal. A folder is none. */
function isDevice(path: string): boolean {
  if (!existsSync(path)) return false;
  const stat = statSync(path);
  return !stat.isFile() && !stat.isDirectory();
}

/** W1. What the user named, by option; one that is not given is undefined. */
export function checkOutputs(io: Io, outputs: { readonly [option: string]: string | undefined }): void {
  const taken = new Map<string, string>();
  const asked: (readonly [string, string, string])[] = [];
  for (const [option, path] of Object.entries(outputs)) {
    if (path === undefined) continue;
    const absolute = resolve(io.folder, path);
    const other = taken.get(absolute);
    if (other !== undefined) throw new UsageError(`${other} and ${option} are both ${path}`);
    taken.set(absolute, option);
    asked.push([option, path, absolute]);
    refuse(option, path, () => checkPermission(absolute));
  }
  for (const [option, path, absolute] of asked) refuse(option, path, () => tryToWrite(absolute));
}

/** The folder in which failures are kept; made when there is something to keep. */
export function checkReports(io: Io): void {
  refuse("what is found is kept there:", "reports/", () => checkFolder(join(io.folder, "reports")));
}

function refuse(option: string, path: string, look: () => void): void {
  try {
    look();
  } catch (error) {
    throw new UsageError(`${option} ${path} cannot be written: ${reasonOf(error)}`);
  }
}

function checkPermission(path: string): void {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) throw new Error("it is a folder");
    accessSync(path, constants.W_OK);
    if (isDevice(path)) return;
  }
  checkFolder(dirname(path));
}

/** Whether files can be made there, or the folder itself in the nearest one above it that there is. */
function checkFolder(folder: string): void {
  const [nearest = folder] = missingFolders(folder).map(dirname).reverse();
  if (!statSync(nearest).isDirectory()) throw new Error(`${nearest} is no folder`);
  accessSync(nearest, constants.W_OK | constants.X_OK);
}

function tryToWrite(path: string): void {
  if (isDevice(path)) return;
  makeFolders(dirname(path));
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, "");
  rmSync(unfinished);
}

/** W3. */
export function makeFolders(folder: string): void {
  for (const path of missingFolders(folder).reverse()) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Somebody else may have made it in between.
      if (!existsSync(path)) throw error;
    }
  }
}

/** The folders that are not there, the deepest first. */
function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path); path = dirname(path)) missing.push(path);
  return missing;
}

const REASONS: { readonly [code: string]: string } = {
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the disk is read-only",
  ENOENT: "no folder can be made there",
  ENOTDIR: "a part of the path is no folder",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
  ENAMETOOLONG: "the name is too long",
};

/** Why it cannot be written, in a few words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return REASONS[codeOf(error)] ?? error.message;
}

/** Why it cannot be read. */
export function readReasonOf(error: unknown): string {
  return codeOf(error) === "ENOENT" ? "there is no such file" : reasonOf(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
