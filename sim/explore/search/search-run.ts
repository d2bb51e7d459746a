/**
 * One run of a search, as its source of choices and its scheduling policy: takes the run through the path of the
 * tree, and tells the tree what choices there are.
 *
 *   S1  What follows from a step at once is not searched: answers arrive, processes start and code runs in the order
 *       of time, until only requests, calls and timers are pending.
 *   S2  Then any request or call that is under way may come next; that is a place in the order.
 *   S3  A timer goes off when nothing but late writes is under way; then all that are due within `TOGETHER_MS` go
 *       off together, so what they set going is under way at the same time. While late writes are under way, it is
 *       a place in the order whether one of them lands or time passes.
 *   S4  A sender is told that there is no answer when none of its requests is under way any more, late ones apart:
 *       its patience is longer than every way to the store and back.
 *   S5  Draws that are not searched answer 0: the shortest latencies, the plainest of everything.
 *   S6  When the workload is done, what is still under way comes to its end, and the search with it; also when the
 *       faults end by time. Everything after that happens in the order of time.
 *   S7  When the matter is settled, the search has come to its end at once: no fault strikes any more, and what is still
 *       under way happens in the order of time.
 *
 * Not searched: the order of two answers on their way to one process, and a request that is under way for longer than
 * a timer (only a late write is).
 */
import { present } from "../../../src/std/assert.ts";
import type { Candidate, ChoiceSource, SchedulePolicy, Touch } from "../../kernel/index.ts";
import type { Step } from "./footprint.ts";
import type { SearchTree } from "./search-tree.ts";

/** How long a late write may be put off, milliseconds of virtual time. */
export const SEARCH_SLACK_MS = 60_000;
/** Timers that are due within this time of each other go off together. */
const TOGETHER_MS = 50;
/** Events that are a consequence of what has just happened (S1). */
const AT_ONCE: ReadonlySet<string> = new Set([
  "store-answer",
  "store-crash",
  "hop-reply",
  "start",
  "restart",
  "release",
]);
/** Draws that are searched, by label, and the faults that a value other than 0 costs. */
const SEARCHED: ReadonlyMap<string, number> = new Map([
  ["write-outcome", 1],
  ["read-outcome", 1],
  ["call-outcome", 1],
  ["store-crash-moment", 0],
]);
/** Labels of the store's wire: a late write that lands, and a sender that is told that there is no answer. */
const LATE_REQUEST = "store-late-request";
const SILENCE = "store-silence";
const TIME = "time";
/** Thrown out of a draw to end a run that only repeats what is known. */
const GIVEN_UP = new Error("this run is given up: every order that it could show has been seen");

/** Where in a run the search begins and ends; asked between events. */
export interface SearchBounds {
  begun(): boolean;
  done(): boolean;
  settled(): boolean;
  /** Versions that the key has had. */
  versions(key: string): number;
}

/** A request or call under way. */
interface Flight {
  readonly id: string;
  readonly touch: Touch;
  readonly late: boolean;
  readonly sentIn: number;
}

export class SearchRun implements ChoiceSource, SchedulePolicy {
  readonly slackMs = SEARCH_SLACK_MS;
  readonly #tree: SearchTree;
  readonly #bounds: SearchBounds;
  readonly #flights = new Map<number, Flight>();
  readonly #sent = new Map<string, number>();
  #processes: string[] = [];
  #present: Step | null = null;
  #versionsBefore = 0;
  #begun = false;
  #over = false;
  #givenUp = false;
  #decided = 0;
  #timers = 0;
  #timersUntilMs = TOGETHER_MS;
  #lastDraw = "";
  #error: unknown = null;

  constructor(tree: SearchTree, bounds: SearchBounds) {
    this.#tree = tree;
    this.#bounds = bounds;
  }

  /** Whether the run was given up because it repeats what is known. */
  get givenUp(): boolean {
    return this.#givenUp;
  }

  /** What broke the search itself; null: nothing. */
  get error(): unknown {
    return this.#error;
  }

  /** S6. */
  stop(): void {
    this.look();
    this.#over = true;
  }

  /** After each event until the end of the search: what the present step has done (S7). */
  look(): void {
    if (this.#over || !this.#begun) return;
    const step = this.#present;
    if (step !== null && step.touch !== null && step.touch.kind !== "call")
      step.changed = this.#bounds.versions(step.touch.key) > this.#versionsBefore;
    if (!this.#bounds.settled()) return;
    this.#tree.settle();
    this.#over = true;
  }

  choose(n: number, label: string): number {
    if (this.#givenUp) throw GIVEN_UP;
    if (label === "tie") return this.#decided;
    const before = this.#lastDraw;
    this.#lastDraw = label;
    const cost = SEARCHED.get(label);
    if (cost === undefined || n === 1 || !this.#begun || this.#over) return 0;
    // What the store saw of a read makes no difference to anybody when its sender has crashed.
    if (label === "store-crash-moment" && before === "read-outcome") return 0;
    return this.#guarded(() => this.#tree.draw(n, cost));
  }

  pick(candidates: readonly Candidate[], count: number, choices: ChoiceSource): number {
    this.#decided = this.#guarded(() => this.#next(candidates, count));
    return choices.choose(count, "tie");
  }

  only(event: Candidate): void {
    this.#guarded(() => this.#next([event], 1));
  }

  /** The search's own errors must not pass for errors of the code under test. */
  #guarded(decide: () => number): number {
    try {
      return decide();
    } catch (error) {
      this.#error ??= error;
      this.#over = true;
      return 0;
    }
  }

  #next(candidates: readonly Candidate[], count: number): number {
    if (this.#over || !this.#hasBegun(candidates[0])) return 0;
    this.look();
    if (this.#over) return 0;
    this.#note(candidates, count);
    const consequence = this.#consequence(candidates, count);
    if (consequence >= 0) {
      this.#ran(candidates[consequence]);
      return consequence;
    }
    return this.#step(candidates, count);
  }

  #hasBegun(earliest: Candidate | undefined): boolean {
    this.#begun ||= this.#bounds.begun();
    if (!this.#begun && earliest !== undefined) this.#timersUntilMs = earliest.timeMs + TOGETHER_MS;
    return this.#begun;
  }

  /** Gives new requests and calls their names (S2). */
  #note(candidates: readonly Candidate[], count: number): void {
    for (let i = 0; i < count; i++) {
      const event = candidates[i];
      if (event === undefined || event.touches === null || this.#flights.has(event.seq)) continue;
      const { touches: touch } = event;
      const sender = touch.kind === "call" ? `${touch.key} to ${touch.process}` : touch.process;
      const nth = (this.#sent.get(sender) ?? 0) + 1;
      this.#sent.set(sender, nth);
      const late = event.label === LATE_REQUEST;
      this.#flights.set(event.seq, { id: `${sender} ${nth}`, touch, late, sentIn: this.#tree.at });
    }
  }

  /** The first event that follows from what has happened; -1: none (S1, S3, S4). */
  #consequence(candidates: readonly Candidate[], count: number): number {
    for (let i = 0; i < count; i++) {
      const event = candidates[i];
      if (event === undefined || event.touches !== null) continue;
      if (AT_ONCE.has(event.label)) return i;
      if (event.label === SILENCE) {
        if (!this.#awaits(event.owner?.name ?? "")) return i;
      } else if (event.timeMs <= this.#timersUntilMs) return i;
    }
    return -1;
  }

  /** Whether a request of the process is under way that is not late. */
  #awaits(process: string): boolean {
    for (const { touch, late } of this.#flights.values()) {
      if (!late && touch.kind !== "call" && touch.process === process) return true;
    }
    return false;
  }

  /** S2, S3. */
  #step(candidates: readonly Candidate[], count: number): number {
    const enabled: string[] = [];
    const places = new Map<string, number>();
    let [timer, punctual] = [-1, false];
    for (let i = 0; i < count; i++) {
      const event = candidates[i];
      if (event === undefined) continue;
      const flight = this.#flights.get(event.seq);
      if (flight === undefined) {
        if (timer < 0 && event.label !== SILENCE) timer = i;
        continue;
      }
      if (!flight.late) punctual = true;
      enabled.push(flight.id);
      places.set(flight.id, i);
    }
    if (!punctual && timer >= 0 && !this.#bounds.done()) {
      const id = `${TIME} ${this.#timers + 1}`;
      enabled.push(id);
      places.set(id, timer);
    }
    if (enabled.length === 0) {
      this.#over = true;
      return 0;
    }
    const chosen = this.#tree.place(enabled);
    if (chosen === null) {
      this.#givenUp = true;
      this.#over = true;
      return 0;
    }
    const at = present(places.get(chosen), "the chosen step is one that can come next");
    this.#make(chosen, present(candidates[at], "the chosen event"));
    return at;
  }

  #make(id: string, event: Candidate): void {
    const flight = this.#flights.get(event.seq);
    this.#flights.delete(event.seq);
    if (flight === undefined) {
      this.#timers++;
      this.#timersUntilMs = event.timeMs + TOGETHER_MS;
    }
    const { touch, late, sentIn } = flight ?? { touch: null, late: false, sentIn: -1 };
    this.#processes = touch === null || late ? [] : [touch.process];
    if (touch === null) this.#ran(event);
    this.#versionsBefore = touch === null ? 0 : this.#bounds.versions(touch.key);
    const unknown = { changed: false, settles: false };
    this.#present = { id, touch, late, processes: this.#processes, ...unknown, sentIn };
    this.#tree.made(this.#present);
  }

  #ran(event: Candidate | undefined): void {
    const process = event?.owner?.name;
    if (process !== undefined && !this.#processes.includes(process)) this.#processes.push(process);
  }
}
