/**
 * Risk: an operator is blind when it matters, or the log and the metrics tell what did not happen.
 */
import { expect, test } from "vitest";
import { IF_ABSENT } from "../ports/object-store.ts";
import { logTrace } from "./log-trace.ts";
import { ManualClock } from "./manual-ports.ts";
import { MemoryStore } from "./memory-store.ts";
import { meteredStore } from "./metered-store.ts";
import { PrometheusTrace, toAll } from "./prometheus-trace.ts";

const request = (status: number) => ({ route: "/r", method: "GET", status, elapsed_ms: 4, request_id: "q" });

test("requests, store operations and waiting claims are counted under their labels", async () => {
  const metrics = new PrometheusTrace("1.2.3");
  const store = meteredStore(new MemoryStore(), new ManualClock(0), metrics);
  expect(await store.get("a")).toEqual({ kind: "not-found" });
  expect((await store.put("a", "1", IF_ABSENT)).kind).toBe("ok");
  expect((await store.put("a", "1", IF_ABSENT)).kind).toBe("precondition-failed");
  expect((await store.list({ prefix: "", cursor: null, limit: 1 })).kind).toBe("ok");
  expect((await store.delete("a", { kind: "none" })).kind).toBe("ok");
  metrics.emit("request", request(200));
  metrics.emit("request", request(409));
  metrics.emit("claims-waiting", { change: 1 });
  metrics.emit("claims-waiting", { change: 1 });
  metrics.emit("claims-waiting", { change: -1 });
  metrics.emit("turns-not-moved", { instance: "i" });
  const text = await metrics.text();
  for (const line of [
    'baton_store_operations_total{operation="get",outcome="not-found"} 1',
    'baton_store_operations_total{operation="put",outcome="precondition-failed"} 1',
    'baton_http_requests_total{route="/r",method="GET",status="200"} 1',
    'baton_http_requests_total{route="/r",method="GET",status="409"} 1',
    'baton_http_request_seconds_count{route="/r"} 2',
    "baton_claims_waiting 1",
    'baton_events_total{event="turns-not-moved"} 1',
    `baton_build_info{version="1.2.3",node="${process.version}"} 1`,
  ])
    expect(text).toContain(line);
});

test("the log has what was refused or failed, one JSON object a line, and nothing of every day", () => {
  const lines: string[] = [];
  const trace = toAll(logTrace("info", { write: (line) => void lines.push(line) }));
  trace.emit("request", request(200));
  trace.emit("request", request(400));
  trace.emit("store-operation", { operation: "get", outcome: "ok", elapsed_ms: 1 });
  trace.emit("request-failed", { request_id: "q", code: "store_unavailable", error: "a\nb" });
  trace.emit("turns-not-moved", { instance: "i", code: "c" });
  const told = lines.map((line) => JSON.parse(line));
  expect(told.map(({ event, level }) => [event, level])).toEqual([
    ["request", 30],
    ["request-failed", 50],
    ["turns-not-moved", 40],
  ]);
  expect(told[1]).toMatchObject({ request_id: "q", error: "a\nb" });
});
