/**
 * Claim the head of an inbox for a worker of its type and version.
 *
 *   P11  only the head is ever claimed, never before `ready_at_ms` by the deciding node's clock.
 *   P12  each attempt has a token of its own; a claim over an ended lease replaces the token (fencing).
 *   P13  an attempt is counted when it starts; an ended lease spends it without a further back-off. Out of
 *        attempts, the turn fails and blocks the inbox.
 *
 * A ready time is compared as one node's clock wrote it with another node's clock: skew can only make a turn
 * start earlier or later, never twice.
 *
 * Source: seed 000 "Message workflows"; catalogue B34, B49 (claim and lock in one commit), I03.
 */
import type { Instance } from "../vocabulary/instance.ts";
import type { WorkflowVersion } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { answer, type Decision, type Moment, nothing, write } from "./decision.ts";
import { inboxHead, withTurn } from "./inbox.ts";

export interface ClaimCommand {
  readonly worker: string;
  readonly workflows: readonly WorkflowVersion[];
  /** Fresh: never used for another attempt. */
  readonly token: string;
}

/** Answers the claimed turn, or null when there is nothing to claim here now. */
export function claim(
  instance: Instance,
  command: ClaimCommand,
  moment: Moment,
): Decision<Instance, Turn | null> {
  const head = inboxHead(instance);
  if (head === null || !serves(command.workflows, instance)) return nothing(null);
  if (head.holder?.token === command.token) return answer(head);
  if (!isClaimable(head, moment.now_ms)) return nothing(null);
  const ended = endLease(head, moment);
  if (ended.attempt >= instance.max_attempts) {
    const failed: Turn = { ...ended, status: "failed", finished_at_ms: moment.now_ms };
    return write({ ...instance, turns: withTurn(instance, failed), updated_at_ms: moment.now_ms }, null);
  }
  const turn: Turn = {
    ...ended,
    status: "running",
    attempt: ended.attempt + 1,
    holder: {
      worker: command.worker,
      token: command.token,
      deadline_ms: moment.now_ms + instance.lease_ms,
    },
    updated_at_ms: moment.now_ms,
    sequence: moment.sequence,
  };
  return write({ ...instance, turns: withTurn(instance, turn), updated_at_ms: moment.now_ms }, turn);
}

function serves(workflows: readonly WorkflowVersion[], instance: Instance): boolean {
  return workflows.some((w) => w.workflow_type === instance.workflow_type && w.version === instance.version);
}

function isClaimable(head: Turn, nowMs: number): boolean {
  if (head.status === "queued") return head.ready_at_ms <= nowMs;
  return head.holder !== null && head.holder.deadline_ms <= nowMs;
}

/** The turn without its ended lease; unchanged when nobody held it. */
function endLease(turn: Turn, moment: Moment): Turn {
  if (turn.holder === null) return turn;
  const { worker, token } = turn.holder;
  return {
    ...turn,
    holder: null,
    last_attempt: { worker, token, end: "expired" },
    error: `attempt ${turn.attempt} of worker ${worker} ended: its lease ran out`,
    updated_at_ms: moment.now_ms,
    sequence: moment.sequence,
  };
}
