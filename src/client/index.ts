/**
 * The client's public face: the engine over HTTP, the client over any engine, and handles.
 */
export { BatonClient } from "./baton-client.ts";
export { type ClientPorts, WorkflowClient } from "./client.ts";
export type { ExchangeOptions } from "./exchange.ts";
export { type ClientEngine, HttpEngine } from "./http-engine.ts";
export {
  type PageOptions,
  type ResultOptions,
  type SendOptions,
  type SignalOptions,
  WorkflowHandle,
} from "./workflow-handle.ts";
