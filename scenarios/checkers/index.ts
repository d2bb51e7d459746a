/**
 * All checkers of the engine's invariants, in the order in which their findings are told.
 *
 * Causes stand before consequences: the first violation of a run is the one to look at. Numbers are those of the
 * catalogue of bugs; each checker says in `statement` what it holds and in `blind` what it cannot see. The page of
 * this folder's parent has the table of all of them, and a test holds the table against this list.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { honestRefusals } from "./i01-honest-refusals.ts";
import { writeOrder } from "./i02-write-order.ts";
import { tokensUnique } from "./i03-tokens-unique.ts";
import { noForeignWrite } from "./i04-no-foreign-write.ts";
import { singleHolder } from "./i04-single-holder.ts";
import { acknowledged } from "./i05-acknowledged.ts";
import { noLostUpdate } from "./i05-no-lost-update.ts";
import { stateIsFold } from "./i05-state-is-fold.ts";
import { oneTurnPerMessage } from "./i06-one-turn-per-message.ts";
import { stepsOnce } from "./i06-steps-once.ts";
import { turnNumbers } from "./i07-turn-numbers.ts";
import { replay } from "./i08-replay.ts";
import { controls } from "./i09-controls.ts";
import { terminalOnce } from "./i09-terminal-once.ts";
import { noEarlyAttempt } from "./i10-no-early-attempt.ts";
import { progress } from "./i11-progress.ts";
import { signalConserved } from "./i12-signal-conserved.ts";
import { oneHome } from "./i13-one-home.ts";
import { indexConverges } from "./i14-index-converges.ts";
import { indexDerived } from "./i14-index-derived.ts";
import { gcSafe } from "./i15-gc-safe.ts";
import { horizon } from "./i16-horizon.ts";
import { bounded } from "./i17-bounded.ts";
import { blastRadius } from "./i18-blast-radius.ts";
import { attemptFence } from "./i19-attempt-fence.ts";
import { operations } from "./i19-operations.ts";
import { takeover } from "./i20-takeover.ts";
import { absenceProof } from "./i21-absence-proof.ts";
import { leaseGranted } from "./i22-lease-granted.ts";
import { leaseHonoured } from "./i22-lease-honoured.ts";
import { linearizable } from "./i24-linearizable.ts";

export const ENGINE_CHECKERS: readonly Checker<Facts>[] = [
  honestRefusals,
  writeOrder,
  tokensUnique,
  singleHolder,
  noForeignWrite,
  noLostUpdate,
  acknowledged,
  stateIsFold,
  oneTurnPerMessage,
  stepsOnce,
  turnNumbers,
  replay,
  terminalOnce,
  controls,
  noEarlyAttempt,
  progress,
  signalConserved,
  oneHome,
  indexDerived,
  indexConverges,
  gcSafe,
  horizon,
  bounded,
  blastRadius,
  attemptFence,
  operations,
  takeover,
  absenceProof,
  leaseHonoured,
  leaseGranted,
  linearizable,
];

/**
 * The invariants that say that something happens in time. A wrong clock may delay work, so they need not hold for
 * every assignment of clocks; all others do.
 */
export const LIVENESS: ReadonlySet<string> = new Set([
  "I11-progress",
  "I14-index-converges",
  "I18-blast-radius",
  "I20-takeover",
]);
