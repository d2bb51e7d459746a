/**
 * This project's worker as `baton conformance` starts one: `npx baton conformance -- node dist/examples/conformance-worker.js`.
 *
 * A worker in another language has a program like this: it reads the script, carries its acts out with its own means, and
 * heeds SIGTERM.
 */
import {
  BatonClient,
  runUntilStopped,
  type Script,
  scriptedOptions,
  scriptedWorkflow,
  WorkflowWorker,
} from "../src/index.ts";

const script: Script = JSON.parse(process.env.BATON_SCRIPT ?? "{}");
const client = new BatonClient({ url: process.env.BATON_URL ?? "" });
const worker = new WorkflowWorker(client, [scriptedWorkflow(script, client.clock)], scriptedOptions(script));
if (script.worker.run === "once") await worker.runOnce();
else await runUntilStopped(worker);
