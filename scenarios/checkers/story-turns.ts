/**
 * Turns that a story made by hand can take, and what a checker finds in it. Only tests use it.
 */

import type { Finding } from "../../sim/index.ts";
import { present } from "../../src/std/assert.ts";
import { ENGINE_CHECKERS } from "./index.ts";
import { type Story, TOKEN } from "./story.ts";

const lease = { workflow_id: "order-1", turn: 1, token: TOKEN };

/** What the named checker finds. */
export function findings(story: Story, name: string): Finding {
  const checker = present(
    ENGINE_CHECKERS.find((c) => c.name === name),
    name,
  );
  const { history, facts } = story.told();
  return checker.check(history, facts);
}

/** A second attempt takes the turn over at `atMs`, before its step is saved. */
export function takeOver(story: Story, atMs: number): void {
  const value = story.value("claimed");
  for (const moment of ["saved", "completed", "dropped"] as const) story.remove(story.at(moment));
  for (const put of story.under("/history/")) story.remove(put);
  story.calls.splice(3);
  const turns = value.turns.map((turn) => ({
    ...turn,
    attempt: 2,
    last_attempt: { worker: "worker-1", token: TOKEN, end: "expired" as const },
    holder: { worker: "worker-2", token: "token-2", deadline_ms: atMs - 1 + value.lease_ms },
  }));
  story.identity({ ...value, turns }, atMs);
  story.call(
    "claim",
    { worker: "worker-2", workflows: [{ workflow_type: "order", version: "v1" }] },
    atMs - 5,
    {
      ok: true,
      value: { token: "token-2", state: value.state, turn: { ...turns[0], workflow_id: "order-1" } },
    },
  );
}

/** The attempt fails instead of saving a step, and the turn is ready again at `readyAtMs`. */
export function failAttempt(story: Story, readyAtMs: number): void {
  takeOver(story, 1_500);
  story.remove(story.under("/instances/").at(-1));
  story.calls.pop();
  const value = story.value("claimed");
  const turns = value.turns.map((turn) => ({
    ...turn,
    status: "queued" as const,
    holder: null,
    last_attempt: { worker: "worker-1", token: TOKEN, end: "failed" as const },
    error: "boom",
    ready_at_ms: readyAtMs,
  }));
  story.identity({ ...value, turns }, 50);
  story.call("fail", { ...lease, error: "boom" }, 46, { ok: true, value: turns[0] });
}
