/**
 * The explorations: scenes whose orders can all be run.
 */
import type { Exploration } from "../../sim/index.ts";
import { interruptedMove } from "./interrupted-move.ts";
import { lateCompletion } from "./late-completion.ts";
import { leaseTakeover } from "./lease-takeover.ts";
import { twoNodeHandoff } from "./two-node-handoff.ts";

export const explorations: readonly Exploration[] = [
  twoNodeHandoff,
  leaseTakeover,
  interruptedMove,
  lateCompletion,
];
