/**
 * Risk: the command works when called as a function and not as a process.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { packageRoot } from "../../sim/index.ts";

const run = promisify(execFile);

test("one seed gives the same fingerprint in two processes, each with one JSON object", async () => {
  const root = packageRoot();
  const outfile = join(root, "node_modules", ".cache", "baton", "main.mjs");
  mkdirSync(join(root, "node_modules", ".cache", "baton"), { recursive: true });
  const entryPoints = [join(root, "src", "cli", "main.ts")];
  await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", packages: "external" });
  const cwd = mkdtempSync(join(tmpdir(), "baton-main-"));
  const make = async (): Promise<Record<string, unknown>> => {
    const { stdout } = await run(
      process.execPath,
      [outfile, "sim", "--seeds", "11", "--seed", "5", "--json"],
      { cwd },
    );
    return JSON.parse(stdout);
  };
  const [first, second] = [await make(), await make()];
  expect(first).toMatchObject({ runs: 11, failures: [] });
  expect(first.fingerprint).toBe(second.fingerprint);
});
