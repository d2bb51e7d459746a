/**
 * The test kit. Risk: a kit that says that a workflow is right which the engine will find wrong, or the other way round.
 */
import { describe, expect, it } from "vitest";
import { workflow } from "./definition.ts";
import { testWorkflow } from "./test-kit.ts";
import { WorkflowError } from "./workflow-errors.ts";

const review = workflow({
  name: "review",
  version: "v1",
  initialState: { sent: 0 },
  async onMessage(ctx, state, message: { task: string }) {
    const draft = await ctx.step(
      "draft",
      ({ effectId }) => `${message.task} (${effectId.split("/").at(-1)})`,
    );
    const asked = await ctx.waitForSignal<{ approved: boolean }>("review", {
      name: "approval",
      timeoutMs: 5_000,
    });
    if (!asked.received || !asked.value.approved) return { state, result: "rejected" };
    await ctx.sleep("cool-down", 1_000);
    await ctx.step("deliver", ({ progress }) => {
      progress("delivering", { done: 1 });
      return null;
    });
    return { state: { sent: state.sent + 1 }, result: draft };
  },
});

describe("a sample run", () => {
  it("runs each message, with its signals, its sleeps and its state, and captures what it did", async () => {
    const run = await testWorkflow(review, {
      messages: [{ task: "a" }, { task: "b" }],
      signals: [{ name: "approval", value: { approved: true } }],
      nowMs: 0,
    });
    expect(run.state).toEqual({ sent: 1 });
    expect(run.turns.map(({ result }) => result)).toEqual(["a (draft)", "rejected"]);
    expect(run.turns[0]?.steps.map(({ key, kind }) => `${kind} ${key}`)).toEqual([
      "step draft",
      "signal review",
      "sleep cool-down",
      "step deliver",
    ]);
    expect(run.effects.map(({ effectId }) => effectId)).toEqual([
      "sample/main/1/sample/life/1/sample-1/draft",
      "sample/main/1/sample/life/1/sample-1/deliver",
      "sample/main/1/sample/life/2/sample-2/draft",
    ]);
    expect(run.reports).toMatchObject([{ key: "deliver", details: { phase: "delivering", done: 1 } }]);
    expect(run.nowMs).toBe(1_000 + 5_000);
    expect(run.replays).toBe(5 + 3);
  });

  it("is dry for steps that are replaced", async () => {
    const run = await testWorkflow(review, {
      messages: [{ task: "a" }],
      signals: [{ name: "approval", value: { approved: true } }],
      steps: { draft: () => "made up" },
    });
    expect(run.result).toBe("made up");
  });

  it("does no step twice for its replays", async () => {
    let done = 0;
    const counted = workflow({
      name: "counted",
      version: "v1",
      initialState: 0,
      async onMessage(ctx, state) {
        return { state: state + (await ctx.step("count", () => ++done)) };
      },
    });
    expect((await testWorkflow(counted, { messages: [null], state: 10 })).state).toBe(11);
    expect(done).toBe(1);
  });

  it.each<[string, () => number]>([
    ["reads a clock", () => performance.now()],
    ["draws a number", () => Math.random()],
  ])("finds a handler that %s between its steps", async (_, outside) => {
    const wild = workflow({
      name: "wild",
      version: "v1",
      initialState: 0,
      async onMessage(ctx) {
        const seen = outside();
        await ctx.step("one", () => 1);
        return { state: seen };
      },
    });
    await expect(testWorkflow(wild, { messages: [null] })).rejects.toThrow("not deterministic");
  });

  it("finds a handler that asks for other steps in a replay", async () => {
    let calls = 0;
    const wild = workflow({
      name: "wild",
      version: "v1",
      initialState: 0,
      async onMessage(ctx) {
        return { state: await ctx.step(`step-${calls++}`, () => 1) };
      },
    });
    await expect(testWorkflow(wild, { messages: [null] })).rejects.toThrow("which the first run did not do");
  });

  it("follows continuations, children, blobs and work sent back", async () => {
    const many = workflow({
      name: "many",
      version: "v1",
      initialState: { sum: 0 },
      async onMessage(ctx, state, message: { left: number }) {
        const blob = await ctx.step("keep", ({ putBlob }) => putBlob([message.left]));
        const child = await ctx.child<number>(
          "work",
          { name: "w", version: "v1" },
          { message: 1, timeoutMs: 9 },
        );
        await ctx.requeue("again", [{ instance: "i", error: "e" }]);
        const [kept = 0] = await ctx.getBlob<number[]>(blob);
        const next = { sum: state.sum + kept + (child.received ? child.value.result : 0) };
        return message.left > 1 ? ctx.continue(next, { left: message.left - 1 }) : { state: next };
      },
    });
    const run = await testWorkflow(many, { messages: [{ left: 3 }], replies: { work: 10 } });
    expect(run.state).toEqual({ sum: 3 + 2 + 1 + 30 });
    expect([run.turns.length, run.requeued.length, Object.keys(run.blobs).length]).toEqual([3, 3, 3]);
  });

  it("ends with the turn that fails, and says how", async () => {
    const broken = workflow({
      name: "broken",
      version: "v1",
      initialState: 0,
      onMessage() {
        throw new WorkflowError("no such order");
      },
    });
    const run = await testWorkflow(broken, { messages: [1, 2] });
    expect(run.turns).toMatchObject([{ end: { kind: "failed", error: "no such order", final: true } }]);
    expect(run.state).toBe(0);
  });
});
