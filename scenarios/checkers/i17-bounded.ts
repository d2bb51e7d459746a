/**
 * I17: everything that grows has a declared bound, and stays below it.
 *
 * The bounds on documents are those of the contract and of the engine's own rules. The bound on requests is declared
 * here: one second of virtual time, one key, all nodes together. A caller waits between its tries and a node polls
 * once in a poll interval, so even the key that every claim writes stays far below; a loop without a wait does not
 * (B05, B28, B29, B66, B79).
 *
 * A renewal is progress of its own kind here: the sleeping worker of the simulation renews each third of its lease.
 */
import type { Checker, RunHistory } from "../../sim/index.ts";
import type { Instance } from "../../src/index.ts";
import type { Facts } from "./facts.ts";
import { isOver } from "./kinds.ts";
import { Report } from "./report.ts";

const NAME = "I17-bounded";

/** Unfinished messages of one instance. */
const INBOX = 128;
/** Finished turns that wait for their move beyond a full block; a command on more first moves them. */
const UNMOVED = 9;
/** Pages whose marks stand in the instance, and characters of a mark. */
const PAGES = 2;
const MARK_CHARS = 4;
const STEPS = 64;
const SIGNALS = 64;
/** Characters of a stored body: two turns of the greatest size and a state, and the rest of an inbox. */
const BODY_CHARS = 6 * 1024 * 1024;
/** Requests to one key in one second, all nodes together. */
export const REQUESTS_PER_KEY_SECOND = 240;
const SECOND_MS = 1_000;

export const bounded: Checker<Facts> = {
  name: NAME,
  statement: `no turn has more attempts than its instance allows or more than ${STEPS} steps or ${SIGNALS} signals, no inbox more than ${INBOX} messages, no identity more than ${UNMOVED} finished turns beyond a block or more than ${PAGES} pages of marks, and no key gets more than ${REQUESTS_PER_KEY_SECOND} requests in one second`,
  blind: "memory of a node; requests that a layer below the store's port repeats",
  check(history, facts) {
    const report = new Report(NAME);
    for (const [id, chain] of facts.records.identities)
      for (const { version, value } of chain) {
        report.examine();
        const wrong = tooMuch(value);
        if (wrong !== null) report.at(version, `${id}: ${wrong}`);
        if ((version.body?.length ?? 0) > BODY_CHARS)
          report.at(version, `${id}: its identity has ${version.body?.length} characters`);
      }
    requests(history, report);
    return report.finding();
  },
};

function tooMuch(instance: Instance): string | null {
  let finished = 0;
  let unmoved = 0;
  for (const turn of instance.turns) {
    const { attempt, forgiven_attempts, steps, signals, number } = turn;
    // Turns that were cancelled behind one that is not finished cannot move yet.
    if (isOver(turn) && unmoved === finished) unmoved++;
    if (isOver(turn)) finished++;
    if (attempt - forgiven_attempts > instance.max_attempts)
      return `turn ${number} is in attempt ${attempt} of ${instance.max_attempts}, ${forgiven_attempts} of them forgiven`;
    if (steps.length > STEPS) return `turn ${number} has ${steps.length} steps`;
    if (signals.length > SIGNALS) return `turn ${number} has ${signals.length} signals`;
  }
  const pending = instance.turns.length - finished;
  if (pending > INBOX) return `${pending} messages wait`;
  const { segment_turns, page_turns } = instance.history_layout;
  if (instance.history_ids.length > PAGES * page_turns * MARK_CHARS)
    return `it has ${instance.history_ids.length} characters of marks`;
  return unmoved > segment_turns + UNMOVED ? `${unmoved} finished turns have not moved to history` : null;
}

/** Operations stand in the order of their sending, so one pass with a window of a second is enough. */
function requests(history: RunHistory, report: Report): void {
  const counts = new Map<string, { fromMs: number; count: number }>();
  for (const { key, kind, sentAtMs } of history.operations) {
    if (kind === "list") continue;
    const window = counts.get(key);
    if (window === undefined || sentAtMs - window.fromMs >= SECOND_MS) {
      if (window === undefined) counts.set(key, { fromMs: sentAtMs, count: 1 });
      else {
        window.fromMs = sentAtMs;
        window.count = 1;
      }
      report.examine();
      continue;
    }
    window.count++;
    if (window.count === REQUESTS_PER_KEY_SECOND + 1)
      report.add(
        `${key} got more than ${REQUESTS_PER_KEY_SECOND} requests in the second from ${window.fromMs}`,
        key,
        sentAtMs,
      );
  }
}
