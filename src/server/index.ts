/**
 * The server's public face.
 */
export { API_VERSION } from "./answers.ts";
export { type ErrorType, INTERNAL, type Refusal, refusal, refusalOf } from "./failures.ts";
export type { OpenGraph } from "./graphs.ts";
export { openApi } from "./openapi.ts";
export { type BatonServer, createServer, type ServerOptions } from "./server.ts";
export type { TokenOptions } from "./tokens.ts";
