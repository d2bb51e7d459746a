/**
 * The pinned runs of the package, ready to be made again in front of a campaign.
 *
 * A pinned file that cannot be used stops the command: a regression test that is skipped unseen is none.
 */
import { relative } from "node:path";
import { guidedRun, listReplays, type PinnedRun, readReplay } from "../../../sim/index.ts";
import type { Shelf } from "../shelf.ts";
import { pickOne, UsageError } from "../terminal/arguments.ts";

export function pinnedRuns(shelf: Shelf): readonly PinnedRun[] {
  return listReplays(shelf.pinnedFolder).map((path) => {
    const read = readReplay(path);
    if (!read.ok) throw new UsageError(`pinned run ${path} ${read.error.reason}`);
    const file = read.value;
    const scenario = pickOne(
      `scenario in pinned run ${path}:`,
      [...shelf.catalog, ...shelf.explorations],
      file.scenario,
    );
    return {
      path: relative(shelf.pinnedFolder, path),
      scenario,
      seed: file.seed,
      run: () => guidedRun(scenario, file),
    };
  });
}
