/**
 * Decides from a fault plan and the run's choices which fault strikes what, and counts those that did.
 *
 *   J1  One draw decides a request or a call, whatever the number of fault kinds: 0 and all low values mean no
 *       fault, the top of the range is divided between the kinds that are on.
 *   J2  The layout of the range depends on the plan alone, not on the request, so a draw keeps its meaning when
 *       the requests around it change. A fault that does not apply to the request is no fault.
 *   J3  Nothing is drawn while the faults are off, or for a plan without faults of that sort.
 */
import { assert } from "../../src/std/assert.ts";
import type { FaultKind, StoreOperation } from "../history/history.ts";
import type { ChoiceSource } from "../kernel/choice.ts";
import type { HopFault } from "../kernel/hop.ts";
import type { StoreFaultKind, StoreFaults } from "../store/store-faults.ts";
import type { FaultPlan } from "./plan.ts";

const RANGE = 1000;

const STORE_KINDS = [
  "F01-lost-answer",
  "F02-lost-request",
  "F03-late-write",
  "F04-hidden-retry",
  "F05-conflict-409",
  "F06-throttle",
  "N01-crash",
  "N02-pause",
] as const satisfies readonly StoreFaultKind[];

const HOP_KINDS = ["H01-lost-call", "H02-lost-reply", "D01-duplicate-request"] as const;

const SOUND: HopFault = { lost: "none", duplicate: false };
const HOP_FAULTS: Record<(typeof HOP_KINDS)[number], HopFault> = {
  "H01-lost-call": { lost: "call", duplicate: false },
  "H02-lost-reply": { lost: "reply", duplicate: false },
  "D01-duplicate-request": { lost: "none", duplicate: true },
};

const NO_COUNTS: Record<FaultKind, number> = {
  "F01-lost-answer": 0,
  "F02-lost-request": 0,
  "F03-late-write": 0,
  "F04-hidden-retry": 0,
  "F05-conflict-409": 0,
  "F06-throttle": 0,
  "N01-crash": 0,
  "N02-pause": 0,
  "C01-skew": 0,
  "D01-duplicate-request": 0,
  "H01-lost-call": 0,
  "H02-lost-reply": 0,
};

export class FaultInjector implements StoreFaults {
  /** Off from the heal on. What was decided before still takes its course. */
  enabled = true;
  /** Installed by whoever runs the processes: crashes this one now and restarts it later. */
  crash: ((process: string) => void) | null = null;
  /** Installed by whoever runs the processes: pauses this one now and resumes it later. */
  pause: ((process: string) => void) | null = null;
  /** Faults that took effect. */
  readonly counts: Record<FaultKind, number>;

  readonly #plan: FaultPlan;
  readonly #choices: ChoiceSource;
  readonly #storeTable: readonly (StoreFaultKind | null)[];
  readonly #hopTable: readonly ((typeof HOP_KINDS)[number] | null)[];

  constructor(plan: FaultPlan, choices: ChoiceSource) {
    this.#plan = plan;
    this.#choices = choices;
    this.#storeTable = tableOf(plan, STORE_KINDS);
    this.#hopTable = tableOf(plan, HOP_KINDS);
    this.counts = { ...NO_COUNTS };
  }

  get lateByMs(): number {
    return this.#plan.lateByMs;
  }

  storeFault(kind: StoreOperation["kind"], conditional: boolean): StoreFaultKind | null {
    if (!this.enabled || this.#storeTable.length === 0) return null;
    const fault = this.#storeTable[this.#choices.choose(RANGE, "store-fault")] ?? null;
    if (fault === "F03-late-write") return kind === "put" || kind === "delete" ? fault : null;
    if (fault === "F05-conflict-409") return conditional ? fault : null;
    return fault;
  }

  /** What becomes of a call; counted at once, for nothing can keep it from taking effect. */
  hopFault(): HopFault {
    if (!this.enabled || this.#hopTable.length === 0) return SOUND;
    const kind = this.#hopTable[this.#choices.choose(RANGE, "hop-fault")];
    if (kind === undefined || kind === null) return SOUND;
    this.struck(kind);
    return HOP_FAULTS[kind];
  }

  /** How far this process's wall clock is off, in [-skewMs, skewMs]: 0, 1, -1, 2, -2 … by the value drawn. */
  skew(_process: string): number {
    if (!this.enabled || this.#plan.skewMs === 0) return 0;
    const drawn = this.#choices.choose(2 * this.#plan.skewMs + 1, "clock-skew");
    if (drawn === 0) return 0;
    this.struck("C01-skew");
    return drawn % 2 === 1 ? (drawn + 1) / 2 : -(drawn / 2);
  }

  struck(kind: FaultKind): void {
    this.counts[kind] += 1;
  }
}

/** For each value of the draw the fault that it means; empty when no kind is on. */
function tableOf<K extends FaultKind>(plan: FaultPlan, kinds: readonly K[]): readonly (K | null)[] {
  const table = new Array<K | null>(RANGE).fill(null);
  let top = RANGE;
  for (const kind of kinds) {
    const rate = plan.rates[kind] ?? 0;
    assert(
      Number.isInteger(rate) && rate >= 0 && rate < top,
      `fault rates below ${RANGE} in all, at ${kind}`,
    );
    table.fill(kind, top - rate, top);
    top -= rate;
  }
  return top === RANGE ? [] : table;
}
