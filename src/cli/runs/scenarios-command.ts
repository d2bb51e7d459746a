/**
 * `baton scenarios`: what there is to run, and what each claims. With `--planted` the bugs that can be planted.
 */
import type { Io } from "../io.ts";
import type { Shelf } from "../shelf.ts";
import { table } from "../terminal/table.ts";

export function scenariosCommand(io: Io, shelf: Shelf, options: { readonly planted?: boolean }): number {
  const rows =
    options.planted === true
      ? shelf.bugs.map((bug) => [
          bug.name,
          `${bug.about} (${bug.catalogue}; seen by ${bug.caughtBy.join(", ")})`,
        ])
      : shelf.catalog.map((scenario) => [scenario.name, scenario.claim]);
  io.out(rows.length === 0 ? "none\n" : `${table(rows, "")}\n`);
  return 0;
}
