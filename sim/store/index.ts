/**
 * The simulated object store.
 */
export { chancesOf, DEFAULT_LATENCY, type LatencyBounds, modelled, spreadOf } from "./latency.ts";
export {
  AWS_S3,
  BROKEN_STORES,
  type BrokenStore,
  type Defect,
  PROFILES,
  profileNamed,
  SOUND_PROFILES,
  type Spread,
  type StoreLatency,
  type StorePrice,
  type StoreProfile,
} from "./profiles/index.ts";
export { HARNESS, SimulatedStore, type SimulatedStoreOptions } from "./simulated-store.ts";
export {
  NO_STORE_FAULTS,
  type ProcessFaultKind,
  type StoreFaultKind,
  type StoreFaults,
} from "./store-faults.ts";
export { NO_ANSWER } from "./transport.ts";
