/**
 * A thread that makes runs, as both sides see it: what it is started with, what it is asked and what it answers.
 *
 *   R1  A thread loads the scenarios itself, with the planted bug when there is one; nothing but data goes between.
 *   R2  It answers in the order of the requests, one run at a time.
 *   R3  Of a run that did not pass it tells only that: whoever asked makes the run again to have all of it, and so
 *       also learns when the run does not repeat.
 *   R4  Answers go in parcels: a message costs the thread that sends it far more than what is in it. A thread sends what
 *       it has when nobody waits for a further run of it, so every answer is sent.
 */
import type { PointCounts, RunStats } from "../../../sim/index.ts";
import type { Shelf } from "../shelf.ts";
import { pickOne } from "../terminal/arguments.ts";
import { type RunSettings, runMaker } from "./run-settings.ts";

export interface ThreadRequest {
  /** Unique among the requests to all threads of a command. */
  readonly id: number;
  readonly scenario: string;
  readonly seed: number;
}

export type ThreadAnswer =
  | {
      readonly kind: "made";
      readonly id: number;
      readonly passed: boolean;
      readonly fingerprint: string;
      readonly stats: RunStats;
      readonly points?: PointCounts;
    }
  /** The run could not be made: a defect of the harness. */
  | { readonly kind: "broken"; readonly id: number; readonly error: string };

/** A thread from outside; other threads than those that make runs are asked and answer other things. */
export interface Thread<Request = ThreadRequest, Answer = readonly ThreadAnswer[]> {
  ask(request: Request): void;
  /** Called once, before anything is asked. `failed`: the thread is gone. */
  listen(answered: (answer: Answer) => void, failed: (error: unknown) => void): void;
  end(): void;
}

/** Answers in one parcel; less than a thread holds requests, so that it never waits for the next ones. */
const PARCEL = 8;

/** R4: hands the answers on in parcels. */
export function inParcels(
  answerTo: (request: ThreadRequest) => Promise<ThreadAnswer>,
  send: (answers: readonly ThreadAnswer[]) => void,
): (request: ThreadRequest) => void {
  let asked = 0;
  let answers: ThreadAnswer[] = [];
  const collect = (answer: ThreadAnswer): void => {
    asked--;
    answers.push(answer);
    if (asked > 0 && answers.length < PARCEL) return;
    send(answers);
    answers = [];
  };
  return (request) => {
    asked++;
    void answerTo(request).then(collect);
  };
}

/** A thread from inside: answers each request. */
export async function threadRuns(
  shelf: Shelf,
  settings: RunSettings,
): Promise<(request: ThreadRequest) => Promise<ThreadAnswer>> {
  const { planted } = settings;
  const bug = planted === null ? null : pickOne("planted bug", shelf.bugs, planted);
  const catalog = bug === null ? shelf.catalog : await shelf.loadPlanted(bug);
  const make = runMaker(settings);
  let last: Promise<unknown> = Promise.resolve();
  const answer = async ({ id, scenario, seed }: ThreadRequest): Promise<ThreadAnswer> => {
    try {
      const { fingerprint, stats, outcome, points } = await make(
        pickOne("scenario", catalog, scenario),
        seed,
      );
      const counted = points === undefined ? {} : { points };
      return { kind: "made", id, passed: outcome.kind === "pass", fingerprint, stats, ...counted };
    } catch (error) {
      return { kind: "broken", id, error: error instanceof Error ? (error.stack ?? "") : String(error) };
    }
  };
  return (request) => {
    const answered = last.then(() => answer(request));
    last = answered;
    return answered;
  };
}
