/**
 * The ports: everything the engine needs from outside itself, as interfaces.
 */
export type { Clock } from "./clock.ts";
export type { HttpClient, HttpHandler, HttpMethod, HttpOutcome, HttpRequest, HttpResponse } from "./http.ts";
export type { Ids } from "./ids.ts";
export * from "./object-store.ts";
export type { Random } from "./random.ts";
export type { EtagMode, MissingKeyAnswer } from "./semantics.ts";
export { SILENT, type Trace } from "./trace.ts";
