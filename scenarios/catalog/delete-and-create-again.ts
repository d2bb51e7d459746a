/**
 * Claims: an instance that is deleted while a claim, a completion and late writes are in flight is gone with everything
 * that belonged to it, and its id lives again without meeting a turn, a token or an effect id of the life before.
 */
import { buildLifetime, LIFETIME_FAULTS } from "../build-lifetime.ts";

export const deleteAndCreateAgain = buildLifetime({
  name: "delete-and-create-again",
  claim:
    "an instance that is deleted while others write to it is gone with all that belonged to it, and its next life meets nothing of it",
  faults: LIFETIME_FAULTS,
  nodes: [2, 3],
  workers: [1, 3],
  hazards: { death: 15, stall: 25 },
  aim: { at: "index-late", permille: 400 },
  downMs: 4_000,
  config: {},
  shape: {
    instances: 2,
    lives: 3,
    messages: 3,
    steps: 2,
    repeats: 1,
    repeatMs: 2_000,
    waitMs: 1_500,
    stepMs: 800,
    blobs: true,
  },
});
