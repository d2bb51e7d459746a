/**
 * Claims: a node or worker that dies between the child's creation and the parent's own write leaves one child, which the
 * parent's next attempt finds, with its reply if that has come already.
 */
import { buildFamily } from "../build-family.ts";
import { FAMILY_FAULTS } from "../workloads/family-faults.ts";

export const parentCrashes = buildFamily({
  name: "parent-crashes-between-start-and-checkpoint",
  claim:
    "a node that dies between a child's creation and its parent's write leaves one child, which the next attempt finds",
  faults: {
    ...FAMILY_FAULTS,
    rules: [
      { kind: "N01-crash", permille: 120, key: "/instances/child-" },
      { kind: "N01-crash", permille: 40, key: "/instances/parent-" },
    ],
  },
  nodes: [2, 3],
  workers: [2, 3],
  newer: [0, 0],
  hazards: { death: 30, stall: 20 },
  cancels: false,
  downMs: 5_000,
  shape: { parents: 2, messages: 2, children: 2, oddChildren: false, again: 0, steps: 0 },
  holds: ["I12-child-replies"],
});
