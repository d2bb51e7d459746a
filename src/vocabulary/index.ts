/**
 * The nouns of the domain, with their limits and failures: what every other folder may import.
 *
 * Stored shapes, requests and views are apart, though they look alike: a stored one changes only with a format, a request
 * and a view with the contract. What is not here is nobody's business outside this folder.
 *
 * What is stored (instance, turn, index entry), what is asked (requests) and what is shown (views) are three sets of
 * types: a document never leaves the engine as it is, and no request is stored as it came. `GLOSSARY.md` says what each
 * word means.
 *
 * Limits are in one place, names and failures in one each; whatever a configuration may change is in the engine.
 *
 * Everything here is data: no function of this folder reads a store or a clock.
 */
export type { Caller } from "./caller.ts";
export { type Failure, type FailureKind, failure } from "./errors.ts";
export type { GraphHead } from "./graph-head.ts";
export { DEFAULT_LAYOUT, type HistoryLayout, PAGE_TURNS, SEGMENT_TURNS } from "./history-layout.ts";
export type { IndexEntry, Schedule, SchedulingIndex } from "./index-entry.ts";
export {
  type DeferredMessage,
  type HistoryMark,
  type Instance,
  type InstanceStatus,
  LINEAGE_LENGTH,
  type NamedBlobs,
  type OnExhausted,
  type WriteStamp,
} from "./instance.ts";
export {
  CHILD_PREFIX,
  CONTINUATION_PREFIX,
  DEFAULTS,
  LEASE_MS,
  LIMITS,
  MAX_ATTEMPTS,
  OPERATION_MS,
  REPLY_PREFIX,
  REQUEUE_DELAYS_MS,
  REQUEUE_PREFIX,
  RETRY_AHEAD_MS,
  SLEEP_MS,
  WAIT_MS,
} from "./limits.ts";
export { isName, NAME_RULE } from "./names.ts";
export type {
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  ControlAction,
  ControlRequest,
  CreateRequest,
  DeleteRequest,
  FailRequest,
  FoldedStep,
  HistoryRequest,
  InboxRequest,
  LeaseRequest,
  ListRequest,
  MigrateRequest,
  NextClaim,
  OperationRequest,
  ProgressRequest,
  PutBlobRequest,
  RequeuedInstance,
  RequeueRequest,
  SendRequest,
  ServedVersion,
  SignalRequest,
  StartChildRequest,
  TypeInboxRequest,
  WaitSignalRequest,
  WorkflowVersion,
} from "./requests.ts";
export type { Identity, Tombstone } from "./tombstone.ts";
export {
  type AttemptEnd,
  type EndedAttempt,
  type Holder,
  isFinished,
  type Migration,
  type Operation,
  type OperationKind,
  type Origin,
  type OriginKind,
  type Received,
  type ReplyTo,
  SENDER_ORIGINS,
  type Signal,
  type Step,
  type StepKind,
  type Turn,
  type TurnStatus,
  type WaitReason,
} from "./turn.ts";
export type {
  BlobReferenceView,
  BlobView,
  CompletedView,
  DeferredView,
  DeletionView,
  GraphView,
  HistoryPage,
  InboxEntry,
  InboxPage,
  InboxSummary,
  InstancePage,
  InstanceView,
  OperationView,
  ProgressView,
  RequeueView,
  StepView,
  Task,
  TurnView,
  TypeInboxPage,
} from "./view.ts";
