/**
 * What authors of workflows use: the definition, the context's types, the worker.
 */

export { type AnsweredFailure, BatonError, isAnswered } from "./baton-error.ts";
export { type Script, ScriptedServer, scriptedOptions, scriptedWorkflow } from "./conformance/index.ts";
export type {
  ChildEnd,
  ChildOptions,
  Continuation,
  NamedVersion,
  ProgressValues,
  RequeueOptions,
  Signalled,
  SignalWait,
  StepContext,
  StepOptions,
  StepWork,
  TurnResult,
  WorkflowContext,
} from "./context.ts";
export {
  type Outcome,
  type Starter,
  type Workflow,
  type WorkflowDefinition,
  workflow,
} from "./definition.ts";
export { toJson } from "./json-values.ts";
export { RETRY_LIMITS, type RetryPorts, type Tried, withRetries } from "./retries.ts";
export { retryingSource, workerHost } from "./retrying-source.ts";
export type { SampleEffect, StandIns } from "./sample-run.ts";
export type { SampleReplies, SampleSignal } from "./sample-turns.ts";
export { DOCUMENTED, type WorkerSavings } from "./savings.ts";
export { type Sample, type SampleRun, type SampleTurn, testWorkflow } from "./test-kit.ts";
export type { TurnEnd } from "./turn-run.ts";
export type { TurnSource, WorkerHost } from "./turn-source.ts";
export { type WorkerEvent, type WorkerOptions, WorkflowWorker } from "./worker.ts";
export { WorkflowError, WorkflowUsageError, WorkflowWait } from "./workflow-errors.ts";
