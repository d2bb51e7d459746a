/**
 * Risk: a workload that asks for something other than it says, so that the checkers compute with another one.
 */
import { expect, test } from "vitest";
import { ScriptSource, SeedSource } from "../../sim/index.ts";
import { drawWorkload } from "./draw-workload.ts";
import { completion, fold, initialState, payloadOf, readPayload, stepOutput, verdict } from "./handler.ts";
import { PLAIN_SHAPE, plannedTurns } from "./workload.ts";

const SHAPE = {
  ...PLAIN_SHAPE,
  instances: 4,
  messages: 5,
  steps: 5,
  depth: 3,
  retryable: 3,
  fatal: true,
  duplicates: 3,
};

test("a source of zeroes draws the smallest workload", () => {
  const { instances } = drawWorkload(new ScriptSource([]), SHAPE);
  expect(instances).toHaveLength(1);
  expect(instances[0]?.messages).toEqual([
    {
      id: "order-1-message-1",
      steps: 1,
      stepMs: 0,
      depth: 0,
      retryable: 0,
      fatal: false,
      duplicates: 0,
      duplicateAfterMs: 0,
      sendAtMs: 0,
    },
  ]);
});

test("every workload stays within its shape, in the order of sending, with unique message ids", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { instances } = drawWorkload(new SeedSource(seed), SHAPE);
    expect(instances.length).toBeLessThanOrEqual(SHAPE.instances);
    const messages = instances.flatMap((instance) => instance.messages);
    expect(new Set(messages.map((message) => message.id)).size).toBe(messages.length);
    for (const { messages: own } of instances) {
      expect(own.length).toBeLessThanOrEqual(SHAPE.messages);
      expect(own.map((m) => m.sendAtMs)).toEqual(own.map((m) => m.sendAtMs).sort((a, b) => a - b));
    }
    for (const { steps, depth, retryable, duplicates } of messages) {
      expect(steps >= 1 && steps <= SHAPE.steps && depth <= SHAPE.depth).toBe(true);
      expect(retryable <= SHAPE.retryable && duplicates <= SHAPE.duplicates).toBe(true);
    }
  }
});

test("the same seed draws the same workload, and different seeds draw different ones", () => {
  const drawn = Array.from({ length: 20 }, (_, seed) => drawWorkload(new SeedSource(seed), SHAPE));
  expect(drawWorkload(new SeedSource(7), SHAPE)).toEqual(drawn[7]);
  expect(new Set(drawn.map((workload) => JSON.stringify(workload))).size).toBe(20);
});

test("a message is read back as it was sent, and its continuations end after its depth", () => {
  const { instances } = drawWorkload(new SeedSource(3), SHAPE);
  const [instance] = instances;
  const message = { ...instance?.messages[0], depth: 2, retryable: 1, fatal: true };
  let payload = payloadOf({
    id: "m",
    steps: 1,
    stepMs: 0,
    fatal: true,
    duplicates: 0,
    duplicateAfterMs: 0,
    sendAtMs: 0,
    depth: 2,
    retryable: 1,
  });
  expect(readPayload(JSON.parse(JSON.stringify(payload)))).toEqual(payload);
  const names = [payload.name];
  for (;;) {
    const next = completion({ count: 0, log: "" }, payload, []).continuation;
    if (next === null) break;
    payload = next.message;
    names.push(payload.name);
    expect([payload.retryable, payload.fatal]).toEqual([0, false]);
  }
  expect(names).toEqual(["m", "m+", "m++"]);
  expect(plannedTurns({ ...(instance as NonNullable<typeof instance>), messages: [message as never] })).toBe(
    3,
  );
});

test("attempts fail as planned and then come to their end", () => {
  const plan = {
    id: "m",
    steps: 1,
    stepMs: 0,
    depth: 0,
    retryable: 2,
    fatal: false,
    duplicates: 0,
    duplicateAfterMs: 0,
    sendAtMs: 0,
  };
  expect([1, 2, 3].map((attempt) => verdict(payloadOf(plan), attempt))).toEqual([
    "fails",
    "fails",
    "completes",
  ]);
  const fatal = payloadOf({ ...plan, fatal: true });
  expect(verdict(fatal, 3)).toBe("fails-for-good");
});

test("the state tells which messages were taken and in which order", () => {
  const start = { count: 0, log: "start" };
  const ab = fold(fold(start, "a"), "b");
  expect(ab.count).toBe(2);
  expect(ab).not.toEqual(fold(fold(start, "b"), "a"));
  expect(initialState({ initialCount: 2 } as never)).toEqual({ count: 2, log: "start" });
  expect(stepOutput("x")).toEqual(stepOutput("x"));
  expect(stepOutput("x")).not.toEqual(stepOutput("y"));
});

test("a message or value of somebody else is not taken for ours", () => {
  for (const value of [null, 1, "x", [], {}, { name: "a", steps: 1 }]) expect(readPayload(value)).toBeNull();
});

test("a poisonous message fails in every attempt that its instance has, and few they are", () => {
  const circumstances = { poisons: () => true, leastLeaseMs: 0 };
  const { instances } = drawWorkload(new SeedSource(3), { ...SHAPE, attempts: [20] }, circumstances);
  for (const { max_attempts, messages } of instances) {
    const [first] = messages;
    expect([max_attempts, first?.retryable]).toEqual([3, 3]);
  }
});

test("no lease is shorter than the store's writes need", () => {
  const circumstances = { poisons: () => false, leastLeaseMs: 12_000 };
  const { instances } = drawWorkload(new SeedSource(3), SHAPE, circumstances);
  for (const { lease_ms } of instances) expect(lease_ms).toBe(12_000);
});
