/**
 * Risk: a write that was acknowledged is lost when processes are killed, or others wait for the dead.
 *
 * A short trial: `node dist/src/cli/store/store-kills.js` makes a long one. And that the trial sees a store that loses.
 */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../../sim/index.ts";

const run = promisify(execFile);
const root = packageRoot();

/** The trial as a program, perhaps with an edit. */
async function bundle(name: string, edit: (text: string) => string = (text) => text): Promise<string> {
  const outdir = join(root, "node_modules", ".cache", "baton", name);
  const entries = ["cli/store/store-kills", "cli/store/store-kills-child", "adapters/embedded/writer-thread"];
  const built = await build({
    entryPoints: entries.map((entry) => join(root, "src", `${entry}.ts`)),
    outdir,
    entryNames: "[name]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  await mkdir(outdir, { recursive: true });
  for (const { path, text } of built.outputFiles) await writeFile(path, edit(text));
  return join(outdir, "store-kills.mjs");
}

let sound = "";
beforeAll(async () => {
  sound = await bundle("store-kills");
});

async function trial(script: string, kills: number) {
  const argv = [script, String(kills), "7"];
  const { stdout } = await run(process.execPath, argv).catch((error: { stdout: string }) => error);
  return JSON.parse(stdout);
}

test("no acknowledged write is lost in five kills, and nobody waits for the dead", async () => {
  const report = await trial(sound, 5);
  expect(report).toMatchObject({ kills: 5, troubles: 0, broken: [] });
  expect(report.acknowledged).toBeGreaterThan(20);
});

/** Each twentieth commit is none. */
const LYING_COMMIT = '(this.count = (this.count ?? 0) + 1) % 20 === 0 ? "ROLLBACK" : "COMMIT"';

test("a writer that acknowledges what it has not committed is seen", async () => {
  const lying = await bundle("store-kills-lying", (text) =>
    text.replace('this.#database.exec("COMMIT")', `this.#database.exec(${LYING_COMMIT})`),
  );
  expect((await trial(lying, 5)).broken[0]).toMatch(/^V[12]: /);
});
