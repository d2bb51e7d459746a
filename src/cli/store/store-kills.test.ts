/**
 * Risk: a write that was acknowledged is lost when processes are killed, or others wait for the dead.
 *
 * A short trial: `node dist/src/cli/store/store-kills.js` makes a long one. And that the trial sees a store that loses.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { bundled, bundleFolder } from "../bundled.ts";

const run = promisify(execFile);

/** The trial as a program, perhaps with an edit. */
async function bundle(name: string, edit?: (text: string) => string): Promise<string> {
  const outdir = bundleFolder(name);
  const programs = {
    "store-kills": "cli/store/store-kills",
    "store-kills-child": "cli/store/store-kills-child",
    "writer-thread": "adapters/embedded/writer-thread",
  };
  await bundled(outdir, programs, edit);
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
