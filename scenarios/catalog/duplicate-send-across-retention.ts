/**
 * Claims: a message id that comes again is the same turn as long as the turn is kept and a new one afterwards, over many
 * pages of message ids and whoever answers.
 */
import { buildLifetime, LIFETIME_FAULTS } from "../build-lifetime.ts";

export const duplicateSendAcrossRetention = buildLifetime({
  name: "duplicate-send-across-retention",
  claim: "a message that is sent again is one turn as long as that is kept, and a new one once it was pruned",
  faults: LIFETIME_FAULTS,
  nodes: [2, 3],
  workers: [1, 2],
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 4_000,
  config: { history_keep_turns: 2, history_keep_ms: 2_000 },
  shape: {
    instances: 2,
    lives: 1,
    messages: 8,
    steps: 1,
    repeats: 4,
    repeatMs: 6_000,
    waitMs: 1_500,
    stepMs: 0,
    blobs: false,
  },
});
