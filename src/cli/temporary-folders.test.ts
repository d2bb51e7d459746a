/**
 * Risk: tests fill the temporary directory of the machine, or remove what belongs to a run that still goes on.
 */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { isLeftOver } from "./temporary-folders.ts";

test("tests make their temporary folders below one that goes with the run", () => {
  expect(basename(tmpdir())).toMatch(/^baton-tests-\d+$/);
});

test("only the folder of a run that has ended is left over", () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  expect(isLeftOver(`baton-tests-${pid}`)).toBe(true);
  expect(isLeftOver(`baton-tests-${process.pid}`)).toBe(false);
  for (const other of ["baton-tests-", "baton-tests-x", "baton-cli-1", `x-baton-tests-${pid}`])
    expect(isLeftOver(other)).toBe(false);
});
