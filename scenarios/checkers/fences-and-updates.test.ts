/**
 * Risk: a checker of refusals, fences and updates that cannot fail (I01 to I05).
 */
import { describe, expect, test } from "vitest";
import { Story, TOKEN } from "./story.ts";
import { failAttempt, findings } from "./story-turns.ts";

/** The checker, what it has to see, and the one change that makes the sound story show it. */
type Broken = readonly [checker: string, what: string, change: (story: Story) => void];

const refused = (kind: string) => ({ ok: false, error: { kind, code: kind, message: "no", param: null } });
const lease = { workflow_id: "order-1", turn: 1, token: TOKEN };

const FENCES_AND_UPDATES: readonly Broken[] = [
  [
    "I01-honest-refusals",
    "a refused completion that happened",
    (s) => s.editCall("complete", { reply: refused("fenced") }),
  ],
  [
    "I01-honest-refusals",
    "a message that was admitted though unavailable",
    (s) => s.editCall("sendMessage", { reply: refused("unavailable") }),
  ],
  [
    "I01-honest-refusals",
    "a claim that took a turn and answered no work",
    (s) => s.editCall("claim", { reply: { ok: true, value: null } }),
  ],
  [
    "I02-write-order",
    "a sequence that is left out",
    (s) => {
      s.at("saved").stamp = { sequence: 9 };
    },
  ],
  [
    "I02-write-order",
    "a write id that comes twice",
    (s) => {
      s.at("saved").stamp = { write_id: "twin" };
      s.at("claimed").stamp = { write_id: "twin" };
    },
  ],
  [
    "I02-write-order",
    "a lineage that forgets",
    (s) => {
      s.at("saved").stamp = { lineage: [] };
    },
  ],
  [
    "I02-write-order",
    "a damaged segment",
    (s) => {
      for (const put of s.under("/segments/")) put.damage = (b) => b.replace("completed", "cancelled");
    },
  ],
  [
    "I02-write-order",
    "an object under an unknown key",
    (s) => {
      s.put("elsewhere", "baton.segment.v1", {}, 60);
    },
  ],
  [
    "I03-tokens-unique",
    "a token that two attempts share",
    (s) => {
      failAttempt(s, 1_046);
      const value = s.value("claimed");
      s.identity({ ...value, turns: value.turns.map((turn) => ({ ...turn, attempt: 2 })) }, 1_100);
    },
  ],
  [
    "I03-tokens-unique",
    "a token that is handed out twice",
    (s) => {
      s.call("claim", { worker: "worker-2", workflows: [{ workflow_type: "order", version: "v1" }] }, 80, {
        ok: true,
        value: { token: TOKEN },
      });
    },
  ],
  [
    "I04-single-holder",
    "a completion under another token",
    (s) =>
      s.editTurn("completed", { last_attempt: { worker: "worker-1", token: "token-0", end: "completed" } }),
  ],
  ["I04-single-holder", "a claim that counts no attempt", (s) => s.editTurn("claimed", { attempt: 0 })],
  [
    "I04-no-foreign-write",
    "a completion that nobody asked for",
    (s) => {
      s.calls.pop();
    },
  ],
  [
    "I04-no-foreign-write",
    "a completion that was asked with another token",
    (s) => s.editCall("complete", { request: { ...lease, token: "token-0", state: null } }),
  ],
  [
    "I04-no-foreign-write",
    "a step that was asked of another node",
    (s) => s.editCall("checkpoint", { to: "node-2" }),
  ],
  [
    "I04-no-foreign-write",
    "a turn that fails for good without reason",
    (s) => {
      failAttempt(s, 1_046);
      for (const put of s.under("/instances/").slice(-1))
        put.damage = (b) => b.replace('"status":"queued"', '"status":"failed"');
    },
  ],
  ["I05-no-lost-update", "a saved step that is lost", (s) => s.editTurn("completed", { steps: [] })],
  [
    "I05-no-lost-update",
    "a state that changes alone",
    (s) => s.edit("saved", (i) => ({ ...i, state: { count: 7, log: "x" } })),
  ],
  [
    "I05-no-lost-update",
    "a turn that leaves unfinished",
    (s) => {
      s.remove(s.at("completed"));
    },
  ],
  ["I05-no-lost-update", "a creation that changes", (s) => s.edit("saved", (i) => ({ ...i, lease_ms: 5 }))],
  [
    "I05-acknowledged",
    "an acknowledged step that is not stored",
    (s) => {
      s.editTurn("completed", { steps: [] });
      s.editTurn("saved", { steps: [] });
    },
  ],
  [
    "I05-acknowledged",
    "a message that is acknowledged before it is stored",
    (s) => s.editCall("sendMessage", { answeredAtMs: 18 }),
  ],
  [
    "I05-acknowledged",
    "an acknowledged creation of nothing",
    (s) => {
      s.call("createInstance", { id: "order-2", workflow_type: "order" }, 80, { ok: true, value: {} });
    },
  ],
  [
    "I05-state-is-fold",
    "a state that no message made",
    (s) => {
      s.edit("completed", (i) => ({ ...i, state: { count: 7, log: "x" } }));
      s.editTurn("completed", { state_after: { count: 7, log: "x" } });
    },
  ],
  [
    "I05-state-is-fold",
    "a completion without its step",
    (s) => {
      s.editTurn("saved", { steps: [] });
      s.editTurn("completed", { steps: [] });
    },
  ],
];

describe("a broken history", () => {
  test.each(FENCES_AND_UPDATES)("%s sees %s", (name, _what, change) => {
    const story = new Story();
    change(story);
    const { violations } = findings(story, name);
    expect(violations.length).toBeGreaterThan(0);
    for (const violation of violations) expect(violation.invariant).toBe(name);
  });
});
