/**
 * The configuration of a node, with the seed's defaults.
 *
 * Source: seed 000 "Enable and try it" (poll and reconcile intervals), "Storage" (namespace, budget) and "LBB's own
 * workflow types".
 */

import type { HistoryRules } from "../documents/history.ts";
import type { Savings } from "../documents/instances.ts";
import type { Budget } from "../protocol/budget.ts";
import { DEFAULT_LAYOUT } from "../vocabulary/history-layout.ts";
import { LIMITS } from "../vocabulary/limits.ts";

export interface ReservedNames {
  /** Workflow types that begin so belong to the operator's own workers; empty: none do. */
  readonly reserved_prefix: string;
  /** Ids of instances that only the operator's own workers create. */
  readonly reserved_ids: readonly string[];
}

export interface EngineConfig extends ReservedNames, Budget, HistoryRules, Savings {
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
  /**
   * Objects that the scheduling index is cut into, 1 to 16; the same at all nodes of a graph. Each node writes each of them
   * once in a second at most, so one is enough for as many nodes as the store takes writes of a key in a second. More of
   * them are smaller each. Who waits for work looks at one that has long been quiet in each sixth poll only (with less than
   * four shards: half more polls than shards; with one: in each), so that a quiet graph costs about one read in each
   * `poll_ms` all the same: what is found within `poll_ms` with one shard takes up to six times that with four.
   */
  readonly index_shards: number;
  /** Writes that the store takes of one key within a second; null: no limit is known, and a node learns from refusals. */
  readonly key_writes_per_second: number | null;
  /** Instances that the graph may have. */
  readonly max_instances: number;
  /** Current state that the graph may hold, UTF-8 bytes. */
  readonly max_state_bytes: number;
  /** Turns of a block of history, at most 64; of instances that begin from now on. */
  readonly history_segment_turns: number;
  /** Turns whose message ids stand on one page, at most 256; of instances that begin from now on. */
  readonly history_page_turns: number;
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
  remember_identities: true,
  group_commit: true,
  history_tail_chars: 64 * 1024,
  history_segment_turns: DEFAULT_LAYOUT.segment_turns,
  history_page_turns: DEFAULT_LAYOUT.page_turns,
  defer_index: true,
  index_shards: 1,
  key_writes_per_second: null,
  reserved_prefix: "lbb.",
  reserved_ids: ["model-checks", "search-tuning", "model-trials", "calibration"],
};

/**
 * For a store on this machine's own disk, where a write costs by its bytes and one more write next to nothing: finished
 * turns leave the identity sooner than they would for a store that is paid by the request.
 */
export const EMBEDDED_CONFIG: EngineConfig = { ...DEFAULT_CONFIG, history_tail_chars: 8 * 1024 };
