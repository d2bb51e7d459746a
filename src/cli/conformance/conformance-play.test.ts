/**
 * Scripts in real time, over a socket. Risk: a suite that no other worker could be held against.
 */
import { expect, it } from "vitest";
import { BatonClient, type Script, scriptedOptions, scriptedWorkflow, WorkflowWorker } from "../../index.ts";
import { playScript, type StartWorker } from "./conformance-play.ts";

const claim = {
  call: "claim",
  at_ms: [0, 0],
  body: { worker: "w", workflows: [{ workflow_type: "flow", version: "v1" }], wait_ms: 0 },
  answer: {
    status: 200,
    body: {
      task: {
        workflow_type: "flow",
        state: null,
        token: "t1",
        lease_ms: 60_000,
        effect_prefix: "p",
        turn: { workflow_id: "f", number: 1, message_id: "m", message: 1, version: "v1", steps: [] },
      },
    },
  },
} as const;

const complete = {
  call: "complete",
  at_ms: [0, 0],
  body: { workflow_id: "f", turn: 1, token: "t1", state: 5, result: null, continuation: null },
  answer: { status: 200, body: {} },
} as const;

const SCRIPT: Script = {
  name: "a completion",
  source: "this test",
  worker: { name: "w", run: "once" },
  workflow: { name: "flow", version: "v1", program: [{ end: { state: 5 } }] },
  exchanges: [claim, complete],
  quiet_ms: 1_000,
};

/** This process as the worker under test. */
const inProcess: StartWorker = (script, url) => {
  const client = new BatonClient({ url });
  const flow = scriptedWorkflow(script, client.clock);
  void new WorkflowWorker(client, [flow], scriptedOptions(script)).runOnce();
  return { terminate: () => undefined, kill: () => undefined };
};

it("a right worker has no fault over a socket, and another one is told what is wrong", async () => {
  expect(await playScript(SCRIPT, inProcess, 2_000)).toEqual([]);
  const other = { ...SCRIPT, exchanges: [claim, { ...complete, body: { ...complete.body, state: 6 } }] };
  expect(await playScript(other, inProcess, 2_000)).toEqual([
    expect.stringContaining("request 1 (complete): its body is"),
  ]);
});
