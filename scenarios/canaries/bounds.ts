/**
 * Planted bugs of what is kept out: strangers from what is reserved, and whatever passes the budget of a graph.
 *
 * Each guard stands in one place and is asked from several. So a bug here is one caller that does not ask, or a guard that
 * asks for something else; what the others ask goes on being refused.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const BOUNDS: readonly PlantedBug[] = [
  // Reserved types and ids. The stranger of the simulation holds the right token, so the guard alone keeps it out.
  {
    name: "reserved-turn-written",
    catalogue: "B30",
    file: "src/engine/node.ts",
    find: "this.#attempts = new Attempts(parts, writes, access);",
    replace: "this.#attempts = new Attempts(parts, changes(() => null), access);",
    about: "Whoever has a token writes to a turn of the operator's own workflow.",
    caughtBy: ["I26-reserved"],
  },
  {
    name: "claim-with-reserved-type-taken",
    catalogue: "B34",
    file: "src/engine/access.ts",
    find: "const reserved = workflows.find((one) => this.#isReserved(one.workflow_type));",
    replace:
      "const reserved = workflows.every((one) => this.#isReserved(one.workflow_type)) ? workflows[0] : undefined;",
    about: "A claim that names a reserved type beside others is not refused whole.",
    caughtBy: ["I26-reserved"],
  },
  {
    name: "reserved-child-started",
    catalogue: "B34",
    file: "src/engine/families.ts",
    find: "const forbidden = this.#access.create({ id, workflow_type: request.workflow_type });",
    replace: "const forbidden = null;",
    about: "A turn of anybody starts a child of a reserved type.",
    caughtBy: ["I26-reserved"],
  },
  {
    name: "reserved-instance-managed",
    catalogue: "B67",
    file: "src/engine/access.ts",
    find: 'return this.#caller === "person" ? null : this.write(instance);',
    replace: "return null;",
    about: "Anybody sends to, controls and deletes the operator's own workflow.",
    caughtBy: ["I26-reserved"],
  },
  // Budgets. A few instances too many are allowed, as many as are made at one time; one more after that is not.
  {
    name: "one-instance-too-many",
    catalogue: "B74",
    file: "src/protocol/budget.ts",
    find: "if (used.instances >= max_instances) {",
    replace: "if (used.instances > max_instances) {",
    about: "A graph takes one instance more than it may have, each time that it is full.",
    caughtBy: ["I27-budget"],
  },
  {
    name: "full-graph-admits",
    catalogue: "B74",
    file: "src/protocol/budget.ts",
    find: "return belowBytes(decision, used.bytes, openBytes(max_state_bytes));",
    replace: "return decision;",
    about: "A graph whose state is full still takes messages.",
    caughtBy: ["I27-budget"],
  },
];
