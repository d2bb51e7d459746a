/**
 * Risk: a checker of effects, logs and times that cannot fail (I06 to I22).
 */
import { describe, expect, test } from "vitest";
import { payloadOf } from "../workloads/handler.ts";
import { MESSAGE, queuedTurn, Story, TOKEN } from "./story.ts";
import { failAttempt, findings, takeOver } from "./story-turns.ts";

/** The checker, what it has to see, and the one change that makes the sound story show it. */
type Broken = readonly [checker: string, what: string, change: (story: Story) => void];

const lease = { workflow_id: "order-1", turn: 1, token: TOKEN };

const LOGS_AND_TIMES: readonly Broken[] = [
  [
    "I06-one-turn-per-message",
    "a second turn of a message",
    (s) => {
      s.edit("dropped", (i) => ({ ...i, next_turn: 3, turns: [queuedTurn(2, MESSAGE.id, 69)] }));
    },
  ],
  [
    "I06-one-turn-per-message",
    "a repeat that is told another turn",
    (s) => {
      s.call("sendMessage", { workflow_id: "order-1", id: MESSAGE.id, message: payloadOf(MESSAGE) }, 80, {
        ok: true,
        value: { number: 2 },
      });
    },
  ],
  [
    "I06-steps-once",
    "an effect under another id",
    (s) => {
      for (const e of s.effects.splice(0)) s.effects.push(e, { ...e, effectId: `${e.effectId}-again` });
    },
  ],
  [
    "I06-steps-once",
    "a saved step without effect",
    (s) => {
      s.effects.length = 0;
    },
  ],
  [
    "I06-steps-once",
    "a saved step that is performed again",
    (s) => {
      s.editTurn("claimed", { steps: s.value("saved").turns[0]?.steps ?? [] });
    },
  ],
  ["I07-turn-numbers", "a turn number that is left out", (s) => s.editTurn("admitted", { number: 2 })],
  [
    "I07-turn-numbers",
    "a queued turn that somebody holds",
    (s) => s.editTurn("claimed", { status: "queued" }),
  ],
  [
    "I07-turn-numbers",
    "turns that are miscounted",
    (s) => s.edit("completed", (i) => ({ ...i, completed_turns: 2 })),
  ],
  [
    "I10-no-early-attempt",
    "a start before the turn is ready",
    (s) => {
      s.editTurn("admitted", { ready_at_ms: 35 });
    },
  ],
  ["I10-no-early-attempt", "a back-off that is too short", (s) => failAttempt(s, 900)],
  [
    "I11-progress",
    "a message that was never admitted",
    (s) => {
      for (const put of s.under("/instances/").slice(1)) s.remove(put);
    },
  ],
  ["I11-progress", "a turn that still runs", (s) => takeOver(s, 1_500)],
  [
    "I13-one-home",
    "a turn that is dropped before it is in history",
    (s) => {
      for (const put of s.under("/segments/")) put.atMs = 75;
    },
  ],
  [
    "I13-one-home",
    "a turn whose message id is remembered as another",
    (s) => s.edit("dropped", (value) => ({ ...value, history_ids: "AAAA" })),
  ],
  [
    "I13-one-home",
    "a mark that is dropped before its page is there",
    (s) => s.edit("dropped", (value) => ({ ...value, history_ids: "" })),
  ],
  [
    "I13-one-home",
    "a segment that is written again",
    (s) => {
      for (const put of s.under("/segments/")) s.put(put.key, put.format, put.document, 90);
    },
  ],
  [
    "I13-one-home",
    "a segment without a turn",
    (s) => {
      for (const put of s.under("/segments/")) put.document = { ...(put.document as object), turns: [] };
    },
  ],
  [
    "I13-one-home",
    "a finished turn that never moves",
    (s) => {
      s.remove(s.at("dropped"));
    },
  ],
  [
    "I14-index-derived",
    "an entry that is written before its version",
    (s) => {
      s.at("completed").atMs = 56;
      s.index = [
        {
          atMs: 55,
          entries: {
            "order-1": {
              workflow_type: "order",
              version: "v1",
              status: "idle",
              ready_at_ms: null,
              sequence: 5,
            },
          },
        },
      ];
    },
  ],
  [
    "I14-index-derived",
    "an entry that its version does not say",
    (s) => {
      s.index = [
        {
          atMs: 55,
          entries: {
            "order-1": {
              workflow_type: "order",
              version: "v1",
              status: "idle",
              ready_at_ms: null,
              sequence: 2,
            },
          },
        },
      ];
    },
  ],
  [
    "I14-index-derived",
    "an entry that disappears",
    (s) => {
      s.index = [
        {
          atMs: 15,
          entries: {
            "order-1": {
              workflow_type: "order",
              version: "v1",
              status: "idle",
              ready_at_ms: null,
              sequence: 1,
            },
          },
        },
        { atMs: 25, entries: {} },
      ];
    },
  ],
  [
    "I14-index-converges",
    "an index that stays wrong",
    (s) => {
      s.index = [
        {
          atMs: 25,
          entries: {
            "order-1": {
              workflow_type: "order",
              version: "v1",
              status: "queued",
              ready_at_ms: 19,
              sequence: 2,
            },
          },
        },
      ];
    },
  ],
  [
    "I14-index-converges",
    "an index that hides work for too long",
    (s) => {
      s.identity({ ...s.value("dropped"), next_turn: 3, turns: [queuedTurn(2, "message-2", 299)] }, 300);
      s.index = [
        {
          atMs: 900,
          entries: {
            "order-1": {
              workflow_type: "order",
              version: "v1",
              status: "queued",
              ready_at_ms: 299,
              sequence: 7,
            },
          },
        },
      ];
    },
  ],
  [
    "I19-attempt-fence",
    "a step that is accepted from a stranger",
    (s) => {
      s.call(
        "checkpoint",
        { ...lease, token: "token-0", position: 0, key: "step-0", kind: "step", output: null },
        80,
        {
          ok: true,
          value: {},
        },
      );
    },
  ],
  [
    "I19-attempt-fence",
    "a renewal that is accepted after the end",
    (s) => {
      s.call("heartbeat", lease, 80, { ok: true, value: {} });
    },
  ],
  [
    "I19-attempt-fence",
    "a task that was never stored",
    (s) => {
      s.call("claim", { worker: "worker-2", workflows: [{ workflow_type: "order", version: "v1" }] }, 80, {
        ok: true,
        value: { token: "token-9" },
      });
    },
  ],
  ["I22-lease-honoured", "a lease that is taken before its end", (s) => takeOver(s, 500)],
  [
    "I22-lease-honoured",
    "a lease that is longer than asked",
    (s) => s.editTurn("claimed", { holder: { worker: "worker-1", token: TOKEN, deadline_ms: 5_000 } }),
  ],
  [
    "I22-lease-honoured",
    "a completion after the lease",
    (s) => {
      s.at("completed").atMs = 1_200;
      s.at("dropped").atMs = 1_300;
      s.editCall("complete", { sentAtMs: 1_190, answeredAtMs: 1_210 });
    },
  ],
];

describe("a broken history", () => {
  test.each(LOGS_AND_TIMES)("%s sees %s", (name, _what, change) => {
    const story = new Story();
    change(story);
    const { violations } = findings(story, name);
    expect(violations.length).toBeGreaterThan(0);
    for (const violation of violations) expect(violation.invariant).toBe(name);
  });
});
