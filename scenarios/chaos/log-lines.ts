/**
 * What processes write down while they are attacked for real: one JSON line for each thing that happens.
 *
 *   R1  what is about to leave the process is written before it leaves, in one synchronous write. So a process that is
 *       killed has told of every request that it can have sent; only its last line may be torn.
 *   R2  `at` is milliseconds, with a fraction, since the start of the run on a clock that all processes of the machine
 *       share and that never goes back. Lines of different processes are compared by it.
 *   R3  a log belongs to one life of one process; ids are unique within it.
 *
 * Owns the shapes and how a text is read back. Who writes is in `recording-store.ts`, `real-world.ts` and
 * `http-calls.ts`; what is made of it in `run-history.ts`.
 */
import type { CallRecord, FaultKind, StoreOperation } from "../../sim/index.ts";
import { parseJson } from "../../src/std/json.ts";
import { isObject } from "../checkers/shapes.ts";

/** What a store answers. The body of a get is null when this log told it before, for this key and etag. */
export type LoggedOutcome =
  | { readonly kind: "ok"; readonly etag: string; readonly body: string | null }
  | NonNullable<StoreOperation["outcome"]>;

export type Line =
  /** A request to the store, before it is sent. */
  | {
      readonly e: "store-sent";
      readonly at: number;
      readonly id: number;
      readonly op: StoreOperation["kind"];
      readonly key: string;
      readonly condition: StoreOperation["condition"];
      readonly body: string | null;
    }
  /** What the store answered; missing when the request was not passed on, or the process died first. */
  | { readonly e: "store-did"; readonly at: number; readonly id: number; readonly outcome: LoggedOutcome }
  /** What the sender was told; `outcome` null: just that. */
  | {
      readonly e: "store-told";
      readonly at: number;
      readonly id: number;
      readonly outcome: LoggedOutcome | null;
      readonly faults: readonly FaultKind[];
    }
  | {
      readonly e: "call-sent";
      readonly at: number;
      readonly id: number;
      readonly to: string;
      readonly operation: string;
      readonly request: unknown;
    }
  | {
      readonly e: "call-told";
      readonly at: number;
      readonly id: number;
      readonly outcome: NonNullable<CallRecord["outcome"]>;
      readonly reply: unknown;
      readonly faults: readonly FaultKind[];
    }
  /** A worker performs the effect of a step. The attempt is found by its number. */
  | {
      readonly e: "effect";
      readonly at: number;
      readonly effectId: string;
      readonly workflowId: string;
      readonly turn: number;
      readonly key: string;
      readonly worker: string;
      readonly token: string;
    }
  | {
      readonly e: "incident";
      readonly at: number;
      readonly kind: string;
      readonly process: string | null;
      readonly detail: string;
    };

/** Where a process writes its lines; `write` returns when the line is safe from a kill. */
export interface ChaosLog {
  /** R2. */
  nowMs(): number;
  write(line: Line): void;
}

/** The log of one life of a process. */
export interface ProcessLog {
  readonly process: string;
  readonly incarnation: number;
  readonly lines: readonly Line[];
  /** Lines that cannot be read, by number; a torn last one is not among them (R1). */
  readonly unreadable: readonly number[];
}

const KINDS: ReadonlySet<unknown> = new Set<Line["e"]>([
  "store-sent",
  "store-did",
  "store-told",
  "call-sent",
  "call-told",
  "effect",
  "incident",
]);

/** Lines are our own writing, so the kind and the time stand for the whole shape. */
function isLine(value: unknown): value is Line {
  return isObject(value) && KINDS.has(value.e) && typeof value.at === "number";
}

export function readLog(process: string, incarnation: number, text: string): ProcessLog {
  const lines: Line[] = [];
  const unreadable: number[] = [];
  const texts = text.split("\n");
  // R1: what follows the last line break is torn, or nothing.
  texts.pop();
  for (const [at, line] of texts.entries()) {
    const value: unknown = parseJson(line);
    if (isLine(value)) lines.push(value);
    else unreadable.push(at + 1);
  }
  return { process, incarnation, lines, unreadable };
}
