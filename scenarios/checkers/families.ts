/**
 * The checkers that family scenarios run: those of the engine that need to know no workload, and those of families.
 *
 * I24-linearizable is left out: its model knows neither children, whose creation is no call, nor migrations, nor messages
 * that are sent back. So are the checkers that compute with the workload of orders, and those that ask for each change
 * which command made it (`changes.ts`): a child that begins with a turn, a migration and a deferred message that becomes
 * a turn are no changes that they know.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { writeOrder } from "./i02-write-order.ts";
import { tokensUnique } from "./i03-tokens-unique.ts";
import { requeuedOnce } from "./i06-requeued-once.ts";
import { turnNumbers } from "./i07-turn-numbers.ts";
import { migration } from "./i08-migration.ts";
import { childReplies } from "./i12-child-replies.ts";
import { oneHome } from "./i13-one-home.ts";
import { indexConverges } from "./i14-index-converges.ts";
import { indexDerived } from "./i14-index-derived.ts";

export const GENERAL_CHECKERS: readonly Checker<Facts>[] = [
  writeOrder,
  tokensUnique,
  turnNumbers,
  oneHome,
  indexDerived,
  indexConverges,
];
export const FAMILY_CHECKERS: readonly Checker<Facts>[] = [requeuedOnce, migration, childReplies];
