/**
 * How much one graph holds, with the configuration as it comes. Risk: a budget that is off by one, one that counts another
 * unit, a refusal that has written something.
 *
 * What a full graph still takes, and what several nodes know of it, is in `budgets.test.ts`.
 */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../vocabulary/limits.ts";
import { DEFAULT_CONFIG } from "./config.ts";
import { failed, got, V1 } from "./example-nodes.ts";
import { text, World } from "./limit-world.contract.ts";

describe("a graph", () => {
  it("takes a thousand instances and no more", async () => {
    expect(DEFAULT_CONFIG.max_instances).toBe(LIMITS.graphInstances);
    const world = await World.begin();
    for (let n = 2; n <= LIMITS.graphInstances; n++) await got(world.create({ id: `n-${n}` }));
    const before = await world.stored();
    const failure = await failed(world.create({ id: "more" }));
    expect(failure).toMatchObject({ kind: "over-limit", code: "graph_full" });
    expect(failure.message).toMatch(/has 1000 instances, the limit is 1000; delete some/);
    expect(await world.stored()).toEqual(before);
    await got(world.node.deleteInstance({ workflow_id: "n-2" }));
    await got(world.create({ id: "more" }));
    expect(await failed(world.create({ id: "again" }))).toMatchObject({ code: "graph_full" });
  });

  it("takes an instance that fills it to its last open byte, and none beyond", async () => {
    expect(DEFAULT_CONFIG.max_state_bytes).toBe(LIMITS.graphBytes);
    const create = async (max_state_bytes: number) => {
      const world = await World.begin();
      const node = world.nodeWith({ max_state_bytes });
      await node.reconcile();
      const before = await world.stored();
      const answer = await node.createInstance({ id: "new", ...V1, state: text(1_000) });
      return { answer, wrote: (await world.stored()).versions > before.versions };
    };
    /** The whole of which so much is open to new work: all but its last sixteenth. */
    const whole = (open: number) => {
      let max = open;
      while (max - Math.floor(max / 16) < open) max += 1;
      return max;
    };
    const { answer } = await create(1);
    const needed = Number(/would hold (\d+) bytes/.exec(answer.ok ? "" : answer.error.message)?.[1]);
    expect(needed).toBeGreaterThan(1_000);
    const below = await create(whole(needed) - 1);
    expect(below).toMatchObject({ answer: { ok: false, error: { code: "graph_full" } }, wrote: false });
    const { message } = below.answer.ok ? { message: "" } : below.answer.error;
    expect(message).toContain(
      `would hold ${needed} bytes of current state, the limit is ${needed - 1}; complete`,
    );
    for (const max of [whole(needed), whole(needed) + 1]) expect((await create(max)).answer.ok).toBe(true);
  });
});
