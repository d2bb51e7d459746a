/**
 * The verdict over a chaos run, from what its folder holds: so a run that was kept can be judged again.
 *
 *   J1  the folder has one log for each life, and `end.json`: what was asked, when faults ended, and every object of the
 *       store at the end. Nothing else is looked at.
 *   J2  a run is judged by what it wrote down, also the first time: there is no other way.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  check,
  type Judged,
  type ProcessLog,
  type RunEnds,
  type RunRecord,
  readLog,
  recordOf,
} from "../../../scenarios/chaos/index.ts";
import type { Finding } from "../../../sim/index.ts";
import { UsageError } from "../terminal/arguments.ts";

export interface RunEnd extends RunEnds, Judged {}

export interface Verdict {
  readonly record: RunRecord;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly end: RunEnd;
}

const END = "end.json";

/** Keeps what the logs do not have; the logs of the command's own processes go to the others. */
export function keepEnd(folder: string, end: RunEnd, own: readonly ProcessLog[]): void {
  for (const { process, incarnation, lines } of own) {
    // A server that is only called from here has a log of its own already.
    if (lines.length === 0) continue;
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    writeFileSync(join(folder, "logs", `${process}.${incarnation}.jsonl`), text);
  }
  writeFileSync(join(folder, END), JSON.stringify(end));
}

export function judge(folder: string): Verdict {
  const end: RunEnd = JSON.parse(textOf(folder, END));
  const logs = readdirSync(join(folder, "logs")).map((file) => {
    const [process = "", incarnation = ""] = file.split(".");
    return readLog(process, Number(incarnation), textOf(folder, join("logs", file)));
  });
  const record = recordOf(logs, end);
  return { record, findings: check(record, end), end };
}

function textOf(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), "utf8");
  } catch {
    throw new UsageError(
      `${folder} is not the folder of a chaos run that came to its end: it has no ${file}`,
    );
  }
}
