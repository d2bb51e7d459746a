/**
 * Risk: a checker of replays, ends, repeats, bounds and absence that cannot fail (I08 to I24).
 */
import { describe, expect, test } from "vitest";
import { payloadOf } from "../workloads/handler.ts";
import { REQUESTS_PER_KEY_SECOND } from "./i17-bounded.ts";
import { MESSAGE, PLAN, Story, savedStep, TOKEN } from "./story.ts";
import { failAttempt, findings, takeOver } from "./story-turns.ts";

/** The checker, what it has to see, and the one change that makes the sound story show it. */
type Broken = readonly [checker: string, what: string, change: (story: Story) => void];

const refused = (kind: string) => ({ ok: false, error: { kind, code: kind, message: "no", param: null } });
const lease = { workflow_id: "order-1", turn: 1, token: TOKEN };
const send = { workflow_id: "order-1", id: MESSAGE.id, message: payloadOf(MESSAGE) };
const step = (key: string, output: string) => savedStep(key, output, 40);

/** The completion of the story, sent again at 80 ms. */
function completedAgain(story: Story, reply: unknown): void {
  const first = story.calls.find(({ operation }) => operation === "complete");
  story.call("complete", first?.request, 80, reply);
}

const ENDS_AND_BOUNDS: readonly Broken[] = [
  [
    "I08-replay",
    "a saved step that no handler takes",
    (s) => s.editTurn("saved", { steps: [step("step-7", "done")] }),
  ],
  [
    "I08-replay",
    "a saved output of another step",
    (s) => s.editTurn("saved", { steps: [step("step-0", "?")] }),
  ],
  [
    "I08-replay",
    "an attempt that begins in the middle",
    (s) => {
      for (const effect of s.effects.splice(0)) s.effects.push({ ...effect, key: "step-1" });
    },
  ],
  [
    "I09-terminal-once",
    "a turn that goes on after its end",
    (s) => {
      takeOver(s, 1_500);
      s.editTurn("admitted", { status: "queued" });
      const value = s.value("claimed");
      const turns = value.turns.map((turn) => ({ ...turn, status: "failed" as const, holder: null }));
      s.identity({ ...value, turns }, 1_510);
      s.identity(value, 1_520);
      s.identity({ ...value, turns }, 1_530);
    },
  ],
  [
    "I09-terminal-once",
    "a second attempt that was told of its completion",
    (s) => {
      const first = s.calls.find(({ operation }) => operation === "complete");
      s.call("complete", { ...Object(first?.request), token: "token-9" }, 80, { ok: true, value: {} });
    },
  ],
  [
    "I15-gc-safe",
    "a turn whose segment does not know its attempt",
    (s) => s.editTurn("completed", { last_attempt: { worker: "w", token: "token-9", end: "completed" } }),
  ],
  [
    "I15-gc-safe",
    "a turn that is in no place at the end",
    (s) => {
      for (const put of s.under("/segments/")) s.remove(put);
    },
  ],
  ["I16-horizon", "a repeat that is refused", (s) => s.call("sendMessage", send, 80, refused("conflict"))],
  [
    "I16-horizon",
    "a repeat that meets a corrupt object",
    (s) => s.call("sendMessage", send, 80, refused("corrupt")),
  ],
  [
    "I16-horizon",
    "another payload that is accepted",
    (s) => s.call("sendMessage", { ...send, message: "other" }, 80, { ok: true, value: { number: 1 } }),
  ],
  ["I16-horizon", "a completion that is not recognised again", (s) => completedAgain(s, refused("fenced"))],
  [
    "I17-bounded",
    "an attempt above the limit",
    (s) => s.editTurn("claimed", { attempt: PLAN.max_attempts + 1 }),
  ],
  [
    "I17-bounded",
    "a key that is asked without a wait",
    (s) => {
      for (let n = 0; n <= REQUESTS_PER_KEY_SECOND; n++) s.put("some/key", "any", { n }, 9_000);
    },
  ],
  [
    "I18-blast-radius",
    "an instance that is not done beside a damaged one",
    (s) => {
      takeOver(s, 1_500);
      s.damaged.push("order-2");
    },
  ],
  [
    "I18-blast-radius",
    "a damaged object that is written",
    (s) => {
      s.damaged.push("order-1");
    },
  ],
  ["I20-takeover", "a turn that is taken over late", (s) => takeOver(s, 90_000)],
  [
    "I21-absence-proof",
    "an instance that is there and is not found",
    (s) => s.call("getInstance", { id: "order-1" }, 80, refused("not-found")),
  ],
  [
    "I21-absence-proof",
    "a turn that moved and is not found",
    (s) => s.call("getTurn", { workflow_id: "order-1", turn: 1 }, 80, refused("not-found")),
  ],
  [
    "I22-lease-granted",
    "a renewal that grants nothing",
    (s) => {
      const value = { workflow_id: "order-1", number: 1, deadline_ms: 40 };
      s.call("heartbeat", lease, 40, { ok: true, value });
    },
  ],
  [
    "I24-linearizable",
    "a read that sees no message after its acknowledgement",
    (s) => s.call("getTurn", { workflow_id: "order-1", turn: 1 }, 80, refused("not-found")),
  ],
  [
    "I24-linearizable",
    "a failure after the completion",
    (s) => s.call("fail", { ...lease, error: "x" }, 80, { ok: true, value: {} }),
  ],
];

describe("a broken history", () => {
  test.each(ENDS_AND_BOUNDS)("%s sees %s", (name, _what, change) => {
    const story = new Story();
    change(story);
    const { violations } = findings(story, name);
    expect(violations.length).toBeGreaterThan(0);
    for (const violation of violations) expect(violation.invariant).toBe(name);
  });

  test("a failed attempt is no end", () => {
    const story = new Story();
    failAttempt(story, 1_046);
    expect(findings(story, "I09-terminal-once").violations).toEqual([]);
  });
});
