/**
 * Claims: a graph that is deleted while others work in it, and made again, begins with nothing, and what was on its way to
 * the old one lands where nobody reads.
 */
import { buildLifetime, LIFETIME_FAULTS } from "../build-lifetime.ts";

export const graphMadeAgain = buildLifetime({
  name: "graph-made-again",
  claim:
    "a graph that is deleted while others work in it, and made again, begins with nothing of the old one",
  faults: LIFETIME_FAULTS,
  nodes: [2, 3],
  workers: [1, 2],
  hazards: { death: 10, stall: 20 },
  aim: null,
  downMs: 4_000,
  config: { graph_heads: true },
  graphs: 2,
  shape: {
    instances: 2,
    lives: 1,
    messages: 3,
    steps: 2,
    repeats: 1,
    repeatMs: 2_000,
    waitMs: 1_500,
    stepMs: 500,
    blobs: false,
  },
});
