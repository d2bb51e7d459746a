/**
 * Counter: the smallest workflow. It adds what each message says to its saved state, and goes on by itself when the
 * message asks for more than one turn.
 */
import { workflow } from "../src/workflow/index.ts";
import type { Demo } from "./demo.ts";

export const counter = workflow({
  name: "counter",
  version: "v1",
  initialState: { count: 0 },
  async onMessage(ctx, state, message: { add: number; remaining?: number }) {
    // What a step returns is saved: a turn that starts again after a crash does not do it again.
    const amount = await ctx.step("add", () => message.add);
    const next = { count: state.count + amount };
    const remaining = (message.remaining ?? 1) - 1;
    // State, reply and the next message are one write.
    if (remaining > 0) return ctx.continue(next, { ...message, remaining });
    return { state: next, result: next.count };
  },
});

export const counterDemo: Demo = {
  workflows: [counter],
  async run(client, id) {
    const handle = await client.workflows.start(counter, id);
    // The id makes the message safe to send again: the same id is the same message.
    return handle.ask({ add: 1, remaining: 3 }, { id: "request-1" });
  },
};
