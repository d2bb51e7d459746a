/**
 * I08: code of one version never runs on the state of another.
 *
 * The state tells its version by its form, so whoever wrote with the wrong code shows. Computed again with the pure
 * functions of the workload from the first state on (catalogue B37, B60).
 */
import type { Checker } from "../../sim/index.ts";
import type { Instance, Turn } from "../../src/index.ts";
import { isParentPayload, migrated, PARENT, taken } from "../workloads/family.ts";
import type { Facts } from "./facts.ts";
import { isOver, type Pair, pairsOf, turnIn } from "./family-versions.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";

const NAME = "I08-migration";

export const migration: Checker<Facts> = {
  name: NAME,
  statement:
    "an instance's version changes only together with its state, by the attempt that was claimed for it, before the turn's first step; before that the attempt writes nothing, and after it nobody of the old version does",
  blind: "migrations of a message's own content; workers whose name does not tell their version",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const [id, chain] of facts.records.identities)
      for (const pair of pairsOf(chain)) {
        if (pair.b.value.workflow_type !== PARENT) continue;
        const wrong = versionFault(pair) ?? turnFault(pair) ?? stateFault(pair.a.value, pair.b.value);
        report.examine();
        if (wrong !== null) report.at(pair.b.version, `${id}: ${wrong}`);
      }
    return report.finding();
  },
};

/** The write that changes the version. */
function versionFault({ a, b }: Pair): string | null {
  const { version: from } = a.value;
  const { version: to } = b.value;
  if (from === to) return null;
  if (from !== "v1" || to !== "v2") return `its version went from ${from} to ${to}`;
  const turn = b.value.turns.find((one) => one.holder !== null);
  const was = turn === undefined ? null : turnIn(a, turn.number);
  if (turn === undefined || was === null) return `it went over to ${to} while nobody held a turn`;
  const where = `it went over to ${to} in turn ${turn.number}`;
  if (was.holder?.token !== turn.holder?.token) return `${where} by an attempt that began in the same write`;
  if (was.holder?.migrates_to !== to) return `${where}, whose attempt was not claimed for that`;
  if (turn.holder?.migrates_to !== undefined) return `${where}, whose attempt is still to migrate`;
  if (turn.steps.length > 0) return `${where}, which had saved ${turn.steps.length} steps`;
  if (turn.operation !== null) return `${where}, which goes on with an operation of the old code`;
  if (turn.version !== to || turn.migrations.at(-1)?.to !== to) return `${where}, which does not say so`;
  if (!same(b.value.state, migrated(a.value.state)))
    return `${where} and left a state that no migration makes`;
  return null;
}

/** Every attempt works with code of the version that its turn says, which is the instance's. */
function turnFault({ a, b }: Pair): string | null {
  for (const turn of b.value.turns) {
    const was = turnIn(a, turn.number);
    const where = `turn ${turn.number}`;
    if (turn.holder !== null) {
      const code = turn.holder.worker.startsWith("newer") ? "v2" : "v1";
      if ((turn.holder.migrates_to ?? b.value.version) !== code)
        return `${where} is held by ${turn.holder.worker} in version ${b.value.version}`;
      if (turn.holder.migrates_to !== undefined && turn.steps.length > 0)
        return `${where} has steps of the old version and is held for a migration`;
    }
    if (was !== null && was.holder?.migrates_to !== undefined) {
      const wrong = pendingFault(was, turn, a.value.version === b.value.version);
      if (wrong !== null) return `${where} ${wrong}`;
    }
    if (was !== null && turn.migrations.length < was.migrations.length) return `${where} forgot a migration`;
  }
  return null;
}

/** What an attempt did before its migration. */
function pendingFault(was: Turn, turn: Turn, pending: boolean): string | null {
  if (!pending || turn.last_attempt?.token === was.last_attempt?.token) {
    return pending && turn.steps.length > was.steps.length ? "saved a step before the migration" : null;
  }
  if (turn.status === "completed" || turn.status === "waiting")
    return `went to ${turn.status} before the migration`;
  return null;
}

/** The state, in the form of its version. */
function stateFault(a: Instance, b: Instance): string | null {
  const completed = b.turns.find((turn) => {
    const was = a.turns[turn.number - a.history_through - 1];
    return turn.status === "completed" && was !== undefined && !isOver(was);
  });
  if (completed === undefined)
    return a.version === b.version && !same(a.state, b.state)
      ? "its state changed without a completion"
      : null;
  if (!isParentPayload(completed.message)) return `turn ${completed.number} completed a message that is none`;
  const due = taken(a.state, a.version, completed.message.name);
  if (due !== null && same(due, b.state) && same(due, completed.state_after)) return null;
  return `turn ${completed.number} left ${JSON.stringify(b.state)}, not ${JSON.stringify(due)}`;
}
