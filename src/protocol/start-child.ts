/**
 * Start a child: a turn gives work to another instance and waits for its end.
 *
 *   P69  the child's id is made of the step's effect id, so every attempt at the step, through whichever node, means the
 *        same child. It is created with its first message in one write: there is no child without its work. A creation
 *        that finds the child as it would have made it is answered; another one is a conflict.
 *   P70  the turn waits for the reply as for a signal whose name is made of the step's key (P28-P30). This write follows
 *        the child's creation. If it never comes, the next attempt starts the same child again, and finds the reply,
 *        which may have come already, among the turn's signals.
 *   P71  a child skips work that fails for good, so its work always ends, and its end is always told (`reply.ts`).
 *   P84  a child that was deleted is not started again.
 *
 * A child goes on when its parent is cancelled, fails or is deleted. Source: issue "Every promise of the
 * message-workflow engine", "Beyond the seed".
 */
import { canonicalJson } from "../std/canonical-json.ts";
import { sha256 } from "../std/hash.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { CHILD_PREFIX, REPLY_PREFIX } from "../vocabulary/limits.ts";
import type { StartChildRequest } from "../vocabulary/requests.ts";
import { type Identity, isTombstone } from "../vocabulary/tombstone.ts";
import type { ReplyTo, Turn } from "../vocabulary/turn.ts";
import { create } from "./create.ts";
import { answer, type Decision, type Moment, refuse, write } from "./decision.ts";
import { turnMissing } from "./fence.ts";
import { turnNumbered } from "./inbox.ts";
import { queuedTurn } from "./send.ts";
import { effectPrefix } from "./view.ts";
import { waitSignal } from "./wait-signal.ts";

/** Characters of the hash in a child's id: 160 bits. */
const HASH_CHARS = 40;
/** The id of the message that a child is created with. */
const FIRST_MESSAGE = "start";

/** The name of the signal that a step of this key waits for. */
export function replyName(key: string): string {
  return `${REPLY_PREFIX}${key}`;
}

/** P69. `effectScope` names the graph that parent and child live in. */
export function childIdOf(parent: Instance, turn: Turn, key: string, effectScope: string): string {
  const hash = sha256(`${effectPrefix(parent, turn, effectScope)}/${key}`);
  return `${CHILD_PREFIX}${hash.slice(0, HASH_CHARS)}`;
}

/** The parent's side: its turn waits, or takes the reply that has come already (P70). */
export function startChild(
  parent: Instance,
  request: StartChildRequest,
  effectScope: string,
  moment: Moment,
): Decision<Instance, Turn> {
  const turn = turnNumbered(parent, request.turn);
  if (turn === null) return refuse(turnMissing(parent, request));
  const { workflow_id, token, position, key, timeout_ms } = request;
  const wait = { workflow_id, turn: turn.number, token, position, key, name: replyName(key), timeout_ms };
  return waitSignal(parent, wait, moment, childIdOf(parent, turn, key, effectScope));
}

/** The child's side (P69). `incarnation` is a fresh id of this life. */
export function createChild(
  child: Identity | null,
  id: string,
  request: StartChildRequest,
  replyTo: ReplyTo,
  incarnation: string,
  moment: Moment,
): Decision<Instance, null> {
  const fresh = create(null, creationOf(id, request), incarnation, moment);
  if (fresh.kind !== "write") return refuse(childConflict(id));
  const created = fresh.next;
  const { initial_digest: bare } = created;
  const initial_digest = sha256(canonicalJson({ bare, message: request.message, reply_to: { ...replyTo } }));
  if (child !== null && isTombstone(child)) return refuse(childDeleted(id));
  if (child !== null)
    return child.initial_digest === initial_digest ? answer(null) : refuse(childConflict(id));
  const admission = { id: FIRST_MESSAGE, message: request.message, origin: null, reply_to: replyTo };
  const turn = queuedTurn(created, admission, moment);
  return write({ ...created, initial_digest, next_turn: created.next_turn + 1, turns: [turn] }, null);
}

/** The id names this very start, so what was deleted was this child: another one would be a second (P84). */
function childDeleted(id: string): Failure {
  const message = `the child ${id} was started and has been deleted; it is not started again`;
  return failure("conflict", "child_deleted", message, "key");
}

function creationOf(id: string, request: StartChildRequest) {
  const { workflow_type, version, state = null, lease_ms, max_attempts } = request;
  return {
    id,
    workflow_type,
    version,
    state,
    on_exhausted: "skip" as const,
    ...(lease_ms === undefined ? {} : { lease_ms }),
    ...(max_attempts === undefined ? {} : { max_attempts }),
  };
}

function childConflict(id: string) {
  const message = `the child ${id} was started with other content; a step starts one child, always the same`;
  return failure("conflict", "child_conflict", message);
}
