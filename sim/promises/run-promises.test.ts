/**
 * Risk: a comparison with a scheduler of promises that runs something else than the scenario, or sees nothing.
 */
import { describe, expect, test } from "vitest";
import { breaks, hangs, scenarioOf, throws, writes } from "../runner/fixtures.ts";
import type { PromiseScheduler } from "./promise-scheduler.ts";
import { runUnderPromises } from "./run-promises.ts";

/** Picks the first or the last of the pending promises. */
class Line implements PromiseScheduler {
  readonly labels: string[] = [];
  readonly #pending: { readonly label: string; readonly settle: () => void }[] = [];
  readonly #last: boolean;

  constructor(last = false) {
    this.#last = last;
  }
  schedule(label: string): Promise<void> {
    return new Promise((settle) => this.#pending.push({ label, settle }));
  }
  async waitOne(): Promise<void> {
    const next = this.#last ? this.#pending.pop() : this.#pending.shift();
    this.labels.push(next?.label ?? "");
    next?.settle();
  }
  count(): number {
    return this.#pending.length;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a scenario under a scheduler of promises", () => {
  test("passes when nothing is wrong, and its requests are what was scheduled", async () => {
    const line = new Line();
    expect(await runUnderPromises(writes, 1, line, turn)).toEqual([]);
    expect(line.labels.filter((label) => label === "store-request")).toHaveLength(5);
    expect(line.labels.filter((label) => label === "store-answer")).toHaveLength(5);
  });

  test.each([
    [breaks, ["I00-broken"]],
    [throws, ["crash"]],
    [hangs, ["I11-progress"]],
  ])("tells what it breaks: $name", async (scenario, broken) => {
    expect(await runUnderPromises(scenario, 1, new Line(), turn)).toEqual(broken);
  });

  test("the scheduler decides which request comes first", async () => {
    const order: string[] = [];
    const racing = scenarioOf("racing", async (context, { store }) => {
      const client = store.client(context);
      const put = async (key: string) => {
        await client.put(key, "body", { kind: "none" });
        order.push(key);
      };
      await Promise.all([put("a"), put("b")]);
    });
    await runUnderPromises(racing, 1, new Line(), turn);
    await runUnderPromises(racing, 1, new Line(true), turn);
    expect(order).toEqual(["a", "b", "b", "a"]);
  });

  test("timers fire only when no promise is pending, in the order of their times", async () => {
    const order: string[] = [];
    const sleepy = scenarioOf("sleepy", async (context, { store, simulation }) => {
      const sleep = async (ms: number) => {
        await context.clock.sleep(ms);
        order.push(`${ms}`);
      };
      const both = [sleep(50), sleep(20)];
      await store.client(context).put("a", "body", { kind: "none" });
      order.push(`put before ${simulation.now() < 20}`);
      await Promise.all(both);
    });
    expect(await runUnderPromises(sleepy, 1, new Line(), turn)).toEqual([]);
    expect(order).toEqual(["put before true", "20", "50"]);
  });
});
