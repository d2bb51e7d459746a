/**
 * What can be searched in all its orders: a small scenario that says where the search begins.
 *
 *   P1  Before `begun` nothing is searched: events come in the order of time, and no fault strikes. So a state that
 *       takes many steps to reach costs none of them.
 *   P2  The faults phase ends by time and not earlier (`finished` is false until the heal). When it ended with the
 *       last step, what is still under way then would be cut off, and a replay could not tell where.
 *   P3  A scenario that is about one decision says when that is `settled`. What happens afterwards comes in the order of
 *       time and without faults, and costs nothing; orders count as different by what came before.
 *   P4  The number of orders grows with the number of steps to the power of those who take them; a scenario with
 *       more than about thirty steps after its beginning is not searched to its end in minutes.
 */
import type { Production, Scenario, Stage } from "../../runner/index.ts";

export interface SearchedProduction extends Production {
  /** Whether the search has begun. Once true it stays so. Asked between events. */
  begun(): boolean;
  /** Whether everybody has done what he had to do. Asked between events. */
  done(): boolean;
  /** Whether what it is about is decided, and everybody knows (P3). Once true it stays so. Asked between events. */
  settled?(): boolean;
}

/** A scenario for the search. Its fault plan has `outcomes`. */
export interface Exploration extends Scenario {
  build(stage: Stage): SearchedProduction;
}
