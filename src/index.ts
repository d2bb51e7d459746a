/**
 * Baton, the durable workflow engine: a node over an object store, the workflows that run on it, and the client.
 *
 * Here, and only here, the machine is put behind what the parts take as parameters: `BatonClient` and `localClient` have
 * the machine's clock and randomness, and the network, unless they are given others.
 */
import { NetworkHttp } from "./adapters/http-client.ts";
import { SYSTEM_RANDOM, SystemClock } from "./adapters/system-ports.ts";
import {
  type ClientPorts,
  type ExchangeOptions,
  BatonClient as PortedClient,
  WorkflowClient,
} from "./client/index.ts";
import type { EngineNode } from "./engine/engine.ts";
import { retryingSource } from "./workflow/index.ts";

export { runUntilStopped, type Stoppable } from "./adapters/stop-signals.ts";
export * from "./client/index.ts";
export type { StorePorts } from "./documents/conditional-write.ts";
export { DEFAULT_CONFIG, EMBEDDED_CONFIG, type EngineConfig } from "./engine/config.ts";
export type { Engine, EngineNode, ReconcileReport, Reply } from "./engine/engine.ts";
export { createNode } from "./engine/node.ts";
export { Relay } from "./engine/relay.ts";
export {
  ADMISSION_PREFIX,
  type Admission,
  type AdmissionPorts,
  admitStore,
  type Manner,
} from "./engine/store-admission.ts";
export {
  type Breach,
  type BrokenProperty,
  type ProbePorts,
  type ProbeReport,
  probeStore,
  type StoreFindings,
} from "./engine/store-probe.ts";
export { keepReconciled } from "./engine/sweeper.ts";
export * from "./vocabulary/index.ts";
export * from "./workflow/index.ts";

export interface BatonClientOptions extends Partial<ExchangeOptions> {
  /** Where the server is, for example `http://127.0.0.1:4321`. */
  readonly url: string;
}

/** The client of a server. */
export class BatonClient extends PortedClient {
  constructor({ url, ...options }: BatonClientOptions) {
    const { http = new NetworkHttp(url), clock = new SystemClock(), random = SYSTEM_RANDOM } = options;
    super({ ...options, http, clock, random });
  }
}

/** The client of a node in the same process. Its worker's calls are repeated as over HTTP; others are made once. */
export function localClient(node: EngineNode, ports: Partial<ClientPorts> = {}): WorkflowClient {
  const { clock = new SystemClock(), random = SYSTEM_RANDOM } = ports;
  return new WorkflowClient(node, { clock, random }, retryingSource(node, { clock, random }));
}
