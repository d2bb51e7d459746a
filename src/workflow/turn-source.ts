/**
 * Where a worker gets its turns and tells what became of them: the whole of the engine that it sees.
 *
 * Each method is the engine's method of that name with the same request and answer, so a node in the same process is a
 * turn source; the client's engine over HTTP is another one.
 *
 *   S1  a request without an answer is a failure of kind `unknown-outcome`: it may have been handled, or may be yet.
 *   S2  `signal` says that the caller has lost interest: nothing more need be sent, and nobody looks at the answer. A
 *       source may leave that out.
 *   S3  repeats are the source's: what may be repeated safely is repeated there (`retrying-source.ts`, `src/client`), so
 *       a failure that reaches the worker is its last word.
 */
import type { Reply } from "../engine/engine.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type {
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  FailRequest,
  LeaseRequest,
  MigrateRequest,
  OperationRequest,
  ProgressRequest,
  PutBlobRequest,
  RequeueRequest,
  StartChildRequest,
  WaitSignalRequest,
} from "../vocabulary/requests.ts";
import type {
  BlobReferenceView,
  BlobView,
  CompletedView,
  RequeueView,
  Task,
  TurnView,
} from "../vocabulary/view.ts";

export interface TurnSource {
  claim(request: ClaimRequest, signal?: AbortSignal): Reply<Task | null>;
  heartbeat(request: LeaseRequest, signal?: AbortSignal): Reply<TurnView>;
  operation(request: OperationRequest, signal?: AbortSignal): Reply<TurnView>;
  progress(request: ProgressRequest, signal?: AbortSignal): Reply<TurnView>;
  checkpoint(request: CheckpointRequest, signal?: AbortSignal): Reply<TurnView>;
  waitSignal(request: WaitSignalRequest, signal?: AbortSignal): Reply<TurnView>;
  startChild(request: StartChildRequest, signal?: AbortSignal): Reply<TurnView>;
  migrate(request: MigrateRequest, signal?: AbortSignal): Reply<TurnView>;
  requeue(request: RequeueRequest, signal?: AbortSignal): Reply<RequeueView>;
  complete(request: CompleteRequest, signal?: AbortSignal): Reply<CompletedView>;
  fail(request: FailRequest, signal?: AbortSignal): Reply<TurnView>;
  putBlob(request: PutBlobRequest, signal?: AbortSignal): Reply<BlobReferenceView>;
  getBlob(workflowId: string, reference: string, signal?: AbortSignal): Reply<BlobView>;
}

/** A turn source with the ports that a worker needs beside it. A `BatonClient` is one. */
export interface WorkerHost {
  readonly turns: TurnSource;
  readonly clock: Clock;
  readonly random: Random;
}
