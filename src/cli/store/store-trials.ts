/**
 * What one client cannot see of a store: trials over several views of it, each a process with a connection of its own.
 *
 *   K1  a trial writes below its prefix alone, and keys are used once.
 *   K2  only what no order of the answers explains is a breach. An outcome that is not known is none: such a racer may
 *       have won or lost.
 *   K3  a trial in which the store left too much open says so (`unclear`), and neither holds nor breaks anything.
 *
 * Blind: what shows only under real load, when the store's own machines fail, or over a long time.
 * Source: catalogue B19-B21, B25, B26, F08, F10, F11.
 */
import type { Clock, ListOutcome, ObjectStore, PutCondition, PutOutcome } from "../../ports/index.ts";
import { IF_ABSENT, ifMatch, NO_CONDITION } from "../../ports/index.ts";
import { assert, present } from "../../std/assert.ts";

export interface Trial {
  readonly property: string;
  /** What was seen, for people. */
  readonly seen: string;
  readonly verdict: "holds" | "broken" | "unclear";
}

export interface TrialPorts {
  /** At least two. */
  readonly views: readonly ObjectStore[];
  readonly clock: Clock;
  /** Ends in `/`, holds nothing else. */
  readonly prefix: string;
  /** Whether the store limits how often a key may be written (R2, GCS: once a second). */
  readonly throttles: boolean;
}

const ROUNDS = 20;
const RACERS_EACH = 4;
const RAISES_EACH = 5;
const LISTED = 40;
const PAGE = 7;
const REST_MS = 1_100;
const TRIES = 12;

/** All trials, one after the other. */
export async function runTrials(ports: TrialPorts): Promise<readonly Trial[]> {
  assert(ports.views.length > 1, "one view sees what one client sees");
  return [
    await race(ports, "creates"),
    await race(ports, "replacements"),
    await raiseTogether(ports),
    await readElsewhere(ports),
    await listElsewhere(ports),
  ];
}

/** Each round: every view sends several writes of one key at once. At most one is told that it won. */
async function race(ports: TrialPorts, what: "creates" | "replacements"): Promise<Trial> {
  const property = `one winner among racing ${what} of several processes`;
  let [won, open] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const key = `${ports.prefix}${what}/${round}`;
    const condition = what === "creates" ? IF_ABSENT : await replaceable(ports, key);
    if (condition === null) continue;
    const racers = ports.views.flatMap((view, at) =>
      Array.from({ length: RACERS_EACH }, (_, i) => ({ view, body: `${at}.${i}` })),
    );
    const outcomes = await Promise.all(racers.map(({ view, body }) => view.put(key, body, condition)));
    const winners = racers.filter((_, at) => outcomes[at]?.kind === "ok");
    if (winners.length > 1) {
      const seen = `in round ${round + 1}, ${winners.length} of ${racers.length} were told that they won`;
      return { property, seen, verdict: "broken" };
    }
    const read = await present(ports.views[round % ports.views.length], "a view").get(key);
    const [winner] = winners;
    const stands = read.kind === "ok" ? read.body : null;
    if (winner !== undefined && stands !== winner.body && (read.kind === "ok" || read.kind === "not-found")) {
      const seen = `in round ${round + 1}, another body stands than that of the one that won, or none`;
      return { property, seen, verdict: "broken" };
    }
    if (winner === undefined) open += 1;
    else won += 1;
  }
  const seen = `${won} of ${ROUNDS} rounds with one winner of ${ports.views.length * RACERS_EACH}${open > 0 ? `, ${open} left open` : ""}`;
  return { property, seen, verdict: won > ROUNDS / 2 ? "holds" : "unclear" };
}

/** A key that is there and has rested, or null. */
async function replaceable(
  { views, clock, throttles }: TrialPorts,
  key: string,
): Promise<PutCondition | null> {
  const outcome = await present(views[0], "a view").put(key, "before", IF_ABSENT);
  if (throttles) await clock.sleep(REST_MS);
  return outcome.kind === "ok" ? ifMatch(outcome.etag) : null;
}

/** Every view adds its marks to one object by compare and swap; at the end, none that was acknowledged is missing. */
async function raiseTogether(ports: TrialPorts): Promise<Trial> {
  const property = "no update lost between processes";
  const key = `${ports.prefix}marks`;
  const [first] = ports.views;
  const created = await present(first, "a view").put(key, "", IF_ABSENT);
  const all = await Promise.all(ports.views.map((view, at) => marksOf(ports, view, key, at)));
  if (created.kind === "ok" && all.includes(null))
    return { property, seen: "a process does not find the object at all", verdict: "broken" };
  const acknowledged = all.flatMap((marks) => marks ?? []);
  const end = await answered(ports, () => present(first, "a view").get(key));
  if (end === null || end.kind !== "ok")
    return { property, seen: "no answer to the last read", verdict: "unclear" };
  const lost = acknowledged.filter((mark) => !end.body.split(" ").includes(mark));
  if (lost.length > 0) {
    const seen = `${lost.length} of ${acknowledged.length} acknowledged updates are gone`;
    return { property, seen, verdict: "broken" };
  }
  const seen = `${acknowledged.length} updates by ${ports.views.length} processes, all there`;
  return { property, seen, verdict: acknowledged.length > ports.views.length ? "holds" : "unclear" };
}

/** The marks of one view that were acknowledged; null when it does not find the object. */
async function marksOf(
  ports: TrialPorts,
  view: ObjectStore,
  key: string,
  at: number,
): Promise<readonly string[] | null> {
  const marks: string[] = [];
  for (let tried = 0; tried < TRIES * RAISES_EACH && marks.length < RAISES_EACH; tried++) {
    const seen = await view.get(key);
    if (seen.kind === "not-found") return null;
    if (seen.kind !== "ok") await ports.clock.sleep(50);
    if (seen.kind !== "ok") continue;
    const mark = `${at}.${tried}`;
    const outcome: PutOutcome = await view.put(key, `${seen.body} ${mark}`, ifMatch(seen.etag));
    if (outcome.kind === "ok") marks.push(mark);
    // Not all at the same moment again.
    else await ports.clock.sleep(outcome.kind === "throttled" ? REST_MS + 130 * at : 3 + 7 * at);
  }
  return marks;
}

/** What one view has written and was told so, the next one reads, and after a delete it does not. */
async function readElsewhere(ports: TrialPorts): Promise<Trial> {
  const property = "a read sees what another process wrote before";
  let read = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const key = `${ports.prefix}read/${round % 4}/${round}`;
    const writer = present(ports.views[round % ports.views.length], "a view");
    const reader = present(ports.views[(round + 1) % ports.views.length], "a view");
    // Asked before, so that a cache of what is not there would be in the way.
    await reader.get(key);
    if ((await writer.put(key, `body ${round}`, IF_ABSENT)).kind !== "ok") continue;
    const there = await answered(ports, () => reader.get(key));
    if (ports.throttles) await ports.clock.sleep(REST_MS);
    const removed = (await writer.delete(key, NO_CONDITION)).kind === "ok";
    const gone = removed ? await answered(ports, () => reader.get(key)) : null;
    if (there === null || gone === null) continue;
    const wrong = there.kind !== "ok" || there.body !== `body ${round}` ? "a write" : "a delete";
    if (wrong === "a write" || gone.kind !== "not-found") {
      const seen = `in round ${round + 1}, a read did not see ${wrong} that was answered before it`;
      return { property, seen, verdict: "broken" };
    }
    read += 1;
  }
  const seen = `${read} of ${ROUNDS} writes and deletes seen at once`;
  return { property, seen, verdict: read > ROUNDS / 2 ? "holds" : "unclear" };
}

/** Keys that all views have written, listed by one of them in small pages: each is shown. */
async function listElsewhere(ports: TrialPorts): Promise<Trial> {
  const property = "a listing in pages leaves out no key";
  const prefix = `${ports.prefix}list/`;
  const names = Array.from({ length: LISTED }, (_, i) => `${prefix}epoch=${i % 3}/i-${i}@2/x.json`);
  const outcomes = await Promise.all(
    names.map((key, at) => present(ports.views[at % ports.views.length], "a view").put(key, "x", IF_ABSENT)),
  );
  const there = names.filter((_, at) => outcomes[at]?.kind === "ok");
  const lister = present(ports.views.at(-1), "a view");
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const at: string | null = cursor;
    const page: ListOutcome | null = await answered(ports, () =>
      lister.list({ prefix, cursor: at, limit: PAGE }),
    );
    if (page === null || page.kind !== "ok")
      return { property, seen: "no answer to a listing", verdict: "unclear" };
    listed.push(...page.entries.map(({ key }) => key));
    cursor = page.next;
  } while (cursor !== null && listed.length <= 2 * LISTED);
  const missed = there.filter((key) => !listed.includes(key));
  if (missed.length > 0 || cursor !== null) {
    const seen =
      cursor === null ? `${missed.length} of ${there.length} keys are left out` : "it does not end";
    return { property, seen, verdict: "broken" };
  }
  const seen = `${there.length} keys in pages of ${PAGE}, all there`;
  return { property, seen, verdict: there.length > LISTED / 2 ? "holds" : "unclear" };
}

/** Asks until there is an answer; null when there is none. */
async function answered<Outcome extends { readonly kind: string }>(
  { clock }: TrialPorts,
  ask: () => Promise<Outcome>,
): Promise<Outcome | null> {
  for (let tried = 0; tried < TRIES; tried++) {
    const outcome = await ask();
    if (outcome.kind !== "unknown-outcome" && outcome.kind !== "throttled") return outcome;
    await clock.sleep(100);
  }
  return null;
}
