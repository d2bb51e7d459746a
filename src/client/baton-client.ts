/**
 * The client of a server, on ports that it is given. `src/index.ts` has the one on the machine's own.
 */
import { WorkflowClient } from "./client.ts";
import type { ExchangeOptions } from "./exchange.ts";
import { HttpEngine } from "./http-engine.ts";

export class BatonClient extends WorkflowClient {
  /** `url` is for people: where `http` leads. */
  constructor(options: ExchangeOptions & { readonly url?: string }) {
    super(new HttpEngine(options), options);
  }
}
