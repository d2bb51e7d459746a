/**
 * Risk: a node that is told to stop and takes new work, drops what it has begun, or never ends.
 */
import { describe, expect, it } from "vitest";
import type { Engine, Task } from "../../src/index.ts";
import { ok, type Result } from "../../src/std/result.ts";
import { NodeShell } from "./node-shell.ts";

/** An engine whose claims are answered when the test says so; it knows which boot it is of. */
function engines() {
  const waiting: ((answer: Result<Task | null, never>) => void)[] = [];
  const claimed: number[] = [];
  const told: number[] = [];
  let boots = 0;
  const boot = () => {
    const life = ++boots;
    const engine: Partial<Engine> = {
      claim: () => {
        claimed.push(life);
        return new Promise((resolve) => waiting.push(resolve));
      },
      reconcile: async () => ok({ instances: life, repaired: 0, unread: 0 }),
    };
    const flush = async () => void told.push(life);
    return { engine: engine as Engine, node: { flush } }; // only these are asked
  };
  return { boot, claimed, told, answer: () => waiting.shift()?.(ok(null)) };
}

const CLAIM = { worker: "w", workflows: [] };

describe("a node's shell", () => {
  it("answers a stop when the last call that it has begun is answered and the rest is told, and takes no claim meanwhile (G1)", async () => {
    const { boot, told, answer } = engines();
    const shell = new NodeShell(boot, () => false);
    const begun = shell.claim(CLAIM);
    let stopped = false;
    const stop = shell.stop().then(() => {
      stopped = true;
    });
    expect(await shell.claim(CLAIM)).toMatchObject({
      ok: false,
      error: { kind: "unavailable", code: "stopping" },
    });
    expect(await shell.reconcile()).toMatchObject({ value: { instances: 0 } });
    expect([stopped, told]).toEqual([false, []]);
    answer();
    expect(await begun).toEqual(ok(null));
    await stop;
    expect(told).toEqual([1]);
  });

  it("is done at once when nothing is under way", async () => {
    const shell = new NodeShell(engines().boot, () => false);
    await shell.stop();
    expect(await shell.claim(CLAIM)).toMatchObject({ ok: false });
  });

  it("loses its memory at a claim, while older calls go on, and misses a sweep (G2)", async () => {
    const { boot, claimed, answer } = engines();
    let loses = false;
    const shell = new NodeShell(boot, () => loses);
    const first = shell.claim(CLAIM);
    loses = true;
    const second = shell.claim(CLAIM);
    expect(claimed).toEqual([1, 2]);
    expect(await shell.reconcile()).toMatchObject({ value: { instances: 0 } });
    loses = false;
    expect(await shell.reconcile()).toMatchObject({ value: { instances: 2 } });
    answer();
    answer();
    expect(await Promise.all([first, second])).toEqual([ok(null), ok(null)]);
  });
});
