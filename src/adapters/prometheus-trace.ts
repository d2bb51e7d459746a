/**
 * A trace that counts: requests, store operations, waiting claims, and what a node tells of what went wrong.
 *
 *   baton_http_requests_total{route,method,status}   baton_http_request_seconds{route}
 *   baton_store_operations_total{operation,outcome}  baton_store_operation_seconds{operation}
 *   baton_claims_waiting                             baton_events_total{event}
 *   baton_build_info{version,node}                   and the process's own (memory, event loop, …)
 *
 * Every label comes from a closed set: routes that there are, outcomes of the port, names of events.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Trace } from "../ports/trace.ts";
import type { Json } from "../std/json.ts";

type Fields = { readonly [name: string]: Json };

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const STORE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export class PrometheusTrace implements Trace {
  readonly #registry = new Registry();
  readonly #requests;
  readonly #requestSeconds;
  readonly #operations;
  readonly #operationSeconds;
  readonly #waiting;
  readonly #events;

  constructor(version: string) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({
      name: "baton_http_requests_total",
      help: "Requests that were answered",
      labelNames: ["route", "method", "status"],
      registers,
    });
    this.#requestSeconds = new Histogram({
      name: "baton_http_request_seconds",
      help: "Time from a whole request to its answer; of claims with their wait",
      labelNames: ["route"],
      buckets: REQUEST_SECONDS,
      registers,
    });
    this.#operations = new Counter({
      name: "baton_store_operations_total",
      help: "Operations of the object store by their outcome",
      labelNames: ["operation", "outcome"],
      registers,
    });
    this.#operationSeconds = new Histogram({
      name: "baton_store_operation_seconds",
      help: "Time of one operation of the object store",
      labelNames: ["operation"],
      buckets: STORE_SECONDS,
      registers,
    });
    this.#waiting = new Gauge({
      name: "baton_claims_waiting",
      help: "Claims that wait for work now",
      registers,
    });
    this.#events = new Counter({
      name: "baton_events_total",
      help: "What the node told of what went wrong; each is in the log",
      labelNames: ["event"],
      registers,
    });
    const labels = { version, node: process.version };
    const build = new Gauge({
      name: "baton_build_info",
      help: "Always 1",
      labelNames: ["version", "node"],
      registers,
    });
    build.set(labels, 1);
  }

  emit(event: string, fields: Fields): void {
    switch (event) {
      case "request": {
        const route = String(fields.route);
        this.#requests.inc({ route, method: String(fields.method), status: Number(fields.status) });
        this.#requestSeconds.observe({ route }, Number(fields.elapsed_ms) / 1_000);
        return;
      }
      case "store-operation": {
        const operation = String(fields.operation);
        this.#operations.inc({ operation, outcome: String(fields.outcome) });
        this.#operationSeconds.observe({ operation }, Number(fields.elapsed_ms) / 1_000);
        return;
      }
      case "claims-waiting":
        this.#waiting.inc(Number(fields.change));
        return;
      default:
        this.#events.inc({ event });
    }
  }

  /** The metrics in Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** Tells each of them. */
export function toAll(...traces: readonly Trace[]): Trace {
  return {
    emit(event, fields) {
      for (const trace of traces) trace.emit(event, fields);
    },
  };
}
