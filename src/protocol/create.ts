/**
 * Create an instance: an identical repeat answers it, other content under the same id is a conflict.
 *
 * Source: seed 000 "Message API"; contract section 2 (InstanceCreate).
 */
import { canonicalJson } from "../std/canonical-json.ts";
import { sha256 } from "../std/hash.ts";
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { DEFAULTS } from "../vocabulary/limits.ts";
import type { CreateRequest } from "../vocabulary/requests.ts";
import { answer, type Decision, type Moment, refuse, write } from "./decision.ts";

/** `incarnation` is a fresh id of this life. */
export function create(
  instance: Instance | null,
  request: CreateRequest,
  incarnation: string,
  moment: Moment,
): Decision<Instance, Instance> {
  const digest = creationDigest(request);
  if (instance !== null) {
    if (instance.initial_digest === digest) return answer(instance);
    const message = `instance ${request.id} exists with other content; choose another id or repeat the first request`;
    return refuse(failure("conflict", "instance_conflict", message, "id"));
  }
  const next: Instance = {
    id: request.id,
    workflow_type: request.workflow_type,
    version: request.version,
    incarnation,
    lease_ms: request.lease_ms ?? DEFAULTS.leaseMs,
    max_attempts: request.max_attempts ?? DEFAULTS.maxAttempts,
    on_exhausted: request.on_exhausted ?? "block",
    initial_digest: digest,
    created_at_ms: moment.now_ms,
    updated_at_ms: moment.now_ms,
    paused: false,
    state: request.state ?? null,
    completed_turns: 0,
    next_turn: 1,
    history_through: 0,
    history_pruned_through: 0,
    turns: [],
    deferred: [],
  };
  return write(next, next);
}

function creationDigest(request: CreateRequest): string {
  return sha256(
    canonicalJson({
      workflow_type: request.workflow_type,
      version: request.version,
      state: request.state ?? null,
      lease_ms: request.lease_ms ?? DEFAULTS.leaseMs,
      max_attempts: request.max_attempts ?? DEFAULTS.maxAttempts,
      on_exhausted: request.on_exhausted ?? "block",
    }),
  );
}
