/**
 * The line that moves on a terminal while runs go on. Nothing is written where nobody watches.
 */
import type { Tally } from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import { grouped } from "./table.ts";

const EVERY_MS = 100;
const CLEAR = "\r\x1b[2K";

export class Progress {
  readonly #io: Io;
  readonly #startMs: number;
  #drawnMs: number;
  #drawn = false;

  constructor(io: Io) {
    this.#io = io;
    this.#startMs = io.nowMs();
    this.#drawnMs = this.#startMs;
  }

  /** Redraws the line when it is time to. `share` is how much is done, 0 to 1. */
  update(tally: Tally, nowMs: number, share: number): void {
    const seconds = (nowMs - this.#startMs) / 1_000;
    const percent = `${Math.floor(Math.min(share, 1) * 100)} %`;
    const figures = [
      `${grouped(tally.runs)} runs`,
      `${grouped(tally.storeOps / seconds)} store operations/s`,
      `${grouped(tally.failures)} failed`,
    ];
    this.line(`${percent.padStart(5)}  ${figures.join("  ")}`, nowMs);
  }

  /** Draws this instead, when it is time to. */
  line(text: string, nowMs: number): void {
    if (!this.#io.live || nowMs - this.#drawnMs < EVERY_MS) return;
    this.#drawnMs = nowMs;
    this.#io.err(CLEAR + text.slice(0, this.#io.width - 1));
    this.#drawn = true;
  }

  /** Takes the line away, before other text and at the end. */
  clear(): void {
    if (this.#drawn) this.#io.err(CLEAR);
    this.#drawn = false;
  }
}
