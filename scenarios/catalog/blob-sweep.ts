/**
 * Claims: the sweep takes no blob that a state, a waiting message or a kept turn names, however late its name is written.
 */
import { buildLifetime, LIFETIME_FAULTS } from "../build-lifetime.ts";

export const blobSweep = buildLifetime({
  name: "blob-sweep",
  claim:
    "the sweep takes no blob that a state, a message or a kept turn names, and what is read is what was put",
  faults: LIFETIME_FAULTS,
  nodes: [2, 3],
  workers: [1, 2],
  hazards: { death: 30, stall: 20 },
  aim: null,
  downMs: 4_000,
  config: { history_keep_turns: 1, history_keep_ms: 500 },
  shape: {
    instances: 2,
    lives: 1,
    messages: 12,
    steps: 2,
    repeats: 1,
    repeatMs: 3_000,
    waitMs: 5_000,
    stepMs: 200,
    blobs: true,
  },
});
