/**
 * Claims: a stranger who knows every token of the operator's own workflow changes nothing of it, and nobody else is kept
 * out.
 */
import { buildOwn } from "../build-own.ts";
import { reserved } from "../checkers/i26-reserved.ts";
import { ALWAYS_CHECKERS } from "../checkers/own.ts";
import { ReservedSystem } from "../systems/reserved-system.ts";

export const reservedBesideStrangers = buildOwn({
  name: "reserved-beside-strangers",
  claim:
    "a stranger who knows every token of the operator's own workflow changes nothing of it, and nobody else is kept out",
  faults: {
    rates: {
      "F01-lost-answer": 15,
      "F02-lost-request": 15,
      "F03-late-write": 10,
      "H02-lost-reply": 15,
      "D01-duplicate-request": 10,
      "N01-crash": 4,
    },
    lateByMs: 6_000,
    skewMs: 0,
    downMs: 4_000,
  },
  config: {},
  checkers: [...ALWAYS_CHECKERS, reserved],
  system: (stage, config, space) =>
    new ReservedSystem(
      { nodes: [1, 2], hazards: { death: 0, stall: 0 }, downMs: 4_000 },
      stage,
      config,
      space,
    ),
});
