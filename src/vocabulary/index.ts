/**
 * The nouns of the domain, with their limits and failures.
 */
export { type Failure, type FailureKind, failure } from "./errors.ts";
export type { IndexEntry, Schedule, SchedulingIndex } from "./index-entry.ts";
export { type Instance, type InstanceStatus, LINEAGE_LENGTH, type WriteStamp } from "./instance.ts";
export { CONTINUATION_PREFIX, DEFAULTS, LEASE_MS, LIMITS, MAX_ATTEMPTS } from "./limits.ts";
export { isName, NAME_RULE } from "./names.ts";
export type {
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  CreateRequest,
  FailRequest,
  HistoryRequest,
  LeaseRequest,
  ListRequest,
  SendRequest,
  WorkflowVersion,
} from "./requests.ts";
export {
  type EndedAttempt,
  type Holder,
  isFinished,
  type Step,
  type StepKind,
  type Turn,
  type TurnStatus,
} from "./turn.ts";
export type { HistoryPage, InstancePage, InstanceView, StepView, Task, TurnView } from "./view.ts";
