/**
 * What callers ask, with the field names of the HTTP contract (sections 2 and 3).
 */
import type { Json } from "../std/json.ts";

export interface CreateRequest {
  readonly id: string;
  readonly workflow_type: string;
  readonly version: string;
  /** Absent = null. */
  readonly state?: Json;
  readonly lease_ms?: number;
  readonly max_attempts?: number;
}

export interface SendRequest {
  readonly workflow_id: string;
  readonly id: string;
  readonly message: Json;
}

export interface WorkflowVersion {
  readonly workflow_type: string;
  readonly version: string;
}

export interface ClaimRequest {
  readonly worker: string;
  readonly workflows: readonly WorkflowVersion[];
  /** How long to wait for work, 0 to 10,000 milliseconds; absent = 0. */
  readonly wait_ms?: number;
}

/** Names one attempt of one turn. */
export interface LeaseRequest {
  readonly workflow_id: string;
  readonly turn: number;
  readonly token: string;
}

export interface CheckpointRequest extends LeaseRequest {
  /** The step's index in the turn, from 0. */
  readonly position: number;
  readonly key: string;
  readonly kind: "step";
  readonly output: Json;
}

export interface CompleteRequest extends LeaseRequest {
  readonly state: Json;
  readonly result?: Json;
  readonly continuation?: { readonly message: Json } | null;
}

export interface FailRequest extends LeaseRequest {
  readonly error: string;
  readonly non_retryable?: boolean;
}

export interface ListRequest {
  /** Instance id, exclusive. */
  readonly after?: string | null;
  readonly limit?: number;
}

export interface HistoryRequest {
  readonly workflow_id: string;
  /** Turn number, exclusive. */
  readonly after?: number | null;
  readonly limit?: number;
}
