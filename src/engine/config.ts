/**
 * The configuration of a node, with the seed's defaults.
 *
 * Source: seed 000 "Enable and try it" (poll and reconcile intervals), "Storage" (namespace, budget) and "LBB's own
 * workflow types".
 */
import type { Savings } from "../documents/instances.ts";
import type { Budget } from "../protocol/budget.ts";
import type { Retention } from "../protocol/retention.ts";
import { LIMITS } from "../vocabulary/limits.ts";

export interface ReservedNames {
  /** Workflow types that begin so belong to the operator's own workers; empty: none do. */
  readonly reserved_prefix: string;
  /** Ids of instances that only the operator's own workers create. */
  readonly reserved_ids: readonly string[];
}

export interface EngineConfig extends ReservedNames, Budget, Retention, Savings {
  readonly tenant: string;
  readonly graph: string;
  /** Rises each time the graph is deleted and created again. */
  readonly epoch: number;
  /**
   * Whether the graph can be created and deleted: then its head says which epoch is the present one, and `epoch` is not
   * looked at. Else there is one epoch, which was always there.
   */
  readonly graph_heads: boolean;
  /** A node trusts its copy of the scheduling index for this long, milliseconds. */
  readonly poll_ms: number;
  /** Time between two listings that repair the index, milliseconds. */
  readonly reconcile_ms: number;
  /** Instances that the graph may have. */
  readonly max_instances: number;
  /** Current state that the graph may hold, UTF-8 bytes. */
  readonly max_state_bytes: number;
}

export const DEFAULT_CONFIG: EngineConfig = {
  tenant: "local",
  graph: "main",
  epoch: 1,
  graph_heads: false,
  poll_ms: 1_000,
  reconcile_ms: 30_000,
  max_instances: LIMITS.graphInstances,
  max_state_bytes: LIMITS.graphBytes,
  history_keep_turns: 256,
  history_keep_ms: 24 * 3_600_000,
  history_generation_turns: 256,
  remember_identities: true,
  group_commit: true,
  reserved_prefix: "lbb.",
  reserved_ids: ["model-checks", "search-tuning", "model-trials", "calibration"],
};
