/**
 * Crawler: one long step that says how far it is, and that goes on where it was when its worker dies.
 *
 * The cursor is saved with each heartbeat. The next attempt gets the last one as `checkpoint`, so at most the page that
 * was being read is read again.
 */
import { workflow } from "../src/workflow/index.ts";
import type { Demo } from "./demo.ts";

/** Reads one page; a real one asks the network, and heeds the signal. */
export type ReadPage = (page: number, signal: AbortSignal) => Promise<{ readonly words: number }>;

interface Cursor {
  readonly page: number;
  readonly words: number;
}

export function crawler(read: ReadPage) {
  return workflow({
    name: "crawler",
    version: "v1",
    initialState: { words: 0 },
    async onMessage(ctx, state, message: { pages: number }) {
      const found = await ctx.step(
        "crawl",
        async ({ checkpoint, heartbeat, progress, signal }) => {
          let { page, words } = cursorOf(checkpoint);
          while (page < message.pages) {
            // Cheap to say often: what is sent is at most one report in three seconds.
            progress("reading pages", { done: page, total: message.pages, unit: "pages" });
            words += (await read(page, signal)).words;
            page += 1;
            await heartbeat({ page, words }, { checkpoint: { page, words } });
          }
          return words;
        },
        { kind: "tool", timeoutMs: 3_600_000, heartbeatTimeoutMs: 30_000 },
      );
      return { state: { words: state.words + found }, result: found };
    },
  });
}

/** Nothing is saved before the first heartbeat. */
function cursorOf(checkpoint: unknown): Cursor {
  const none = { page: 0, words: 0 };
  if (typeof checkpoint !== "object" || checkpoint === null) return none;
  const { page, words } = { ...none, ...checkpoint };
  return { page, words };
}

export const crawlerDemo: Demo = {
  workflows: [crawler(async (page) => ({ words: 100 + page }))],
  async run(client, id) {
    const handle = client.workflows.handle<{ pages: number }, number>(id);
    await client.workflows.create({ id, workflow_type: "crawler", version: "v1", state: { words: 0 } });
    return handle.ask({ pages: 5 }, { id: "crawl-1" });
  },
};
