/**
 * Whether a turn would fit into its 256 KiB, as far as its content says: the model does not know how a turn is stored.
 *
 *   S11  a full turn refuses what brings content in (steps, signals, operations, progress, completions), and nothing else.
 *
 * Above the upper bound of what can be stored it must be refused, below the lower one it must not be; between them the
 * engine's word counts.
 */
import type { Json } from "../../../src/std/json.ts";
import { OWN_WORDS } from "./expectation.ts";
import { bytesOf } from "./show.ts";
import type { Operation, Turn } from "./world.ts";

const LIMIT = 256 * 1024;
/** Names, numbers and field names of a turn, its holders and its failure's text; of a step or a signal. */
const TURN_BYTES = 24 * 1024;
const ITEM_BYTES = 700;

/** With these values added, and this operation in place of its own. */
export function fitOf(
  turn: Turn,
  added: readonly Json[],
  operation: Pick<Operation, "details" | "checkpoint"> | null,
): "fits" | "unsure" | "too-large" {
  let content = bytesOf(turn.message);
  for (const value of added) content += bytesOf(value);
  for (const { output } of turn.steps) content += bytesOf(output);
  for (const { value } of turn.signals) content += bytesOf(value);
  if (operation !== null) content += bytesOf(operation.details) + bytesOf(operation.checkpoint);
  if (content > LIMIT) return "too-large";
  return content + slack(turn, added.length) > LIMIT ? "unsure" : "fits";
}

/** `engineSays`: that it is too large. */
export function isTooLarge(
  turn: Turn,
  added: readonly Json[],
  operation: Pick<Operation, "details" | "checkpoint"> | null,
  engineSays: boolean,
): boolean {
  const fit = fitOf(turn, added, operation);
  return fit === "too-large" || (fit === "unsure" && engineSays);
}

function slack({ error, steps, signals, migrations }: Turn, added: number): number {
  const words = error === null || error === OWN_WORDS ? 0 : bytesOf(error);
  return words + TURN_BYTES + ITEM_BYTES * (steps.length + signals.length + migrations.length + added);
}
