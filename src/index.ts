/**
 * Baton, the durable workflow engine: a node over an object store.
 */
export type { StorePorts } from "./documents/conditional-write.ts";
export { DEFAULT_CONFIG, type EngineConfig } from "./engine/config.ts";
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
