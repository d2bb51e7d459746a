/**
 * Claims: a call that arrives after later ones, also after its caller has given it up and asked again, is refused or
 * changes nothing twice.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const reorderedCalls = buildScenario({
  name: "reordered-calls",
  claim: "a call that arrives after later ones, or after its caller gave it up, changes nothing twice",
  faults: {
    rates: { "D02-reorder": 60, "D01-duplicate-request": 30, "H02-lost-reply": 20, "N01-crash": 2 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 5_000,
    callLateMs: 20_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: true,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, duplicates: 2, leasesMs: [2_000, 5_000] },
});
