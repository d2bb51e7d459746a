/**
 * Randomness that only spreads load: jitter, shuffles. Never used for identity (`ids`) or for safety.
 */
export interface Random {
  /** An integer in [0, n), n at least 1. `label` says what for. */
  below(n: number, label: string): number;
}
