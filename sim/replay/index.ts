/**
 * Replay files, and runs made from them.
 */
export { listReplays, readReplay, writeReplay } from "./files.ts";
export { parseReplay, REPLAY_FORMAT, type Refusal, renderReplay } from "./format.ts";
export { GuidedSource } from "./guided-source.ts";
export { runWithOtherClocks } from "./other-clocks.ts";
export { guidedRun, replayRun } from "./replay.ts";
export type { OutcomeSummary, ReplayFile, ShrinkSummary } from "./replay-file.ts";
export { type Place, placesOf, type Streams, streamsOf } from "./streams.ts";
