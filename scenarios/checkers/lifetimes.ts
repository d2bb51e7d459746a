/**
 * The checkers that scenarios of lifetimes run: those of the engine that know no workload and, in each life, no other
 * one, and those of lives and blobs.
 *
 * I24-linearizable is left out: its model knows no deletion and no retention. So are the checkers that hold a call
 * against the instance of its id, because a call does not say which life it means, and those that compute with the
 * workload of orders. What is acknowledged is held by I25-lives, turn by turn.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { writeOrder } from "./i02-write-order.ts";
import { tokensUnique } from "./i03-tokens-unique.ts";
import { singleHolder } from "./i04-single-holder.ts";
import { noLostUpdate } from "./i05-no-lost-update.ts";
import { oneTurnPerMessage } from "./i06-one-turn-per-message.ts";
import { turnNumbers } from "./i07-turn-numbers.ts";
import { terminalOnce } from "./i09-terminal-once.ts";
import { noEarlyAttempt } from "./i10-no-early-attempt.ts";
import { oneHome } from "./i13-one-home.ts";
import { indexDerived } from "./i14-index-derived.ts";
import { blobsKept } from "./i15-blobs.ts";
import { gcSafe } from "./i15-gc-safe.ts";
import { horizon } from "./i16-horizon.ts";
import { attemptFence } from "./i19-attempt-fence.ts";
import { absenceProof } from "./i21-absence-proof.ts";
import { leaseGranted } from "./i22-lease-granted.ts";
import { leaseHonoured } from "./i22-lease-honoured.ts";
import { lives } from "./i25-lives.ts";

const IN_EACH_LIFE: readonly Checker<Facts>[] = [
  writeOrder,
  tokensUnique,
  singleHolder,
  noLostUpdate,
  turnNumbers,
  oneHome,
  gcSafe,
  absenceProof,
];
/** Of instances that are never deleted. */
const IN_ONE_LIFE: readonly Checker<Facts>[] = [
  oneTurnPerMessage,
  terminalOnce,
  noEarlyAttempt,
  indexDerived,
  horizon,
  attemptFence,
  leaseHonoured,
  leaseGranted,
];
/** Those that only these scenarios run. */
export const LIFETIME_CHECKERS: readonly Checker<Facts>[] = [lives, blobsKept];

/** `blobs`: whether there are any; without them their checker would have nothing to examine. */
export function lifetimeCheckers(deletes: boolean, blobs: boolean): readonly Checker<Facts>[] {
  const own = blobs ? LIFETIME_CHECKERS : [lives];
  return [...IN_EACH_LIFE, ...(deletes ? [] : IN_ONE_LIFE), ...own];
}

/** Of the first epoch of a graph that is made again; `i25-graphs.ts` looks at all of them. */
export const GRAPH_CHECKERS: readonly Checker<Facts>[] = [
  writeOrder,
  tokensUnique,
  noLostUpdate,
  turnNumbers,
  gcSafe,
];
