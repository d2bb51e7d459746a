/**
 * Several threads that make the runs of one campaign.
 *
 * Owns which thread makes which run, which no result depends on. Does not own the order in which runs are counted:
 * that is the campaign, which asks for runs ahead of the one it waits for.
 *
 *   L1  A run that did not pass is made once more here. When that run is another one, it is told as a divergence: the
 *       same seed gave two runs. One after the other, for a run has the whole thread to itself.
 *   L2  When a thread is gone, every run that is asked for fails.
 */
import type { MadeRun, Scenario } from "../../../sim/index.ts";
import type { CountedRun } from "./run-settings.ts";
import type { Thread, ThreadAnswer } from "./thread.ts";

/** Requests that a thread holds, so that it never waits for the next one: two parcels of answers. */
export const RUNS_AHEAD_PER_THREAD = 16;

interface Asked {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly lane: number;
  readonly resolve: (made: MadeRun | Promise<MadeRun>) => void;
  readonly reject: (error: unknown) => void;
}

export class RunPool {
  readonly #threads: readonly Thread[];
  readonly #remake: (scenario: Scenario, seed: number) => Promise<CountedRun>;
  readonly #asked = new Map<number, Asked>();
  readonly #loads: number[];
  #gone: { readonly error: unknown } | null = null;
  #ids = 0;
  #remade: Promise<unknown> = Promise.resolve();

  constructor(threads: readonly Thread[], remake: (scenario: Scenario, seed: number) => Promise<CountedRun>) {
    this.#threads = threads;
    this.#remake = remake;
    this.#loads = threads.map(() => 0);
    for (const thread of threads) {
      thread.listen(
        (answers) => {
          for (const answer of answers) this.#answered(answer);
        },
        (error) => this.#failed(error),
      );
    }
  }

  make(scenario: Scenario, seed: number): Promise<MadeRun> {
    return new Promise((resolve, reject) => {
      if (this.#gone !== null) {
        reject(this.#gone.error);
        return;
      }
      const lane = this.#loads.indexOf(Math.min(...this.#loads));
      const id = ++this.#ids;
      this.#asked.set(id, { scenario, seed, lane, resolve, reject });
      this.#loads[lane] = (this.#loads[lane] ?? 0) + 1;
      this.#threads[lane]?.ask({ id, scenario: scenario.name, seed });
    });
  }

  /** Ends the threads; runs that are under way are never answered. */
  end(): void {
    for (const thread of this.#threads) thread.end();
  }

  #answered(answer: ThreadAnswer): void {
    const asked = this.#asked.get(answer.id);
    if (asked === undefined) return;
    this.#asked.delete(answer.id);
    this.#loads[asked.lane] = (this.#loads[asked.lane] ?? 1) - 1;
    if (answer.kind === "broken") asked.reject(new Error(answer.error));
    else if (!answer.passed) {
      const again = this.#remade.then(() => this.#again(asked, answer.fingerprint));
      this.#remade = again.catch(() => undefined);
      asked.resolve(again);
    } else {
      const { fingerprint, stats, points } = answer;
      const made = { scenario: asked.scenario.name, outcome: { kind: "pass" } as const, fingerprint, stats };
      asked.resolve(points === undefined ? made : { ...made, points });
    }
  }

  /** L1. */
  async #again({ scenario, seed }: Asked, fingerprint: string): Promise<MadeRun> {
    const result = await this.#remake(scenario, seed);
    if (result.fingerprint === fingerprint) return result;
    const recorded = `a run that did not pass, with fingerprint ${fingerprint}, in a thread`;
    const now = `fingerprint ${result.fingerprint}`;
    return { ...result, outcome: { kind: "divergence", step: 0, recorded, now } };
  }

  #failed(error: unknown): void {
    this.#gone ??= { error };
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }
}
