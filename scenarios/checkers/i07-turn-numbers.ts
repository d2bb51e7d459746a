/**
 * I07: the log of turns of an instance, as each stored version shows it.
 *
 * Looks at one version at a time; `i05-no-lost-update.ts` looks at what happens between two. Together they say that
 * numbers are given in order of admission, once, for good (B18, B25, B30, B65).
 */

import type { Checker } from "../../sim/index.ts";
import type { Instance } from "../../src/index.ts";
import type { Facts } from "./facts.ts";
import { isOver } from "./kinds.ts";
import { Report } from "./report.ts";

const NAME = "I07-turn-numbers";

export const turnNumbers: Checker<Facts> = {
  name: NAME,
  statement:
    "in every version the turns are numbered 1, 2, 3 … without hole or repeat, completed and skipped ones first, only the head runs or waits, a holder is named exactly while it runs and a reason exactly while it waits",
  blind: "turns that moved to history, which I13-one-home holds",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const [id, chain] of facts.records.identities)
      for (const { version, value, stamp } of chain) {
        report.examine();
        const wrong = problem(value);
        if (wrong !== null) report.at(version, `${id}: ${wrong}, at sequence ${stamp.sequence}`);
      }
    return report.finding();
  },
};

function problem(instance: Instance): string | null {
  const { turns, history_through, next_turn, completed_turns } = instance;
  let unfinished = 0;
  let over = history_through;
  for (const [i, turn] of turns.entries()) {
    const due = history_through + 1 + i;
    if (turn.number !== due) return `turn ${turn.number} stands where turn ${due} belongs`;
    const finished = isOver(turn);
    if (finished && unfinished > 0 && turn.status !== "cancelled")
      return `turn ${turn.number} finished before the turns in front of it`;
    if (finished) over++;
    else unfinished++;
    const active = turn.status === "running" || turn.status === "waiting";
    if (active && unfinished > 1) return `turn ${turn.number} is ${turn.status} and is not the head`;
    if ((turn.status === "waiting") !== (turn.waiting_for !== null))
      return `turn ${turn.number} is ${turn.status} and waits for ${turn.waiting_for ?? "nothing"}`;
    if ((turn.status === "running") !== (turn.holder !== null))
      return `turn ${turn.number} is ${turn.status} and ${turn.holder === null ? "nobody" : "somebody"} holds it`;
  }
  if (next_turn !== history_through + turns.length + 1)
    return `the next turn is ${next_turn} after ${history_through + turns.length} turns`;
  if (completed_turns !== over) return `${completed_turns} turns are counted as finished and ${over} are`;
  return null;
}
