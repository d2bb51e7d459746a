/**
 * What a worker has at hand while it makes an attempt: its node, its clock, the world outside, and its own process.
 */
import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { WorkflowVersion } from "../../src/index.ts";
import type { Hazards } from "./hazards.ts";
import type { NodeClient } from "./node-client.ts";
import type { Outside } from "./outside.ts";

export interface Workshop {
  readonly simulation: Simulation;
  readonly context: ProcessContext;
  readonly client: NodeClient;
  readonly outside: Outside;
  readonly hazards: Hazards;
  readonly self: Process<unknown>;
  /** Its code: then it sometimes asks for the next turn as it completes one, and holds checkpoints back. Absent: never. */
  readonly serves?: readonly WorkflowVersion[];
}
