/**
 * How the history of a run's instances is cut, drawn for each run: so small that a few turns fill blocks and pages.
 *
 * A source of zeroes draws the smallest: a block and a page for each turn. A short tail makes turns move before their
 * block is full, so that blocks have several segments.
 */
import type { ChoiceSource } from "../../sim/index.ts";
import type { EngineConfig } from "../../src/index.ts";

type HistoryConfig = Pick<
  EngineConfig,
  "history_segment_turns" | "history_page_turns" | "history_tail_chars"
>;

const SIZES = [1, 2, 4] as const;
/** That of the engine's defaults, and about one turn. */
const TAIL_CHARS = [64 * 1024, 600] as const;

export function drawHistory(choices: ChoiceSource): HistoryConfig {
  return {
    history_segment_turns: SIZES[choices.choose(SIZES.length, "segment-turns")] ?? 1,
    history_page_turns: SIZES[choices.choose(SIZES.length, "page-turns")] ?? 1,
    history_tail_chars: TAIL_CHARS[choices.choose(TAIL_CHARS.length, "tail-chars")] ?? 0,
  };
}
