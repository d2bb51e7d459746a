/**
 * A small document for tests of conditional writes: a list of marks, and writers that add one.
 *
 * Each writer adds its mark once; a mark that is there is answered, a list that holds `closed` refuses. Not part of
 * the engine: nothing imports it but tests.
 */
import type { Clock } from "../ports/clock.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import { SILENT } from "../ports/trace.ts";
import { answer, refuse, write } from "../protocol/decision.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { CALLER, type Patience } from "./backoff.ts";
import type { Codec, Stamped } from "./codec.ts";
import { conditionalWrite, type Decide, type Settled } from "./conditional-write.ts";
import { open, seal } from "./envelope.ts";

export type Marks = readonly string[];
export const MARKS_KEY = "marks.json";
export const CLOSED = failure("conflict", "closed", "the list is closed");

export const marksCodec: Codec<Marks> = {
  encode: ({ sequence, write_id, lineage }, value) =>
    seal("baton.index.v1", { stamp: { sequence, write_id, lineage }, value }),
  decode: (body): Result<Stamped<Marks>, string> => {
    const opened = open("baton.index.v1", body);
    if (!opened.ok) return err(opened.error);
    return ok(opened.value as unknown as Stamped<Marks>); // sealed above, and no other text passes the checksum
  },
};

/** Adds the mark, answers when it is there, refuses when the list is closed. */
export function adding(mark: string): Decide<Marks, string> {
  return (current) => {
    const marks = current?.value ?? [];
    if (marks.includes(mark)) return answer("there");
    if (marks.includes("closed") && mark !== "closed") return refuse(CLOSED);
    return write([...marks, mark], "added");
  };
}

/** The store, with the kind of each request noted. */
export function counted(store: ObjectStore, asked: string[]): ObjectStore {
  const note = <T>(kind: string, outcome: T): T => {
    asked.push(kind);
    return outcome;
  };
  return {
    get: (key) => note("get", store.get(key)),
    put: (key, body, condition) => note("put", store.put(key, body, condition)),
    delete: (key, condition) => note("delete", store.delete(key, condition)),
    list: (request) => note("list", store.list(request)),
  };
}

/** A node that writes marks. Its write ids are `<name>-1`, `<name>-2`, … */
export class Marker {
  readonly store: ObjectStore;
  readonly #clock: Clock;
  readonly #name: string;
  #writes = 0;

  constructor(name: string, store: ObjectStore, clock: Clock) {
    this.#name = name;
    this.store = store;
    this.#clock = clock;
  }

  decide(
    decide: Decide<Marks, string>,
    patience: Patience = CALLER,
  ): Promise<Result<Settled<Marks, string>, Failure>> {
    const ids = { next: () => `${this.#name}-${++this.#writes}` };
    const ports = { store: this.store, clock: this.#clock, ids, random: { below: () => 0 }, trace: SILENT };
    return conditionalWrite(ports, MARKS_KEY, marksCodec, patience, decide);
  }

  add(mark: string, patience: Patience = CALLER): Promise<Result<Settled<Marks, string>, Failure>> {
    return this.decide(adding(mark), patience);
  }

  async read(): Promise<Stamped<Marks> | null> {
    const got = await this.store.get(MARKS_KEY);
    const decoded = got.kind === "ok" ? marksCodec.decode(got.body) : null;
    return decoded?.ok ? decoded.value : null;
  }
}
