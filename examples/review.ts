/**
 * Review: a draft is made, a person decides, and only then it is delivered. While it waits for the person, no worker is
 * held, whether that takes a minute or a month.
 */
import { workflow } from "../src/workflow/index.ts";
import type { Demo } from "./demo.ts";

const DAY_MS = 86_400_000;

/** What the example reaches outside: put your own model and your own mail here. */
const outside = {
  draft: (task: string) => `Draft for: ${task}`,
  /** `effectId` is the same on every attempt: a service that knows it delivers once. */
  deliver: (text: string, effectId: string) => ({
    delivered: text,
    receipt: effectId.split("/").at(-1) ?? "",
  }),
};

export const review = workflow({
  name: "review",
  version: "v1",
  initialState: { sent: 0 },
  async onMessage(ctx, state, message: { task: string }) {
    const draft = await ctx.step("draft", () => outside.draft(message.task), { kind: "model" });
    const asked = await ctx.waitForSignal<{ approved: boolean }>("review", {
      name: "approval",
      timeoutMs: 7 * DAY_MS,
    });
    if (!asked.received) return { state, result: "nobody answered" };
    if (!asked.value.approved) return { state, result: "rejected" };
    // A second thought: somebody may still cancel the turn.
    await ctx.sleep("cool-down", 1_000);
    await ctx.step("deliver", ({ effectId }) => outside.deliver(draft, effectId), { kind: "tool" });
    return { state: { sent: state.sent + 1 }, result: draft };
  },
});

export const reviewDemo: Demo = {
  workflows: [review],
  async run(client, id) {
    const handle = await client.workflows.start(review, id);
    const turn = await handle.send(
      { task: "an answer to Ms Lind" },
      { id: "task-1", origin: { kind: "app" } },
    );
    // From a web page, a chat, a callback: it may come before the turn waits for it.
    await handle.signal("approval", { approved: true }, { turn: turn.number, id: "decision-1" });
    return handle.result(turn.number);
  },
};
