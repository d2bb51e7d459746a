/**
 * Stored turns. Risk: a field that comes back as something else, or a turn that has two texts.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../std/json.ts";
import type { Step, Turn } from "./turn.ts";
import { turnOf, turnText } from "./turn-text.ts";

const json = fc.jsonValue() as fc.Arbitrary<Json>;
const ms = fc.option(fc.nat());
const text = fc.option(fc.string());
const some = <Item>(item: Item) => fc.constantFrom<readonly Item[]>([], [item], [item, item]);
const held = { worker: "w", token: "t", deadline_ms: 1 };
const operation = {
  key: "k",
  kind: "step",
  attempt: 1,
  token: "o",
  started_at_ms: 1,
  deadline_ms: 2,
  timeout_ms: 1,
  heartbeat_timeout_ms: null,
  last_heartbeat_ms: 1,
  sequence: 0,
  details: null,
  checkpoint: null,
} as const;

const step: fc.Arbitrary<Step> = fc.record({
  key: fc.string(),
  kind: fc.constantFrom("step", "sleep", "signal"),
  output: json,
  at_ms: fc.nat(),
  delay_ms: ms,
  wake_at_ms: ms,
  signal_name: text,
  child_id: text,
});

/** In another order than the text has. */
const turn: fc.Arbitrary<Turn> = fc.record({
  sequence: fc.nat(),
  continued_to: ms,
  reply_to: fc.constantFrom(null, { workflow_id: "i", incarnation: "l", turn: 1, name: "n" }),
  finished_at_ms: ms,
  skipped: fc.boolean(),
  error: text,
  completion_digest: text,
  state_after: json,
  result: json,
  last_attempt: fc.constantFrom(null, { worker: "w", token: "t", end: "failed" as const }),
  holder: fc.constantFrom(null, held, { ...held, migrates_to: "v2" }),
  operation: fc.constantFrom(null, operation),
  signals: some({ id: "s", name: "n", value: null, at_ms: 1, consumed_by: null }),
  steps: fc.array(step, { maxLength: 3 }),
  waiting_for: fc.constantFrom(null, "sleep", "capacity"),
  ready_at_ms: fc.nat(),
  updated_at_ms: fc.nat(),
  created_at_ms: fc.nat(),
  forgiven_attempts: fc.nat({ max: 2 }),
  attempt: fc.nat(),
  origin: fc.constantFrom(null, { kind: "app" as const }),
  status: fc.constantFrom("queued", "running", "failed"),
  migrations: some({ from: "v1", to: "v2", at_ms: 1 }),
  version: fc.string(),
  message: json,
  message_id: fc.string(),
  number: fc.nat(),
});

it("a stored turn is read back whole, and has the same text again", () => {
  fc.assert(
    fc.property(turn, (one) => {
      const stored = turnText(one);
      const read = turnOf(JSON.parse(stored));
      expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(one)));
      expect(Object.keys(read).sort()).toEqual(Object.keys(one).sort());
      expect(turnText(read)).toBe(stored);
    }),
  );
});

it("what nearly every turn holds is not in its text", () => {
  const fresh: Turn = {
    number: 1,
    message_id: "m-1",
    message: null,
    version: "v1",
    migrations: [],
    origin: null,
    status: "queued",
    waiting_for: null,
    attempt: 0,
    forgiven_attempts: 0,
    created_at_ms: 5,
    updated_at_ms: 5,
    ready_at_ms: 5,
    steps: [],
    signals: [],
    operation: null,
    holder: null,
    last_attempt: null,
    result: null,
    state_after: null,
    completion_digest: null,
    error: null,
    skipped: false,
    finished_at_ms: null,
    reply_to: null,
    continued_to: null,
    sequence: 2,
  };
  expect(turnText(fresh)).toBe(
    '{"number":1,"message_id":"m-1","message":null,"version":"v1","status":"queued","attempt":0,' +
      '"created_at_ms":5,"updated_at_ms":5,"ready_at_ms":5,"sequence":2}',
  );
});

it("values that JavaScript takes for nothing are stored", () => {
  for (const value of [0, false, "", [], {}]) {
    const stored = turnText({ ...turnOf(JSON.parse("{}")), steps: [], result: value, state_after: value });
    expect(JSON.parse(stored)).toMatchObject({ result: value, state_after: value });
  }
});
