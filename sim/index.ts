/**
 * The harness's public face: everything that a scenario, a test or the command line needs of the simulator.
 */
export * from "./canaries/index.ts";
export * from "./checkers/index.ts";
export * from "./explore/index.ts";
export * from "./faults/index.ts";
export * from "./history/history.ts";
export * from "./kernel/index.ts";
export * from "./promises/index.ts";
export * from "./replay/index.ts";
export * from "./runner/index.ts";
export * from "./shrink/index.ts";
export * from "./store/index.ts";
