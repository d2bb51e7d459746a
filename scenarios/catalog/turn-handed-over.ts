/**
 * Claims: a message that comes to an instance with nothing to do goes to a claim that waits for just that code, never while
 * a person has paused the instance, and never to two.
 *
 * Instances are idle most of the time and workers wait, so that most turns are given in the write that admits them, or in
 * the one that completes the turn before. People pause in between, mostly while nothing is there to be claimed.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const turnHandedOver = buildScenario({
  name: "turn-handed-over",
  claim:
    "a message to an idle instance goes to one claim that waits for its code, and to none while the instance is paused",
  faults: { ...NO_FAULTS, rates: { "H02-lost-reply": 10, "F01-lost-answer": 10 } },
  nodes: [1, 2],
  workers: [2, 4],
  reader: false,
  hazards: { death: 0, stall: 0 },
  aim: { at: "identity-mute", permille: 80 },
  downMs: 0,
  shape: {
    ...PLAIN_SHAPE,
    instances: 2,
    messages: 5,
    steps: 1,
    depth: 0,
    retryable: 0,
    stepThirds: [0, 1],
    spreadMs: 1_500,
    versions: ["v1", "v2"],
    waits: { ...NO_WAITS, actions: ["pause"], controls: 2, afterMs: 1_000 },
  },
});
