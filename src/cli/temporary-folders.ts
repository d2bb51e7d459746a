/**
 * Where tests make their temporary folders: below one folder for each run of the tests, which goes with the run.
 *
 *   T1  every process of the run, and those that tests start, find it as the temporary directory of the machine.
 *   T2  a run that was killed leaves its folder. The next run on this machine removes it, when no process has its number.
 *
 * Vitest calls the default export before the first test, and what it answers after the last one.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "baton-tests-";

export default function keepTogether(): () => void {
  const outer = tmpdir();
  for (const name of readdirSync(outer)) if (isLeftOver(name)) remove(join(outer, name));
  const folder = join(outer, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env.TMPDIR = folder;
  return () => {
    process.env.TMPDIR = outer;
    remove(folder);
  };
}

/** T2. */
export function isLeftOver(name: string): boolean {
  const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
  return Number.isInteger(pid) && pid > 0 && !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is one all the same.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A folder in use, or of somebody else, stays: that is no reason to fail a run. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}
