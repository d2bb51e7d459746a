/**
 * The view of a turn's progress, for details that follow the convention (`vocabulary/progress.ts`). It is made on each
 * read and never stored.
 */
import { isJsonObject, type JsonObject } from "../std/json.ts";
import { rfc3339 } from "../std/rfc3339.ts";
import { isCount, progressFault } from "../vocabulary/progress.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { ProgressView } from "../vocabulary/view.ts";

/** The progress of the turn's operation, or null when it has none in the convention's shape. */
export function progressView(turn: Turn): ProgressView | null {
  const { operation } = turn;
  if (operation === null || progressFault(operation.details) !== null) return null;
  const details: JsonObject | null = isJsonObject(operation.details) ? operation.details : null;
  if (details === null || typeof details.phase !== "string" || !isCount(details.done)) return null;
  return {
    phase: details.phase,
    done: details.done,
    total: isCount(details.total) ? details.total : null,
    unit: typeof details.unit === "string" ? details.unit : null,
    started_at: rfc3339(operation.started_at_ms),
    heartbeat_at: rfc3339(operation.last_heartbeat_ms),
  };
}
