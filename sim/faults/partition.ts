/**
 * Partitions (catalogue F13): for a while, a process cannot reach the store, or hears nothing of it.
 *
 *   F1  a partition is of one process; it holds all its requests, its writes alone, or the keys of one folder;
 *   F2  in one direction requests are lost, in the other only their answers, so writes take place unheard;
 *   F3  a process has one partition at a time; it ends by itself, or with the faults.
 *
 * Requests under way when it begins are not touched: what becomes of them is other faults' matter.
 */
import type { StoreOperation } from "../history/history.ts";
import type { ChoiceSource } from "../kernel/choice.ts";

export type Direction = "requests" | "answers";

interface Partition {
  readonly untilMs: number;
  readonly scope: "all" | "writes" | "folder";
  readonly folder: string;
  readonly direction: Direction;
}

const SCOPES = ["all", "writes", "folder"] as const;

export class Partitions {
  readonly #choices: ChoiceSource;
  readonly #longestMs: number;
  readonly #open = new Map<string, Partition>();

  constructor(choices: ChoiceSource, longestMs: number) {
    this.#choices = choices;
    this.#longestMs = longestMs;
  }

  /** What of this request is lost now, or null. */
  cuts({ process, kind, key }: StoreOperation, nowMs: number): Direction | null {
    if (this.#open.size === 0) return null;
    const partition = this.#open.get(process);
    if (partition === undefined) return null;
    if (nowMs >= partition.untilMs) {
      this.#open.delete(process);
      return null;
    }
    if (partition.scope === "writes" && kind !== "put" && kind !== "delete") return null;
    if (partition.scope === "folder" && !key.startsWith(partition.folder)) return null;
    return partition.direction;
  }

  /** Begins a partition with this request; answers it in words. */
  begin({ process, key }: StoreOperation, nowMs: number): string {
    const forMs = 1 + this.#choices.choose(this.#longestMs, "partition-ms");
    const scope = SCOPES[this.#choices.choose(SCOPES.length, "partition-scope")] ?? "all";
    const direction = this.#choices.choose(2, "partition-direction") === 0 ? "requests" : "answers";
    const folder = key.slice(0, key.lastIndexOf("/") + 1);
    this.#open.set(process, { untilMs: nowMs + forMs, scope, folder, direction });
    const what = scope === "folder" ? `keys in ${folder}` : scope === "writes" ? "writes" : "all requests";
    return `${direction} of ${what} are lost for ${forMs} ms`;
  }
}
