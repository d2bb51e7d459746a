/**
 * A trace that writes a structured log: one JSON line for each fact, on a stream that the caller gives.
 *
 * Owns which facts are worth a line and how loud it is. A request that went well is for `debug`; a refused one for
 * `info`; what failed here for `error`; whatever else a node tells is for `warn`, because a node tells only of what went
 * wrong. Facts that exist for the metrics alone are not written.
 *
 * A line is written at once: what a killed process said is there.
 */
import { type DestinationStream, pino } from "pino";
import type { Trace } from "../ports/trace.ts";
import type { Json } from "../std/json.ts";

export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** For the metrics alone. */
const UNWRITTEN: ReadonlySet<string> = new Set(["store-operation", "claims-waiting"]);

export function logTrace(level: LogLevel, stream: DestinationStream): Trace {
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return {
    emit(event, fields) {
      if (UNWRITTEN.has(event)) return;
      log[loudness(event, fields)]({ event, ...fields });
    },
  };
}

function loudness(
  event: string,
  fields: { readonly [name: string]: Json },
): "error" | "warn" | "info" | "debug" {
  if (event === "request") return Number(fields.status) >= 400 ? "info" : "debug";
  if (event === "request-failed" || event === "request-crashed") return "error";
  return event === "serving" || event === "stopping" ? "info" : "warn";
}
