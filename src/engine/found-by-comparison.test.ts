/**
 * Sequences of commands on which engine and exact model once differed, and the engine was wrong.
 *
 * Risk: a defect that a random run found comes back. Each test is the shortened sequence as it was told.
 */
import { expect, test } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import { failed, instanceWith, leaseOf, nodeOver, taken } from "./example-nodes.ts";

test.each([Number.NaN, "1", -1, 1.5])(
  "a time to retry at that is no time is refused also when a reason is given: %o",
  async (retry_at_ms) => {
    const engine = nodeOver(new MemoryStore(), new ManualClock(0), countedIds("id"));
    await instanceWith(engine, "i-1", "m-1");
    const task = await taken(engine);
    const fields = { retry_at_ms, reason: "capacity" };
    const refusal = await failed(engine.fail({ ...leaseOf(task), error: "busy", ...fields } as never));
    expect(refusal).toMatchObject({ code: "invalid_number", param: "retry_at_ms" });
  },
);
