/**
 * Claim the head of an inbox for a worker of its type and version.
 *
 *   P11  only the head is ever claimed, never before `ready_at_ms` by the deciding node's clock, and never while the
 *        instance is paused.
 *   P12  each claim has a token of its own; a claim over an ended attempt replaces the token (fencing).
 *   P13  an attempt is counted when it starts. An ended lease spends it without a further back-off, an operation out
 *        of time as a failure does, with one. An attempt that waited is not counted again (P23).
 *   P68  code of another version gets the turn only when it says that it migrates from the instance's, and only before
 *        the turn's first step: a replay is for the code that made the steps. Exact versions come first.
 *   P63  deferred messages that are due become turns with the claim (`deferred.ts`).
 *   P27  a wait for a signal that nothing ended in time is over with the claim: it received nothing.
 *
 * A ready time is compared as one node's clock wrote it with another node's clock: skew can only make a turn
 * start earlier or later, never twice.
 *
 * Source: seed 000 "Message workflows"; catalogue B34, B49 (claim and lock in one commit), I03.
 */
import { present } from "../std/assert.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { ServedVersion } from "../vocabulary/requests.ts";
import type { Step, Turn } from "../vocabulary/turn.ts";
import { attemptLimit, continuesAttempt, endAttempt, failedTurn, isExhausted } from "./attempt.ts";
import { answer, type Decision, type Moment, nothing, write } from "./decision.ts";
import { admitDue } from "./deferred.ts";
import { inboxHead } from "./inbox.ts";
import { withChanged, writeTurn } from "./turn-write.ts";

export interface ClaimCommand {
  readonly worker: string;
  readonly workflows: readonly ServedVersion[];
  /** Fresh: never used for another attempt. */
  readonly token: string;
  /** The turn whose completion this claim goes with (P113); absent: it is a claim of its own. */
  readonly granted_by?: number;
}

/** Answers the claimed turn, or null when there is nothing to claim here now. */
export function claim(
  stored: Instance,
  command: ClaimCommand,
  moment: Moment,
): Decision<Instance, Turn | null> {
  const instance = admitDue(stored, moment);
  const head = inboxHead(instance);
  const version = servingVersion(command.workflows, instance);
  if (head === null || version === null) return nothing(null);
  if (head.holder?.token === command.token) return answer(head);
  const migrates = version !== instance.version;
  if (migrates && head.steps.length > 0) return nothing(null);
  if (instance.paused || !isClaimable(head, moment.now_ms)) return nothing(null);
  const ended = head.holder === null ? head : endAttempt(head, moment);
  const goesOn = continuesAttempt(ended);
  if (!goesOn && isExhausted(ended, instance))
    return unclaimed(instance, failedTurn(ended, instance, moment), moment);
  if (head.holder !== null && ended.ready_at_ms > moment.now_ms) return unclaimed(instance, ended, moment);
  const turn: Turn = {
    ...ended,
    status: "running",
    version: instance.version,
    waiting_for: null,
    attempt: ended.attempt + (goesOn ? 0 : 1),
    steps: ended.waiting_for === "signal" ? timedOut(ended.steps) : ended.steps,
    holder: {
      worker: command.worker,
      token: command.token,
      deadline_ms: moment.now_ms + instance.lease_ms,
      ...(migrates ? { migrates_to: version } : {}),
      ...(command.granted_by === undefined ? {} : { granted_by: command.granted_by }),
    },
  };
  return writeTurn(instance, turn, moment);
}

/** The attempt before is over and none begins: the turn failed for good, or waits for its next one. */
function unclaimed(instance: Instance, turn: Turn, moment: Moment): Decision<Instance, null> {
  return write(withChanged(instance, turn, moment), null);
}

/** The version of the worker's code that may run work of this type and version; null: none may (P68). */
export function servingVersion(
  workflows: readonly ServedVersion[],
  work: { readonly workflow_type: string; readonly version: string },
): string | null {
  const ofType = workflows.filter((one) => one.workflow_type === work.workflow_type);
  if (ofType.some((one) => one.version === work.version)) return work.version;
  const migrating = ofType.find((one) => one.migrates_from?.includes(work.version));
  return migrating?.version ?? null;
}

function isClaimable(head: Turn, nowMs: number): boolean {
  if (head.status === "queued" || head.status === "waiting") return head.ready_at_ms <= nowMs;
  const end = attemptLimit(head);
  return end !== null && end.at_ms <= nowMs;
}

/** The steps with the wait at their end over, and nothing received (P27). */
function timedOut(steps: readonly Step[]): readonly Step[] {
  const wait = present(steps.at(-1), "the step that waits");
  return steps.with(-1, { ...wait, output: { received: false, value: null } });
}
