/**
 * Runs an example against a server: `node dist/examples/run.js counter`, beside `npx baton serve`.
 *
 * The worker and the one who asks share a process here; they need not. `BATON_URL` and `BATON_API_TOKEN` say where the
 * server is. Each run has an instance of its own, named after the time.
 */
import { BatonClient, WorkflowWorker } from "../src/index.ts";
import { counterDemo } from "./counter.ts";
import { crawlerDemo } from "./crawler.ts";
import type { Demo } from "./demo.ts";
import { reviewDemo } from "./review.ts";
import { sagaDemo } from "./saga.ts";

const DEMOS: { readonly [name: string]: Demo } = {
  counter: counterDemo,
  review: reviewDemo,
  crawler: crawlerDemo,
  saga: sagaDemo,
};

const [name = ""] = process.argv.slice(2);
const demo = Object.hasOwn(DEMOS, name) ? DEMOS[name] : undefined;
if (demo === undefined) {
  console.error(`name an example: ${Object.keys(DEMOS).join(", ")}`);
  process.exit(2);
}

const apiKey = process.env.BATON_API_TOKEN;
const client = new BatonClient({
  url: process.env.BATON_URL ?? "http://127.0.0.1:4321",
  ...(apiKey === undefined ? {} : { apiKey }),
});
const worker = new WorkflowWorker(client, demo.workflows, { worker: `example-${name}` });
const serving = worker.run();
try {
  console.log(JSON.stringify(await demo.run(client, `${name}-${Date.now()}`)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  worker.stop();
  await serving;
}
