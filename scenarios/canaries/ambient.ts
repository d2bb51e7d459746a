/**
 * Bugs that go past the ports. No checker sees them: the ambient trap does, in the run in which they happen.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const AMBIENT: readonly PlantedBug[] = [
  {
    name: "real-randomness",
    catalogue: "B57, B60",
    file: "src/documents/backoff.ts",
    find: 'ports.random.below(ceiling, "back-off")',
    replace: "Math.floor(Math.random() * ceiling)",
    about: "The jitter of a back-off comes from Math.random, so a run cannot be repeated.",
    caughtBy: ["ambient-trap"],
  },
];
