/**
 * Migrate: an instance goes over to another version of its workflow, with its state.
 *
 *   P65  the version changes only here, together with the state and the turn that says so, in one write; and only by
 *        the attempt that was claimed for it (P68), before the turn has a step.
 *   P66  until then that attempt may renew its lease and fail, and nothing else: nothing of the new version's code
 *        stands on the old version's state. If it ends without the migration, nothing has changed, and a worker of
 *        either version may claim.
 *   P67  an exact repeat by the attempt that migrated is accepted as long as its turn is not finished.
 *
 * Once it is written, no worker of the old version is given the instance (P68), and an attempt of one that held the turn
 * before has lost it (P7). Computing the new state is the worker's: a pure function, so a repeat computes the same.
 * Source: issue "Every promise of the message-workflow engine", "Beyond the seed"; seed 000 "Code versions are pinned".
 */
import { sameJson } from "../std/canonical-json.ts";
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { MigrateRequest } from "../vocabulary/requests.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";
import { answer, type Decision, type Moment, refuse } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { turnNumbered } from "./inbox.ts";
import { isOwnAttempt } from "./steps.ts";
import { writeTurn } from "./turn-write.ts";

export function migrate(
  instance: Instance,
  request: MigrateRequest,
  moment: Moment,
): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  if (isOwnAttempt(turn, request) && isRepeat(instance, turn, request)) return answer(turn);
  const fenced = fenceFailure(turn, request, moment);
  if (fenced !== null) return refuse(fenced);
  const { from, to, state } = request;
  const migratesTo = turn.holder?.migrates_to;
  if (migratesTo !== to || instance.version !== from) {
    const asked = migratesTo === undefined ? "none" : `one from ${instance.version} to ${migratesTo}`;
    const message = `turn ${turn.number} of ${request.workflow_id} was not claimed for this migration, but for ${asked}`;
    return refuse(failure("conflict", "no_migration", message));
  }
  const next: Turn = {
    ...turn,
    version: to,
    migrations: [...turn.migrations, { from, to, at_ms: moment.now_ms }],
    holder: migrated(turn.holder),
    // Where the old code could have gone on is nothing to the new one.
    operation: null,
  };
  return writeTurn({ ...instance, version: to, state }, next, moment);
}

function migrated(holder: Turn["holder"]): Turn["holder"] {
  if (holder === null) return null;
  const { migrates_to: _, ...kept } = holder;
  return kept;
}

/** P67. While the turn is unfinished the state is still the one that the migration left. */
function isRepeat(instance: Instance, turn: Turn, { from, to, state }: MigrateRequest): boolean {
  const last = turn.migrations.at(-1);
  return (
    !isFinished(turn) &&
    instance.version === to &&
    last?.from === from &&
    last.to === to &&
    sameJson(instance.state, state)
  );
}
