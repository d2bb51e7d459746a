/**
 * Writes a group of orders in one transaction, so that one wait for the disk acknowledges all of them.
 *
 *   G1  the orders of a group take effect in their order, all of them or none.
 *   G2  a verdict is given after the commit. When it is not known whether the commit happened, every order of the group
 *       is told so, the refused ones too: what refused them may be undone.
 *   G3  nothing is written while another process writes: the wait for it is bounded, and afterwards nothing was done.
 *   G4  a condition is checked in the statement that writes.
 *
 * Knows no threads: `writer-thread.ts` calls it.
 */
import type { DeleteCondition, Etag, PutCondition } from "../../ports/object-store.ts";
import { rollBack } from "./database-file.ts";
import { CODES, type Database, firstLine, resultCode, type Statement } from "./sqlite.ts";

export type WriteOrder =
  | {
      readonly kind: "put";
      readonly key: string;
      readonly body: string;
      readonly condition: PutCondition;
      readonly etag: Etag;
    }
  | { readonly kind: "delete"; readonly key: string; readonly condition: DeleteCondition };

export type Verdict = "ok" | "precondition-failed" | "not-found" | "throttled" | "unknown-outcome";

export interface GroupAnswer {
  /** One for each order. */
  readonly verdicts: readonly Verdict[];
  /** For people, when a verdict is `unknown-outcome`. */
  readonly detail: string;
}

/** Another process that writes is waited for this long. */
const BUSY_MS = 5_000;
/** Between two tries, at random up to this: locks have no queue, and whoever looks often gets his turn. */
const LOOK_MS = 1;

export class GroupWriter {
  readonly #database: Database;
  readonly #pause: (ms: number) => void;
  readonly #insert: Statement;
  readonly #upsert: Statement;
  readonly #update: Statement;
  readonly #find: Statement;
  readonly #remove: Statement;
  readonly #removeMatching: Statement;

  /** `pause` holds this thread. */
  constructor(database: Database, pause: (ms: number) => void) {
    this.#database = database;
    this.#pause = pause;
    const insert = "INSERT INTO objects (key, etag, body) VALUES (?, ?, ?)";
    this.#insert = database.prepare(`${insert} ON CONFLICT DO NOTHING`);
    this.#upsert = database.prepare(
      "INSERT INTO objects (key, etag, body) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET etag = excluded.etag, body = excluded.body",
    );
    this.#update = database.prepare("UPDATE objects SET etag = ?, body = ? WHERE key = ? AND etag = ?");
    this.#find = database.prepare("SELECT 1 AS one FROM objects WHERE key = ?");
    this.#remove = database.prepare("DELETE FROM objects WHERE key = ?");
    this.#removeMatching = database.prepare("DELETE FROM objects WHERE key = ? AND etag = ?");
  }

  write(orders: readonly WriteOrder[]): GroupAnswer {
    const all = (verdict: Verdict, detail: string) => ({ verdicts: orders.map(() => verdict), detail });
    try {
      if (!this.#begin()) return all("throttled", "");
    } catch (error) {
      return all("unknown-outcome", whyNot(error));
    }
    try {
      const verdicts = orders.map((order) => (order.kind === "put" ? this.#put(order) : this.#delete(order)));
      this.#database.exec("COMMIT");
      return { verdicts, detail: "" };
    } catch (error) {
      rollBack(this.#database);
      return all("unknown-outcome", whyNot(error));
    }
  }

  /** G3. */
  #begin(): boolean {
    const untilMs = performance.now() + BUSY_MS;
    for (;;) {
      try {
        this.#database.exec("BEGIN IMMEDIATE");
        return true;
      } catch (error) {
        if (resultCode(error) !== CODES.busy) throw error;
        if (performance.now() > untilMs) return false;
        this.#pause(LOOK_MS * Math.random());
      }
    }
  }

  /** G4. */
  #put({ key, body, condition, etag }: WriteOrder & { kind: "put" }): Verdict {
    const [name, bytes] = [Buffer.from(key), Buffer.from(body)];
    switch (condition.kind) {
      case "none":
        this.#upsert.run(name, etag, bytes);
        return "ok";
      case "if-absent":
        return hasChanged(this.#insert.run(name, etag, bytes)) ? "ok" : "precondition-failed";
      case "if-match":
        return hasChanged(this.#update.run(etag, bytes, name, condition.etag)) ? "ok" : this.#refused(name);
    }
  }

  #delete({ key, condition }: WriteOrder & { kind: "delete" }): Verdict {
    const name = Buffer.from(key);
    if (condition.kind === "if-match")
      return hasChanged(this.#removeMatching.run(name, condition.etag)) ? "ok" : this.#refused(name);
    this.#remove.run(name);
    return "ok";
  }

  #refused(name: Uint8Array): Verdict {
    return this.#find.get(name) === undefined ? "not-found" : "precondition-failed";
  }
}

function hasChanged({ changes }: { readonly changes: number | bigint }): boolean {
  return Number(changes) > 0;
}

function whyNot(error: unknown): string {
  const full = resultCode(error) === CODES.full;
  return full ? "the disk is full" : `SQLite: ${firstLine(error)}`;
}
