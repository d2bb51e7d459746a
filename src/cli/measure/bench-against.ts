/**
 * `baton bench --against REF`: another commit beside this one, in turn, so that what disturbs the machine disturbs both.
 *
 *   V1  the other commit is unpacked into a scratch folder and bundled as this one is; nothing of the tree is touched.
 *   V2  both are loaded into one process and make the same turns by the same driver. Pairs are taken in the order A B, B A,
 *       so that neither is always second.
 *   V3  what is told is a ratio with its interval, never two figures.
 *   V4  the scratch folder is gone afterwards, however it ends.
 *
 * Not covered: a commit whose engine has another interface for workers, or needs packages that are not installed now. It
 * is told as one that cannot be built, or stops at its first refused call.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ratioOf, tellRatio } from "../../../ledger/index.ts";
import { BUNDLING, bundleCache, packageRoot } from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import { reasonOf } from "../terminal/write-file.ts";
import { cpuMs, type EngineParts, engineTurns } from "./engine-turns.ts";

const PAIRS = 60;
const WARM_UP = 20;
const ENTRY = `export { createNode, DEFAULT_CONFIG } from "./src/index.ts";
export { MemoryStore } from "./src/adapters/memory-store.ts";
`;

export async function benchAgainst(io: Io, ref: string): Promise<number> {
  const root = packageRoot();
  const commit = commitNamed(root, ref);
  const scratch = join(bundleCache(root), `against-${commit.slice(0, 12)}-${process.pid}`);
  const progress = new Progress(io);
  try {
    unpack(root, commit, join(scratch, "base"));
    const base = await engineTurns(await bundled(join(scratch, "base"), scratch, "base"));
    const now = await engineTurns(await bundled(root, scratch, "now"));
    const pairs: (readonly [number, number])[] = [];
    for (let n = -WARM_UP; n < PAIRS; n++) {
      progress.line(`${Math.max(0, n)} of ${PAIRS} pairs`, io.nowMs());
      await io.turn();
      if (io.interrupted()) break;
      const ways = n % 2 === 0 ? [base, now] : [now, base];
      const taken: number[] = [];
      for (const way of ways) taken.push(await processorMs(way));
      const [first = 0, second = 0] = n % 2 === 0 ? taken : taken.toReversed();
      if (n >= 0) pairs.push([first, second]);
    }
    progress.clear();
    if (io.interrupted()) return EXIT.interrupted;
    io.out(
      `processor time of a turn against ${ref} (${commit.slice(0, 12)}): ${tellRatio(ratioOf(pairs))}\n`,
    );
    return EXIT.pass;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** V3: what this process used, so that others on the machine do not count. */
async function processorMs(turns: () => Promise<void>): Promise<number> {
  const startMs = cpuMs();
  await turns();
  return cpuMs() - startMs;
}

function commitNamed(root: string, ref: string): string {
  try {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    throw new UsageError(`--against ${ref} is no commit of the repository in ${root}`);
  }
}

/** V1. */
function unpack(root: string, commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, "..", "base.tar");
  execFileSync("git", ["archive", "--output", archive, commit], { cwd: root });
  execFileSync("tar", ["-xf", archive, "-C", folder]);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}

async function bundled(root: string, scratch: string, name: string): Promise<EngineParts> {
  const path = join(scratch, `${name}.mjs`);
  const built = await build({
    stdin: { contents: ENTRY, resolveDir: root, loader: "ts" },
    ...BUNDLING,
  }).catch((error: unknown) => {
    throw new UsageError(
      `${name === "base" ? "that commit" : "this tree"} cannot be built: ${reasonOf(error)}`,
    );
  });
  writeFileSync(path, built.outputFiles.map(({ text }) => text).join(""));
  const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(path).href);
  if (!isParts(loaded))
    throw new UsageError(`${name === "base" ? "that commit" : "this tree"} has no engine`);
  return loaded;
}

function isParts(loaded: unknown): loaded is EngineParts {
  if (typeof loaded !== "object" || loaded === null) return false;
  return "createNode" in loaded && "DEFAULT_CONFIG" in loaded && "MemoryStore" in loaded;
}
