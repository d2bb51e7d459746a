/**
 * Scenarios under a scheduler of promises: what there is to compare the harness with.
 */
export type { PromiseScheduler } from "./promise-scheduler.ts";
export { runUnderPromises, type Turn } from "./run-promises.ts";
