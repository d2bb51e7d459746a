/**
 * The simulated object store.
 */
export type { StoreProfile } from "./key-space.ts";
export { HARNESS, SimulatedStore, type SimulatedStoreOptions } from "./simulated-store.ts";
export { NO_STORE_FAULTS, type StoreFaultKind, type StoreFaults } from "./store-faults.ts";
export { DEFAULT_LATENCY, type LatencyBounds, NO_ANSWER } from "./wire.ts";
