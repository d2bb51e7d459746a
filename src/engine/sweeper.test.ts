/**
 * The listing of instances relies on no order, no page size and no single showing of a key (rule O6 of the port).
 * Risk: a store without list order (S3 Express) whose instances are never repaired, and a listing without end (B26).
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { ScriptedStore, type Step } from "../adapters/scripted-store.ts";
import type { ListOutcome } from "../ports/object-store.ts";
import type { Engine } from "./engine.ts";
import { failed, got, instanceWith, KEYS, nodeOver } from "./example-nodes.ts";

let store: ScriptedStore;
let engine: Engine;

beforeEach(async () => {
  store = new ScriptedStore();
  engine = nodeOver(store, new ManualClock(1_000_000), countedIds("a"));
  for (const id of ["i-1", "i-2", "i-3"]) await instanceWith(engine, id);
});

/** A page with these ids, whatever was asked for. */
function page(ids: readonly string[], next: string | null): Step<ListOutcome> {
  const entries = ids.map((id) => ({ key: KEYS.instance(id), etag: "e" }));
  return async () => ({ kind: "ok", entries, next });
}

async function listed(): Promise<readonly string[]> {
  return (await got(engine.listInstances({}))).instances.map(({ id }) => id);
}

describe("the listing of instances", () => {
  it("L2: shows every instance in the order of ids although the store lists in no order", async () => {
    store.lists = [page(["i-3"], "x"), page(["i-1", "i-2"], null)];
    expect(await listed()).toEqual(["i-1", "i-2", "i-3"]);
  });

  it("L2: counts an instance once that two pages show", async () => {
    store.lists = [page(["i-1", "i-2"], "x"), page(["i-2", "i-3"], null)];
    expect(await got(engine.reconcile())).toMatchObject({ instances: 3 });
  });

  it("goes on behind a page without keys", async () => {
    store.lists = [page([], "x"), page(["i-2"], "y"), page([], null)];
    expect(await listed()).toEqual(["i-2"]);
  });

  it("L2: gives up a listing that comes back to where it was", async () => {
    store.lists = [page(["i-1"], "x"), page(["i-2"], "y"), page(["i-1"], "x")];
    expect(await failed(engine.listInstances({}))).toMatchObject({
      kind: "unavailable",
      code: "list_endless",
    });
  });

  it("L1: leaves an instance that the listing misses for the next pass", async () => {
    await store.beneath.delete(KEYS.index, { kind: "none" });
    store.lists = [page(["i-1", "i-3"], null)];
    expect(await got(engine.reconcile())).toMatchObject({ instances: 2, repaired: 2 });
    expect(await got(engine.reconcile())).toMatchObject({ instances: 3, repaired: 1 });
  });
});
