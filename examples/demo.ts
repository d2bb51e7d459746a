/**
 * What an example is: the workflows that a worker serves, and what somebody does with them.
 */
import type { WorkflowClient } from "../src/client/index.ts";
import type { Workflow } from "../src/workflow/index.ts";

export interface Demo {
  readonly workflows: readonly Workflow[];
  /** Drives one instance and answers what came of it. */
  run(client: WorkflowClient, id: string): Promise<unknown>;
}
