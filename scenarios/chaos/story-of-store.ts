/**
 * Logs made by hand, for tests: one process after another says what it asked a store and what it was answered.
 *
 * Each request takes two milliseconds unless it says otherwise, and begins when the one before has ended; `back` lets the
 * next ones overlap. There is no store behind it: what was answered is what the test says.
 */
import type { PutCondition } from "../../src/ports/object-store.ts";
import type { Line, LoggedOutcome, ProcessLog } from "./log-lines.ts";

export class LogStory {
  readonly #lines = new Map<string, Line[]>();
  #ids = 0;
  #atMs = 0;

  get logs(): readonly ProcessLog[] {
    return [...this.#lines].map(([process, lines]) => ({ process, incarnation: 1, lines, unreadable: [] }));
  }

  /** A request that takes from now to `tookMs` later; `did` null: the process died first. */
  #ask(
    process: string,
    asked: Pick<Line & { e: "store-sent" }, "op" | "key" | "condition" | "body">,
    did: LoggedOutcome | null,
    tookMs: number,
  ): void {
    const lines = this.#lines.get(process) ?? [];
    this.#lines.set(process, lines);
    this.#ids += 1;
    this.#atMs += 1;
    const [id, at] = [this.#ids, this.#atMs];
    lines.push({ e: "store-sent", at, id, ...asked });
    if (did === null) return;
    this.#atMs += tookMs;
    lines.push({ e: "store-did", at: at + tookMs, id, outcome: did });
    lines.push({ e: "store-told", at: at + tookMs, id, outcome: null, faults: [] });
  }

  put(
    process: string,
    key: string,
    body: string,
    condition: PutCondition,
    did: LoggedOutcome | null,
    tookMs = 1,
  ) {
    this.#ask(process, { op: "put", key, condition, body }, did, tookMs);
    return this;
  }
  get(process: string, key: string, did: LoggedOutcome, tookMs = 1) {
    this.#ask(process, { op: "get", key, condition: null, body: null }, did, tookMs);
    return this;
  }
  delete(process: string, key: string, did: LoggedOutcome | null, tookMs = 1) {
    this.#ask(process, { op: "delete", key, condition: { kind: "none" }, body: null }, did, tookMs);
    return this;
  }
  /** Goes back in time, so that what follows overlaps with what was told. */
  back(ms: number) {
    this.#atMs -= ms;
    return this;
  }
  /** The logs without one line. */
  without(process: string, at: number): readonly ProcessLog[] {
    return this.logs.map((log) =>
      log.process === process ? { ...log, lines: log.lines.toSpliced(at, 1) } : log,
    );
  }
}
