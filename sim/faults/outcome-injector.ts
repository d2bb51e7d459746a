/**
 * An injector for search: each request draws its outcome from exactly those that it can have, with no rates.
 *
 *   O1  a write can be answered, lose its answer, be lost, land late or be its sender's last; a read can be answered,
 *       go without an answer or be its sender's last. To lose the request of a read or its answer is the same.
 *       A call can be answered, lose its reply or be lost.
 *   O2  a kind of outcome is on when the plan gives it a rate, whatever the rate; 0 is always the answered request.
 *   O3  there is a draw of its own for each sort, `write-outcome`, `read-outcome` and `call-outcome`, so a search knows
 *       without the request which alternatives differ.
 *
 * Other kinds of faults of the plan are not drawn.
 */
import type { StoreOperation } from "../history/history.ts";
import type { ChoiceSource } from "../kernel/choice.ts";
import type { HopFault } from "../kernel/hop.ts";
import type { StoreFaultKind } from "../store/store-faults.ts";
import { FaultInjector } from "./injector.ts";
import type { FaultPlan } from "./plan.ts";

const OF_WRITE: readonly StoreFaultKind[] = [
  "F01-lost-answer",
  "F02-lost-request",
  "F03-late-write",
  "N01-crash",
];
const OF_READ: readonly StoreFaultKind[] = ["F02-lost-request", "N01-crash"];

const OF_CALL = [
  ["H01-lost-call", "call"],
  ["H02-lost-reply", "reply"],
] as const;
const ANSWERED: HopFault = { lost: "none", duplicate: false, lateMs: 0 };

export class OutcomeInjector extends FaultInjector {
  readonly #draws: ChoiceSource;

  constructor(plan: FaultPlan, choices: ChoiceSource, now: () => number) {
    super(plan, choices, now);
    this.#draws = choices;
  }

  override storeFault({ kind }: StoreOperation): StoreFaultKind | null {
    if (!this.enabled) return null;
    const isWrite = kind === "put" || kind === "delete";
    const outcomes = (isWrite ? OF_WRITE : OF_READ).filter((outcome) => this.isOn(outcome));
    if (outcomes.length === 0) return null;
    const drawn = this.#draws.choose(1 + outcomes.length, isWrite ? "write-outcome" : "read-outcome");
    return outcomes[drawn - 1] ?? null;
  }

  override hopFault(): HopFault {
    if (!this.enabled) return ANSWERED;
    const outcomes = OF_CALL.filter(([outcome]) => this.isOn(outcome));
    if (outcomes.length === 0) return ANSWERED;
    const drawn = outcomes[this.#draws.choose(1 + outcomes.length, "call-outcome") - 1];
    if (drawn === undefined) return ANSWERED;
    const [kind, lost] = drawn;
    this.struck(kind);
    return { ...ANSWERED, lost };
  }
}
