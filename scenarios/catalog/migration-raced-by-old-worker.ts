/**
 * Claims: while workers of the old version go on claiming and writing, an instance goes over to the new version whole or
 * not at all, and nothing of the old code touches it afterwards.
 */
import { buildFamily } from "../build-family.ts";
import { FAMILY_FAULTS } from "../workloads/family-faults.ts";

export const migrationRacedByOldWorker = buildFamily({
  name: "migration-raced-by-old-worker",
  claim:
    "an instance goes over to a new version whole or not at all, while workers of the old one claim and write",
  faults: FAMILY_FAULTS,
  nodes: [2, 3],
  workers: [1, 2],
  newer: [1, 2],
  hazards: { death: 40, stall: 60 },
  cancels: false,
  downMs: 5_000,
  shape: { parents: 3, messages: 4, children: 0, oddChildren: false, again: 0, steps: 2 },
  holds: ["I08-migration"],
});
