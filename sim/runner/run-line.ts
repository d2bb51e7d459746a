/**
 * The runs of a campaign in their order, begun ahead of the one that is waited for.
 *
 * Owns which runs there are (G1, G5), how many are under way, and which are dropped because their scenario was left out
 * after they were begun (G3, G4). Does not own what is made of them (`campaign.ts`).
 */
import { type CampaignPlan, type MadeRun, runSeed } from "./campaign-plan.ts";
import type { Scenario } from "./scenario.ts";

interface BegunRun {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly made: Promise<MadeRun>;
}

export class RunLine {
  readonly #plan: CampaignPlan;
  readonly #end: number;
  readonly #leftOut = new Set<string>();
  readonly #begun: BegunRun[] = [];
  #index = 0;

  constructor(plan: CampaignPlan) {
    this.#plan = plan;
    this.#end = plan.runs ?? Number.POSITIVE_INFINITY;
  }

  /** In the order in which they were left out. */
  get leftOut(): readonly string[] {
    return [...this.#leftOut];
  }

  /** Whether there is no further run. */
  get ended(): boolean {
    return this.#begun.length === 0 && !this.#goesOn();
  }

  /** The next run to wait for; null: that was the last one. */
  next(): BegunRun | null {
    this.#begin();
    return this.#begun.shift() ?? null;
  }

  /** From now on no run of this scenario counts. */
  leaveOut(scenario: Scenario): void {
    this.#leftOut.add(scenario.name);
    const kept = this.#begun.filter((run) => run.scenario.name !== scenario.name);
    this.#begun.splice(0, this.#begun.length, ...kept);
  }

  #begin(): void {
    const { scenarios, ahead = 1, firstSeed } = this.#plan;
    while (this.#begun.length < ahead && this.#goesOn()) {
      const i = this.#index++;
      const scenario = scenarios[i % scenarios.length];
      if (scenario === undefined || this.#leftOut.has(scenario.name) || !this.#isMine(i)) continue;
      const seed = runSeed(firstSeed, i);
      const made = this.#plan.execute(scenario, seed);
      // Whoever waits for it hears of its failure; one that is dropped fails unheard.
      made.catch(() => undefined);
      this.#begun.push({ scenario, seed, made });
    }
  }

  #goesOn(): boolean {
    return this.#index < this.#end && this.#leftOut.size < this.#plan.scenarios.length;
  }

  #isMine(i: number): boolean {
    const { shard, scenarios } = this.#plan;
    return shard === undefined || Math.floor(i / scenarios.length) % shard.of === shard.index;
  }
}
