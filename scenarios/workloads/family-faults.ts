/**
 * The faults that strike every family: lost and late requests and calls, crashes and clocks that disagree, each on in
 * about half of the runs.
 */
import type { FaultPlan } from "../../sim/index.ts";

export const FAMILY_FAULTS: FaultPlan = {
  rates: {
    "F01-lost-answer": 15,
    "F02-lost-request": 15,
    "F03-late-write": 15,
    "F04-hidden-retry": 10,
    "F05-conflict-409": 8,
    "N01-crash": 5,
    "N02-pause": 4,
    "D01-duplicate-request": 30,
    "D02-reorder": 20,
    "H01-lost-call": 20,
    "H02-lost-reply": 30,
  },
  swarm: true,
  lateByMs: 15_000,
  skewMs: 20_000,
  downMs: 5_000,
};
