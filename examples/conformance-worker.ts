/**
 * This project's worker as `baton conformance` starts one: `npx baton conformance -- node dist/examples/conformance-worker.js`.
 *
 * A worker in another language has a program like this: it reads the script, carries its acts out with its own means, and
 * heeds SIGTERM.
 */
import { BatonClient, runUntilStopped, type Script, scriptedWorkflow, WorkflowWorker } from "../src/index.ts";

const script: Script = JSON.parse(process.env.BATON_SCRIPT ?? "{}");
const client = new BatonClient({ url: process.env.BATON_URL ?? "" });
const { name, run, drain_ms: drainMs } = script.worker;
const options = { worker: name, ...(drainMs === undefined ? {} : { drainMs }) };
const worker = new WorkflowWorker(client, [scriptedWorkflow(script, client.clock)], options);
if (run === "once") await worker.runOnce();
else await runUntilStopped(worker);
