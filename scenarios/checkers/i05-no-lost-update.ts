/**
 * I05: each version derives from its predecessor by changes that a command can make.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I05-no-lost-update";

export const noLostUpdate: Checker<Facts> = {
  name: NAME,
  statement:
    "along each identity steps and signals only append, a turn changes only in the fields that its change is about, finished turns never change, turns leave only when finished, the state changes only with a completion, and what an instance was created with stays",
  blind: "times at which a field says that it was changed",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const [id, chain] of facts.records.identities) {
      report.examine(chain.length);
      for (const change of facts.changes.get(id) ?? [])
        if (change.kind === "forbidden")
          report.at(
            change.at.version,
            `${id}: ${change.what}, at sequence ${change.at.stamp.sequence} by ${change.at.version.operation.process}`,
          );
    }
    return report.finding();
  },
};
