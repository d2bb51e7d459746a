/**
 * Claims: when several senders bring messages and signals to one instance through one node at once, and the store falls
 * silent in the middle of it, each is told what became of its own, and each message is one turn with a place of its own.
 */

import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const sendersAtOnce = buildScenario({
  name: "senders-at-once",
  claim:
    "of several senders at one node each is told what became of its own message, also when the store falls silent",
  faults: { ...NO_FAULTS, rates: { "F01-lost-answer": 10, "N01-crash": 2 }, downMs: 4_000 },
  nodes: [1, 2],
  workers: [2, 3],
  reader: false,
  hazards: { death: 0, stall: 0 },
  aim: { at: "outage", permille: 8 },
  downMs: 4_000,
  shape: {
    ...PLAIN_SHAPE,
    instances: 2,
    messages: 6,
    steps: 1,
    depth: 0,
    retryable: 0,
    stepThirds: [0],
    spreadMs: 50,
    crowded: true,
    waits: { ...NO_WAITS, signals: 2, afterMs: 200 },
  },
});
