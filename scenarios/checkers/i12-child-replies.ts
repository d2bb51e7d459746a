/**
 * I12: a step has at most one child, and the child's end reaches the turn that waits for it, once.
 *
 * A reply is a signal, so this is the part of I12 (signals are not lost, not doubled, not consumed by another) that is
 * about children (catalogue B63, B66).
 *
 * A turn that goes on in another one has not ended: the last turn of such a line replies, and no other. What counts for
 * a parent is what was stored when the child's turn was dropped: by then the mover has to have told it.
 */
import type { Checker } from "../../sim/index.ts";
import type { Step, Turn } from "../../src/index.ts";
import type { Facts } from "./facts.ts";
import { isOver, type Pair, pairsOf, turnAt, turnIn } from "./family-versions.ts";
import type { IdentityVersion } from "./records.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";
import { isObject } from "./shapes.ts";

const NAME = "I12-child-replies";

export const childReplies: Checker<Facts> = {
  name: NAME,
  statement:
    "each step starts at most one child, which lives once and begins with its work; before the child's finished turn leaves the identity its end is in the turn that waits, once, or that turn had finished; the end of a turn that goes on is told to nobody; and a step's output is its own child's end",
  blind: "children whose parent was deleted",
  check(_history, facts) {
    const report = new Report(NAME);
    const childOf = new Map<string, string>();
    for (const [id, chain] of facts.records.identities) {
      const first = chain[0];
      if (first === undefined) continue;
      if (id.startsWith("child-")) {
        birth(id, first, childOf, report);
        for (const pair of pairsOf(chain)) departures(id, pair, facts, report);
      }
      steps(id, chain, facts, report);
    }
    return report.finding();
  },
};

/** A child begins with its work, for a step that has no other. */
function birth(id: string, first: IdentityVersion, childOf: Map<string, string>, report: Report): void {
  report.examine();
  const [turn] = first.value.turns;
  const to = turn?.reply_to;
  if (turn === undefined || to == null || turn.message_id !== "start") {
    report.at(first.version, `${id} was created without its work`);
    return;
  }
  const step = `${to.workflow_id}/${to.incarnation}/${to.turn}/${to.name}`;
  const other = childOf.get(step);
  if (other !== undefined) report.at(first.version, `${id} is a second child of ${step}, after ${other}`);
  childOf.set(step, id);
}

/** Turns that leave the child's identity: who waits for them has been told. */
function departures(id: string, { a, b }: Pair, facts: Facts, report: Report): void {
  if (a.value.incarnation !== b.value.incarnation) report.at(b.version, `${id} began a second life`);
  for (const turn of a.value.turns) {
    if (turn.number > b.value.history_through) break;
    const { reply_to: to } = turn;
    if (to === null) continue;
    report.examine();
    const chain = facts.records.identities.get(to.workflow_id) ?? [];
    // The drop was sent when its node had heard of the parent: what counts is what was stored then.
    const parent = turnAt(chain, to.turn, b.version.operation.sentAtMs);
    const received = parent?.signals.filter((one) => one.id === `reply-${id}-${turn.number}`) ?? [];
    const where = `${id}: turn ${turn.number} left for history and turn ${to.turn} of ${to.workflow_id}`;
    if (turn.continued_to !== null) {
      if (received.length > 0) report.at(b.version, `${where} was told its end although it goes on`);
      continue;
    }
    if (parent === null) report.at(b.version, `${where} is not there`);
    else if (received.length === 0 && !isOver(parent))
      report.at(b.version, `${where} does not know of its end`);
    const [signal] = received;
    if (signal !== undefined && !tells(signal.value, id, turn))
      report.at(b.version, `${where} was told another end: ${JSON.stringify(signal.value)}`);
  }
}

/** Whether the value is the end of the turn. */
function tells(value: unknown, id: string, turn: Turn): boolean {
  if (!isObject(value)) return false;
  const { status, result, error } = turn;
  return same(value, { workflow_id: id, turn: turn.number, status, result, error });
}

/** The parent's side: each reply once, and outputs that are those of the step's own child. */
function steps(id: string, chain: readonly IdentityVersion[], facts: Facts, report: Report): void {
  for (const [at, version] of chain.entries())
    for (const turn of version.value.turns) {
      const before = at === 0 ? null : turnIn(chain[at - 1] ?? version, turn.number);
      if (before === turn) continue;
      const ids = turn.signals.map((one) => one.id);
      if (new Set(ids).size !== ids.length)
        report.at(version.version, `${id}: turn ${turn.number} heard a reply twice`);
      for (const step of turn.steps) {
        if (step.child_id === null) continue;
        const was = before?.steps.find((one) => one.key === step.key);
        if (was !== undefined && same(was, step)) continue;
        report.examine();
        const wrong = stepFault(step, turn, facts);
        if (wrong !== null)
          report.at(version.version, `${id}: step ${step.key} of turn ${turn.number} ${wrong}`);
      }
    }
}

function stepFault(step: Step, turn: Turn, facts: Facts): string | null {
  const child = facts.records.identities.get(step.child_id ?? "")?.[0]?.value;
  const to = child?.turns[0]?.reply_to;
  if (child === undefined || to == null) return "waits for a child that was never created";
  if (to.turn !== turn.number || to.name !== step.signal_name) return "waits for the child of another step";
  if (!isObject(step.output) || step.output.received !== true) return null;
  const { value } = step.output;
  return isObject(value) && value.workflow_id === step.child_id ? null : "took the reply of another child";
}
