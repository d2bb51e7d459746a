/**
 * Which rule a draw means: one draw decides a request or a call, whatever the number of rules.
 *
 *   J1  0 and all low values mean no fault; the top of the range is divided between the rules, in their order.
 *   J2  The layout depends on the plan alone (and on what the run's swarm left out), not on the request, so a draw
 *       keeps its meaning when the requests around it change. A rule whose scope does not hold the request, or whose
 *       budget is used up, is no fault.
 */
import { assert } from "../../src/std/assert.ts";
import type { FaultKind } from "../history/history.ts";
import type { FaultPlan, FaultRule } from "./plan.ts";

export const RANGE = 1000;

/** A rule with its part of the range and what is left of its budget. */
interface Share<K extends FaultKind> {
  readonly from: number;
  readonly to: number;
  readonly kind: K;
  readonly process: string;
  readonly key: string;
  left: number;
}

export class RuleTable<K extends FaultKind> {
  /** From the top of the range down, as far as they are on. */
  readonly #shares: Share<K>[] = [];
  /** Lower draws mean nothing. */
  #lowest = RANGE;

  /** The rules of these kinds, as far as `on` says so. */
  constructor(plan: FaultPlan, kinds: readonly K[], on: ReadonlySet<FaultKind>) {
    let top = RANGE;
    const divide = (kind: K, permille: number, rule: FaultRule | null): void => {
      assert(
        Number.isInteger(permille) && permille >= 0 && permille < top,
        `fault rates below ${RANGE} in all, at ${kind}`,
      );
      const { process = "", key = "", most: left = Number.POSITIVE_INFINITY } = rule ?? {};
      const share = { from: top - permille, to: top, kind, process, key, left };
      top -= permille;
      if (!on.has(kind) || permille === 0) return;
      this.#shares.push(share);
      this.#lowest = share.from;
    };
    for (const kind of kinds) divide(kind, plan.rates[kind] ?? 0, null);
    for (const rule of plan.rules ?? [])
      for (const kind of kinds) if (rule.kind === kind) divide(kind, rule.permille, rule);
  }

  /** Whether no draw means anything. */
  get isEmpty(): boolean {
    return this.#shares.length === 0;
  }

  /** What the draw means for this request; a strike is taken from the budget. */
  at(drawn: number, process: string, key: string): K | null {
    if (drawn < this.#lowest) return null;
    const share = this.#shares.find(({ from, to }) => drawn >= from && drawn < to);
    if (share === undefined || share.left <= 0) return null;
    if (!process.startsWith(share.process) || !key.includes(share.key)) return null;
    share.left -= 1;
    return share.kind;
  }
}
