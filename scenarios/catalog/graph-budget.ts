/**
 * Claims: a graph that is full takes nothing more, whichever node is asked, until something is deleted.
 *
 * The budget is a few instances and a few large messages. Nobody works on them, so a graph that is full stays so for long
 * enough for every node to have seen it.
 */
import { buildOwn } from "../build-own.ts";
import { BUDGET, budget } from "../checkers/i27-budget.ts";
import { ALWAYS_CHECKERS } from "../checkers/own.ts";
import { BudgetSystem } from "../systems/budget-system.ts";

export const graphBudget = buildOwn({
  name: "graph-budget",
  claim: "a graph that is full takes nothing more, whichever node is asked, until something is deleted",
  faults: {
    rates: {
      "F01-lost-answer": 15,
      "F02-lost-request": 15,
      "F03-late-write": 10,
      "H02-lost-reply": 15,
      "D01-duplicate-request": 10,
      "N01-crash": 1,
    },
    swarm: true,
    lateByMs: 6_000,
    skewMs: 0,
    downMs: 4_000,
  },
  config: BUDGET,
  checkers: [...ALWAYS_CHECKERS, budget],
  system: (stage, config, space) =>
    new BudgetSystem(
      {
        nodes: [2, 3],
        creators: [2, 4],
        wants: 5,
        largest: 3_000,
        hazards: { death: 0, stall: 0 },
        downMs: 4_000,
      },
      stage,
      config,
      space,
    ),
});
