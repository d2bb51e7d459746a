/**
 * Risk: what a node does by itself is counted as the cost of the call that it happens to serve.
 */
import { expect, it } from "vitest";
import type { CallRecord, RunHistory, StoreOperation } from "../sim/index.ts";
import { causesOf } from "./attribution.ts";
import { exampleRequest } from "./example-request.ts";

const IDENTITY = "b/g/state/instances/order.json";
const BLOBS = "b/g/blobs/i-order@1/";

/** A request of the one node. */
function request(
  id: number,
  kind: StoreOperation["kind"],
  key: string,
  sentAtMs: number,
  answeredAtMs: number,
  change: Partial<StoreOperation> = {},
): StoreOperation {
  return exampleRequest({ id, kind, key, sentAtMs, answeredAtMs }, change);
}

function call(operation: string, sentAtMs: number, answeredAtMs: number): CallRecord {
  return {
    id: 1,
    from: "worker-1",
    fromIncarnation: 1,
    to: "node-1",
    operation,
    request: { workflow_id: "order" },
    sentAtMs,
    repliedAtMs: answeredAtMs - 1,
    answeredAtMs,
    outcome: "answered",
    reply: { ok: true },
    faults: [],
  };
}

function causes(operations: readonly StoreOperation[], calls: readonly CallRecord[]) {
  const chains = new Map();
  const history: RunHistory = {
    operations,
    chains,
    calls,
    incidents: [],
    healedAtMs: null,
    endedAtMs: 1_000,
  };
  return [...causesOf(history).values()];
}

const PRUNED = [
  request(1, "list", BLOBS, 10, 30),
  request(2, "get", IDENTITY, 30, 45, { outcome: { kind: "ok", etag: "e1", body: "{}" } }),
  request(3, "delete", `${BLOBS}b1.json`, 45, 60),
];

it("A7: what is pruned with the blobs is history, at a node that serves no call and at one that serves any", () => {
  expect(causes(PRUNED, [])).toEqual(["history", "history", "history"]);
  for (const served of ["complete", "claim", "putBlob"])
    expect(causes(PRUNED, [call(served, 5, 70)])).toEqual(["history", "history", "history"]);
  const later = request(4, "put", IDENTITY, 50, 70, {
    condition: { kind: "if-match", etag: "e1" },
    body: "{}",
  });
  expect(causes([...PRUNED, later], [call("complete", 5, 80)])).toEqual([
    "history",
    "history",
    "history",
    "complete",
  ]);
});

it("A7: a blob that is put or got, and any other read of the identity, is the call's", () => {
  const calls = [call("claim", 5, 70)];
  const [list] = PRUNED;
  const read = (id: number, atMs: number) => request(id, "get", IDENTITY, atMs, 50);
  const put = request(5, "put", `${BLOBS}b2.json`, 40, 50);
  const requests = list === undefined ? [] : [list, read(2, 30), read(3, 30), read(4, 31), put];
  expect(causes(requests, calls)).toEqual(["history", "history", "claim", "claim", "claim"]);
});

it("A6: what has no mark of its own is the sweep's at a node that serves no call", () => {
  expect(causes([request(1, "get", IDENTITY, 80, 90)], [call("complete", 5, 70)])).toEqual(["sweep"]);
});
