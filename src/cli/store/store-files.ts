/**
 * A store as plain files, in a folder of its own. Works over the port alone, so any store goes out and in.
 *
 *
 *   baton-export.json     written last: how many objects there are. A folder without it is none
 *   objects/...           one file for each object, its body and nothing else (`key-paths.ts`)
 *
 *   Z1  an export appears under its name when it is whole, or not at all: it is made beside it, on disk, and renamed.
 *   Z2  nothing of a folder goes into a store before all of it was looked at: its count, its names, its texts.
 *   Z3  an import that was cut off is begun again and goes on: what is there with the same body is passed over. Where a
 *       store holds anything else, nothing is written.
 *   Z4  what opening a bucket noted in it is no content: it goes neither out nor in.
 *   Z5  a request without an answer is sent again, a bounded number of times; a put is a creation, so that it may be.
 *
 * Not covered: a store that others write to meanwhile. Each object is then as it was at some moment of the export.
 */
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ADMISSION_PREFIX } from "../../index.ts";
import { IF_ABSENT, type ListCursor, type ListOutcome, type ObjectStore } from "../../ports/index.ts";
import { isJsonObject, parseJson } from "../../std/json.ts";
import { inParallel } from "../../std/parallel.ts";
import { keyOfPath, pathOfKey } from "./key-paths.ts";

const MANIFEST = "baton-export.json";
const OBJECTS = "objects";
const FORMAT = "baton/export/1";
/** In the folder of an export that is being made: whoever finds it may take it away. */
const MARK = "baton-export.unfinished";
const AT_ONCE = 32;
const PAGE = 1_000;
const TRIES = 8;

/** What keeps a copy from being made; the message is one line. */
export class CopyError extends Error {
  override readonly name = "CopyError";
}

/** Told now and then: objects so far, and of how many where that is known. */
export type Tell = (done: number, of: number | null) => void;

export interface Waits {
  sleep(ms: number): Promise<void>;
  interrupted(): boolean;
}

/** Writes every object of the store below `folder`, which must not be there yet; answers how many there were. */
export async function exportFiles(
  store: ObjectStore,
  folder: string,
  waits: Waits,
  tell: Tell,
): Promise<number> {
  if (await isThere(folder)) throw new CopyError(`${folder} is there already: name a folder that is not`);
  const unfinished = `${folder}.unfinished`;
  if (await isThere(unfinished)) {
    if (!(await isThere(join(unfinished, MARK))))
      throw new CopyError(`${unfinished} is in the way: remove it`);
    await rm(unfinished, { recursive: true });
  }
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, MARK), "");
  let objects = 0;
  for await (const keys of pages(store, waits)) {
    const written = await inParallel(keys, AT_ONCE, async (key) => {
      const body = await bodyOf(store, key, waits);
      // Removed since it was listed.
      if (body === null) return 0;
      const path = join(unfinished, OBJECTS, pathOfKey(key));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, body);
      return 1;
    });
    objects += written.reduce<number>((sum, one) => sum + one, 0);
    tell(objects, null);
  }
  await writeFile(join(unfinished, MANIFEST), `${JSON.stringify({ format: FORMAT, objects })}\n`);
  await rm(join(unfinished, MARK));
  await rename(unfinished, folder);
  await flush(dirname(folder));
  return objects;
}

/** Puts every object of an export into the store; answers how many were there before and how many are now. */
export async function importFiles(
  store: ObjectStore,
  folder: string,
  waits: Waits,
  tell: Tell,
): Promise<{ readonly objects: number; readonly before: number }> {
  const paths = await lookedThrough(folder);
  const before = await checkTarget(store, paths, folder, waits);
  let done = before.size;
  const left = [...paths.keys()].filter((key) => !before.has(key));
  await inParallel(left, AT_ONCE, async (key) => {
    stopWhenAsked(waits);
    await putBody(store, key, await textOf(join(folder, OBJECTS, paths.get(key) ?? "")), waits);
    tell(++done, paths.size);
  });
  return { objects: paths.size, before: before.size };
}

/** Z2: the path of each key. */
async function lookedThrough(folder: string): Promise<ReadonlyMap<string, string>> {
  const manifest = parseJson(await readFile(join(folder, MANIFEST), "utf8").catch(() => ""));
  if (!isJsonObject(manifest) || manifest.format !== FORMAT)
    throw new CopyError(`${folder} is no export: it has no ${MANIFEST} of this format`);
  const paths = new Map<string, string>();
  for await (const path of filesBelow(join(folder, OBJECTS), "")) {
    const key = keyOfPath(path);
    if (key === null)
      throw new CopyError(`${join(folder, OBJECTS, path)} is no object: its name is none of a key`);
    await textOf(join(folder, OBJECTS, path));
    paths.set(key, path);
  }
  if (paths.size !== manifest.objects)
    throw new CopyError(
      `${folder} has ${paths.size} objects and states ${String(manifest.objects)}: it is not whole`,
    );
  return paths;
}

async function* filesBelow(root: string, path: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch((error: unknown) => {
    if (path === "" && codeOf(error) === "ENOENT") return [];
    throw error;
  });
  for (const entry of entries) {
    const below = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, below);
    else if (entry.isFile()) yield below;
    else throw new CopyError(`${join(root, below)} is neither a file nor a folder`);
  }
}

/** Z3: the keys that are there with the same body. */
async function checkTarget(
  store: ObjectStore,
  paths: ReadonlyMap<string, string>,
  folder: string,
  waits: Waits,
): Promise<ReadonlySet<string>> {
  const same = new Set<string>();
  for await (const keys of pages(store, waits))
    await inParallel(keys, AT_ONCE, async (key) => {
      const path = paths.get(key);
      const body = path === undefined ? null : await textOf(join(folder, OBJECTS, path));
      if (body === null || (await bodyOf(store, key, waits)) !== body)
        throw new CopyError(
          `the store holds other objects, as ${key}: nothing was written; name an empty store`,
        );
      same.add(key);
    });
  return same;
}

async function* pages(store: ObjectStore, waits: Waits): AsyncGenerator<readonly string[]> {
  let cursor: ListCursor | null = null;
  const seen = new Set<string>();
  do {
    stopWhenAsked(waits);
    const from: ListCursor | null = cursor;
    const page: Answered<ListOutcome> = await answered(waits, "a listing", () =>
      store.list({ prefix: "", cursor: from, limit: PAGE }),
    );
    const keys = page.entries.map(({ key }) => key).filter((key) => !key.startsWith(ADMISSION_PREFIX));
    yield keys.filter((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    cursor = page.next;
  } while (cursor !== null);
}

async function bodyOf(store: ObjectStore, key: string, waits: Waits): Promise<string | null> {
  const found = await answered(waits, `the read of ${key}`, async () => {
    const got = await store.get(key);
    return got.kind === "not-found" ? { kind: "ok" as const, body: null } : got;
  });
  return found.body;
}

/** Created, or found there with this body: a put whose answer was lost may have created it. */
async function putBody(store: ObjectStore, key: string, body: string, waits: Waits): Promise<void> {
  await answered(waits, `the write of ${key}`, async () => {
    const put = await store.put(key, body, IF_ABSENT);
    if (put.kind === "ok" || put.kind === "throttled" || put.kind === "unknown-outcome") return put;
    const there = await bodyOf(store, key, waits);
    if (there === body) return { kind: "ok" as const };
    if (there === null) return put;
    throw new CopyError(`somebody else writes to the store: ${key} is there with another body`);
  });
}

type Answered<Outcome> = Extract<Outcome, { readonly kind: "ok" }>;

/** Z5. */
async function answered<Outcome extends { readonly kind: string }>(
  waits: Waits,
  what: string,
  ask: () => Promise<Outcome>,
): Promise<Answered<Outcome>> {
  let outcome = await ask();
  for (let tried = 1; !isOk(outcome); tried++) {
    if (tried === TRIES) throw new CopyError(`${what} had no answer after ${TRIES} tries (${outcome.kind})`);
    stopWhenAsked(waits);
    await waits.sleep(50 * 2 ** tried);
    outcome = await ask();
  }
  return outcome;
}

function isOk<Outcome extends { readonly kind: string }>(outcome: Outcome): outcome is Answered<Outcome> {
  return outcome.kind === "ok";
}

function stopWhenAsked(waits: Waits): void {
  if (waits.interrupted()) throw new CopyError("stopped by Ctrl-C");
}

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path);
  try {
    return STRICT.decode(bytes);
  } catch {
    throw new CopyError(`${path} is no UTF-8 text`);
  }
}

/** On disk, and only where no file is: two keys that the file system takes for one are found. */
async function writeFile(path: string, text: string): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The system's code of an error, as `ENOENT`. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
