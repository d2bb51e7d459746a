/**
 * The configuration of a node, with the seed's defaults.
 *
 * Source: seed 000 "Enable and try it" (poll and reconcile intervals) and "Storage" (namespace).
 */
export interface EngineConfig {
  readonly tenant: string;
  readonly graph: string;
  /** Rises each time the graph is deleted and created again. */
  readonly epoch: number;
  /** A node trusts its copy of the scheduling index for this long, milliseconds. */
  readonly poll_ms: number;
  /** Time between two listings that repair the index, milliseconds. */
  readonly reconcile_ms: number;
}

export const DEFAULT_CONFIG: EngineConfig = {
  tenant: "local",
  graph: "main",
  epoch: 1,
  poll_ms: 1_000,
  reconcile_ms: 30_000,
};
