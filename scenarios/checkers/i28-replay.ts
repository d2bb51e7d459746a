/**
 * I28: a worker goes on where the steps that are saved end.
 *
 *   R1  nothing is sent for a place that was saved when the turn was claimed: it is answered from what is there.
 *   R2  a turn whose code has changed under it never completes. The handler tells when it asks for another key than the
 *       one that it saw saved at a place; what was saved for one step is no output of another.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";
import { attemptsOf, nameOf, type SpokenAttempt, spoken } from "./spoken.ts";

const NAME = "I28-replay";

export const workerReplay: Checker<Facts> = {
  name: NAME,
  statement:
    "a worker sends nothing for a place whose step was saved when it claimed the turn, and a turn whose handler asks for another step than the saved one never completes",
  blind: "code that changed where nothing was saved yet, which is as good as the old one",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const attempt of attemptsOf(spoken(facts))) behindSaved(attempt, report);
    for (const [name, hasChanged] of facts.setup.changed ?? []) if (hasChanged) changed(name, facts, report);
    return report.finding();
  },
};

/** R1. */
function behindSaved({ task, exchanges }: SpokenAttempt, report: Report): void {
  const turn = isObject(task.turn) ? task.turn : {};
  const saved = Array.isArray(turn.steps) ? turn.steps.length : 0;
  if (saved === 0) return;
  for (const one of exchanges) {
    const { position } = one.asked.request;
    if (typeof position !== "number") continue;
    report.examine();
    if (position < saved)
      report.add(
        `${nameOf(one)} was sent for place ${position}, where ${saved} were saved when it was claimed`,
        one.by.process,
        one.sentAtMs,
      );
  }
}

/** R2. */
function changed(name: string, facts: Facts, report: Report): void {
  const [id = "", number] = name.split(" ");
  const last = facts.turn(id, Number(number)).at(-1);
  if (last === undefined) return;
  report.examine();
  if (last.turn.status === "completed")
    report.at(last.version, `${id}: turn ${number} completed although its code had changed under it`);
}
