/**
 * Create an instance: an identical repeat answers it, other content under the same id is a conflict.
 *
 *   P83  over a tombstone a new life begins, with the next number; never before the one that ended is erased, because
 *        the tombstone is the only record of what is left of it.
 *
 * Source: seed 000 "Message API"; contract section 2 (InstanceCreate).
 */
import { assert } from "../std/assert.ts";
import { canonicalJson } from "../std/canonical-json.ts";
import { sha256 } from "../std/hash.ts";
import { failure } from "../vocabulary/errors.ts";
import { DEFAULT_LAYOUT } from "../vocabulary/history-layout.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { DEFAULTS } from "../vocabulary/limits.ts";
import type { CreateRequest } from "../vocabulary/requests.ts";
import { type Identity, isTombstone } from "../vocabulary/tombstone.ts";
import { answer, type Decision, type Moment, refuse, write } from "./decision.ts";

/** `incarnation` is a fresh id of this life. */
export function create(
  identity: Identity | null,
  request: CreateRequest,
  incarnation: string,
  moment: Moment,
): Decision<Instance, Instance> {
  const digest = creationDigest(request);
  if (identity !== null && !isTombstone(identity)) {
    if (identity.initial_digest === digest) return answer(identity);
    const message = `instance ${request.id} exists with other content; choose another id or repeat the first request`;
    return refuse(failure("conflict", "instance_conflict", message, "id"));
  }
  assert(identity === null || identity.erased, "P83: the life before is erased");
  const life = 1 + (identity?.life ?? 0);
  const next: Instance = {
    id: request.id,
    workflow_type: request.workflow_type,
    version: request.version,
    incarnation,
    life,
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
    history_erased_through: 0,
    history_marks: [],
    history_layout: DEFAULT_LAYOUT,
    history_ids: "",
    blobs: {},
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
