/**
 * Several threads that hunt the bugs of one matrix, each one bug at a time.
 *
 *   L3  A thread that has ended its bug gets the next one of the list.
 *   L4  Whoever hears the news says after each whether to go on; if not, the hunts under way are given up: what a
 *       thread would still tell is not heard.
 *   L5  When a thread is gone, or a hunt is broken, all ends with that error.
 */

import type { Thread } from "../campaign/thread.ts";
import type { HuntNews, HuntTask } from "./bug-hunts.ts";

/** A thread that hunts the bugs that it is given. */
export type HuntThread = Thread<HuntTask, HuntNews>;

export class HuntPool {
  readonly #threads: readonly HuntThread[];
  readonly #hear: (news: HuntNews) => boolean;

  constructor(threads: readonly HuntThread[], hear: (news: HuntNews) => boolean) {
    this.#threads = threads;
    this.#hear = hear;
  }

  /** Ends when all tasks are done or it was told not to go on. */
  hunt(tasks: readonly HuntTask[]): Promise<void> {
    const left = [...tasks];
    return new Promise((resolve, reject) => {
      let [over, busy] = [false, 0];
      const give = (thread: HuntThread): void => {
        const task = left.shift();
        if (task === undefined) return;
        busy++;
        thread.ask(task);
      };
      const hear = (thread: HuntThread, news: HuntNews): void => {
        if (over) return;
        const goesOn = this.#hear(news);
        if (news.kind === "done") {
          busy--;
          if (goesOn) give(thread);
        }
        if (goesOn && busy > 0) return;
        over = true;
        resolve();
      };
      const fail = (error: unknown): void => {
        over = true;
        reject(error);
      };
      for (const thread of this.#threads) {
        thread.listen((news) => attempt(() => hear(thread, news), fail), fail);
        give(thread);
      }
    });
  }

  end(): void {
    for (const thread of this.#threads) thread.end();
  }
}

function attempt(act: () => void, failed: (error: unknown) => void): void {
  try {
    act();
  } catch (error) {
    failed(error);
  }
}
