/**
 * A turn at its 256 KiB. Risk: a turn that is stored beyond its limit, a refusal that has written something, a full turn
 * that nobody can end, a worker that is not told why.
 *
 * How a turn is stored is the engine's own business: what just fits is sought, in worlds that are all the same.
 */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../vocabulary/limits.ts";
import { failed, got, leaseOf, taken } from "./example-nodes.ts";
import { DAY_MS, type Reply, text, World } from "./limit-world.contract.ts";

/** A world whose turn has so many bytes of steps, and a last one of that size. */
async function filled(last: number): Promise<World> {
  const world = await World.begin();
  for (let position = 0; position < 3; position++)
    await got(world.step({ position, key: `k-${position}`, output: text(LIMITS.outputBytes) }));
  if (last > 0) await got(lastStep(world, last));
  return world;
}

const lastStep = (world: World, bytes: number) =>
  world.step({ position: 3, key: "last", output: text(bytes) });

/** The largest size with which the trial succeeds. */
async function largest(trial: (bytes: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [2, LIMITS.outputBytes];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await trial(middle)) low = middle;
    else high = middle;
  }
  return low;
}

const fits = await largest(async (bytes) => (await lastStep(await filled(0), bytes)).ok);

/** A turn without a byte to spare. */
const full = () => filled(fits);

async function refuses(world: World, call: () => Reply): Promise<string> {
  const before = await world.stored();
  const failure = await failed(call());
  expect(failure).toMatchObject({ kind: "over-limit", code: "turn_too_large" });
  expect(await world.stored()).toEqual(before);
  return failure.message;
}

describe("a stored turn", () => {
  it("takes what fills it to its last byte and not a byte more", async () => {
    expect(fits).toBeGreaterThan(50_000);
    const world = await filled(0);
    const message = await refuses(world, () => lastStep(world, fits + 1));
    expect(message).toContain(
      `would take ${LIMITS.storedTurnBytes + 1} bytes, the limit is ${LIMITS.storedTurnBytes}; keep large values`,
    );
    await got(lastStep(await filled(0), fits - 1));
    await got(lastStep(world, fits));
  });
});

describe("a full turn", () => {
  it.each<[string, (world: World) => Reply]>([
    ["a step", (w) => w.step({ position: 4, key: "more" })],
    ["a sleep", (w) => w.sleep({ position: 4, key: "more" })],
    ["a wait", (w) => w.wait({ position: 4, key: "more" })],
    ["a child", (w) => w.child({ position: 4, key: "more" })],
    ["an operation", (w) => w.operation({ position: 4, key: "more" })],
    ["a signal", (w) => w.signal({})],
  ])("takes no more of %s, and nothing is written", async (_, call) => {
    const world = await full();
    await refuses(world, () => call(world));
  });

  it("tells its worker that no completion fits, and what to do", async () => {
    const world = await full();
    expect(await refuses(world, () => world.complete({}))).toMatch(
      /references, or continue in another turn$/,
    );
    const turn = await got(world.node.fail({ ...world.lease, error: "no room", non_retryable: true }));
    expect(turn).toMatchObject({ status: "failed", error: "no room" });
  });

  it.each<[string, (world: World) => Promise<unknown>, string]>([
    ["fails, with the longest text", (w) => got(w.fail({ error: text(LIMITS.errorChars) })), "queued"],
    ["is put off", (w) => got(w.fail({ retry_at_ms: w.clock.nowMs + DAY_MS })), "waiting"],
    ["is cancelled", (w) => got(w.control({ action: "cancel_turn", turn: 1 })), "cancelled"],
    ["is renewed", (w) => got(w.node.heartbeat(w.lease)), "running"],
    ["sends back what it could not do", (w) => got(w.sendBack({})), "running"],
    [
      "is paused and resumed",
      async (w) => [await got(w.control({})), await got(w.control({ action: "resume" }))],
      "running",
    ],
  ])("%s all the same", async (_, call, status) => {
    const world = await full();
    await call(world);
    expect(await got(world.node.getTurn("i", 1))).toMatchObject({ status });
  });

  it("is claimed again at the end of its lease, retried, skipped, and moves to history", async () => {
    const world = await full();
    world.clock.pass(DAY_MS);
    const again = await taken(world.node);
    expect(again.turn).toMatchObject({ attempt: 2, status: "running" });
    await got(world.node.fail({ ...leaseOf(again), error: "no room", non_retryable: true }));
    await got(world.control({ action: "retry", turn: 1 }));
    await got(world.node.fail({ ...leaseOf(await taken(world.node)), error: "x", non_retryable: true }));
    await got(world.control({ action: "skip", turn: 1 }));
    await got(world.send({}));
    await got(world.node.complete({ ...leaseOf(await taken(world.node)), state: 2 }));
    const { turns } = await got(world.node.history({ workflow_id: "i" }));
    expect(turns.map(({ status, skipped }) => [status, skipped])).toEqual([
      ["failed", true],
      ["completed", false],
    ]);
    expect(turns[0]?.steps[3]?.output).toBe(text(fits));
  });

  it("has its wait run out although it was full with it", async () => {
    const place = { position: 4, key: "wait" };
    const beside = await largest(async (bytes) => {
      const world = await filled(0);
      return (await lastStep(world, bytes)).ok && (await world.wait(place)).ok;
    });
    const world = await filled(beside);
    await got(world.wait(place));
    await refuses(world, () => world.signal({ value: null }));
    world.clock.pass(1);
    const { turn } = await taken(world.node);
    expect(turn.steps[4]?.output).toEqual({ received: false, value: null });
  });
});
