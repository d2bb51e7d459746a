/**
 * Claims: the end of a child's work is told to its parent exactly once, or the parent had finished, whatever dies while
 * the child's turn moves to history or the parent's turn times out, is cancelled or waits.
 */
import { buildFamily } from "../build-family.ts";
import { FAMILY_FAULTS } from "../workloads/family-faults.ts";

export const childReplyOnBothSides = buildFamily({
  name: "child-reply-on-both-sides",
  claim:
    "the end of a child's work is told to its parent once, or the parent had finished, whatever dies on either side",
  faults: {
    ...FAMILY_FAULTS,
    rules: [
      { kind: "N01-crash", permille: 60, key: "/history/i-child-" },
      { kind: "F01-lost-answer", permille: 100, key: "/instances/parent-", most: 20 },
      { kind: "F02-lost-request", permille: 600, key: "/instances/parent-", most: 60 },
    ],
  },
  nodes: [2, 3],
  workers: [2, 3],
  newer: [0, 0],
  hazards: { death: 20, stall: 20 },
  aim: { at: "reply", permille: 300 },
  cancels: true,
  downMs: 5_000,
  shape: { parents: 2, messages: 2, children: 2, oddChildren: true, again: 0, steps: 1 },
  holds: ["I12-child-replies"],
});
