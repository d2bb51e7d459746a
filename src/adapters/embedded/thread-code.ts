/**
 * Starts the writing thread from its own code, compiled or not.
 *
 * The entry lies beside this file, compiled in the same way. Node 20 cannot run TypeScript, and a test runner compiles
 * for the main thread only: from the sources, the entry is then compiled here. So it is when this file is part of a
 * bundle that has no entry beside it.
 */
import { existsSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

const NAME = "writer-thread";
const IN_SOURCES = join("src", "adapters", "embedded", `${NAME}.ts`);

/** The place from where packages are looked for. */
export const HERE = import.meta.url;

let compiled: Promise<string> | null = null;

export async function startThread(options: WorkerOptions): Promise<Worker> {
  const path = fileURLToPath(HERE);
  const beside = join(dirname(path), NAME + extname(path));
  const runs = !beside.endsWith(".ts") || "typescript" in process.features;
  if (runs && existsSync(beside)) return new Worker(beside, options);
  compiled ??= compile(sources(path));
  return new Worker(await compiled, { ...options, eval: true });
}

async function compile(entry: string): Promise<string> {
  const { build } = await import("esbuild");
  const built = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    logLevel: "silent",
  });
  return built.outputFiles[0]?.text ?? "";
}

function sources(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const entry = join(folder, IN_SOURCES);
    if (existsSync(entry)) return entry;
    if (dirname(folder) === folder) throw new Error(`no ${NAME} lies beside ${path} or in sources above it`);
  }
}
