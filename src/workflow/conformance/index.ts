/**
 * The conformance suite of workers: scripts, the server that plays one, and this worker's reading of their programs.
 */
export { scriptedOptions, scriptedWorkflow } from "./program.ts";
export type { Act, Script, ScriptedExchange, ScriptedStep, ScriptedWorker } from "./script.ts";
export { ScriptedServer } from "./scripted-server.ts";
