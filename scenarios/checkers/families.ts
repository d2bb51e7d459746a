/**
 * The checkers that family scenarios run: those of the engine that need to know no workload, and those of families.
 *
 * Left out are those that compute with the workload of orders (their states, their steps, their effects), and the ones
 * that ask for each change which command made it: nobody calls for a child, for the reply of one, or for a deferred
 * message to become a turn. I24-linearizable is left out, too: its model knows neither children, whose creation is no
 * call, nor migrations, nor messages that are sent back; `baton compare` holds them against the exact model.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { writeOrder } from "./i02-write-order.ts";
import { tokensUnique } from "./i03-tokens-unique.ts";
import { singleHolder } from "./i04-single-holder.ts";
import { noLostUpdate } from "./i05-no-lost-update.ts";
import { requeuedOnce } from "./i06-requeued-once.ts";
import { turnNumbers } from "./i07-turn-numbers.ts";
import { migration } from "./i08-migration.ts";
import { terminalOnce } from "./i09-terminal-once.ts";
import { noEarlyAttempt } from "./i10-no-early-attempt.ts";
import { childReplies } from "./i12-child-replies.ts";
import { oneHome } from "./i13-one-home.ts";
import { indexConverges } from "./i14-index-converges.ts";
import { indexDerived } from "./i14-index-derived.ts";
import { attemptFence } from "./i19-attempt-fence.ts";
import { absenceProof } from "./i21-absence-proof.ts";
import { leaseGranted } from "./i22-lease-granted.ts";
import { leaseHonoured } from "./i22-lease-honoured.ts";

export const GENERAL_CHECKERS: readonly Checker<Facts>[] = [
  writeOrder,
  tokensUnique,
  singleHolder,
  noLostUpdate,
  turnNumbers,
  terminalOnce,
  noEarlyAttempt,
  oneHome,
  indexDerived,
  indexConverges,
  attemptFence,
  absenceProof,
  leaseHonoured,
  leaseGranted,
];
export const FAMILY_CHECKERS: readonly Checker<Facts>[] = [requeuedOnce, migration, childReplies];
