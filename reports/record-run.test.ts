/**
 * Risk: a page shows another run than the one that was recorded, or the wrong version under an edge.
 */
import { describe, expect, it } from "vitest";
import { HOSTILE, handmadeHistory, handmadeRun, OPERATIONS, ORDER } from "./fixture-run.ts";

const run = handmadeRun();
const operation = (id: number) => run.operations[id - 1];

describe("a recorded run", () => {
  it("is JSON all through", () => {
    expect(JSON.parse(JSON.stringify(run))).toEqual(run);
  });

  it("holds every operation, call, incident and version of the history", () => {
    const history = handmadeHistory();
    expect(run.operations).toHaveLength(history.operations.length);
    expect(run.calls).toHaveLength(history.calls.length);
    expect(run.incidents).toEqual(history.incidents);
    const versions = [...history.chains.values()].map((chain) => chain.length);
    expect(run.chains.map((chain) => chain.versions.length)).toEqual(versions);
  });

  it("keeps each body once and gives it back unchanged", () => {
    expect(new Set(run.bodies).size).toBe(run.bodies.length);
    const created = operation(OPERATIONS.created);
    expect(run.bodies[created?.body ?? -1]).toBe(JSON.stringify({ sequence: 0, note: HOSTILE }));
    const order = run.chains.find((chain) => run.keys[chain.key] === ORDER);
    expect(order?.versions[0]?.body).toBe(created?.body);
  });

  it("says which version each condition names", () => {
    const named = Object.entries(OPERATIONS).map(([name, id]) => [name, operation(id)?.condition?.version]);
    expect(Object.fromEntries(named)).toMatchObject({
      created: null,
      won: 0,
      lost: 0,
      answerLost: 1,
      conflict: 2,
    });
  });

  it("is the same for the same history", () => {
    expect(JSON.stringify(handmadeRun())).toBe(JSON.stringify(run));
  });
});
