/**
 * Every limit, one below it, at it and one above it, through the whole engine. Risk: a limit that is off by one, a value
 * that is cut, a unit that is another one, a refusal that has written something, a limit that nobody tries.
 *
 * The rows are in the `limit-*.contract.ts` files; each trial has a world of its own. A refusal leaves every object as it
 * was, at its etag, adds no version to the store's chain, and says limit and remedy.
 *
 * The last part holds the table against the constants themselves: a constant without a row, or without a test elsewhere,
 * fails. Limits of what a person sees (codes, texts) are tested beside the commands.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as vocabulary from "../vocabulary/limits.ts";
import { DEFAULT_CONFIG } from "./config.ts";
import { COUNTS, NUMBERS } from "./limit-numbers.contract.ts";
import { NAMES, TEXTS, VALUES } from "./limit-values.contract.ts";
import { type Row, World } from "./limit-world.contract.ts";

async function tried(row: Row, n: number) {
  const world = await World.begin();
  await row.fill?.(world, n);
  const before = await world.stored();
  const answer = await row.call(world, n);
  return { answer, before, after: await world.stored() };
}

async function isTaken(row: Row, n: number): Promise<void> {
  const { answer } = await tried(row, n);
  expect(answer).toMatchObject({ ok: true });
}

async function isRefused(row: Row, n: number): Promise<void> {
  const { answer, before, after } = await tried(row, n);
  expect(answer).toMatchObject({ ok: false, error: { kind: row.kind } });
  expect(after).toEqual(before);
  const { message } = answer.ok ? { message: "" } : answer.error;
  expect(message).toContain(row.says ?? String(row.limit));
  if (row.kind === "over-limit") expect(message).toContain("; ");
}

describe.each([
  ["a value", VALUES],
  ["a name", NAMES],
  ["a text", TEXTS],
  ["a number", NUMBERS],
  ["a count", COUNTS],
])("%s", (_, rows) => {
  const titled = rows.map((row) => [`${row.what}, at ${row.side} ${row.limit}`, row] as const);

  it.each(titled)("%s: is taken at its limit", async (_, row) => isTaken(row, row.limit));

  it.each(titled)("%s: is taken one within it", async (_, row) =>
    isTaken(row, row.side === "most" ? row.limit - 1 : row.limit + 1),
  );

  it.each(titled)("%s: is refused one beyond it, and nothing is written", async (_, row) =>
    isRefused(row, row.side === "most" ? row.limit + 1 : row.limit - 1),
  );
});

/** Constants that no row can show, and the test that does: a cap, a default, a time, the name of a prefix. */
const ELSEWHERE: { readonly [constant: string]: readonly [file: string, title: string] } = {
  "LIMITS.storedTurnBytes": [
    "full-turns.test.ts",
    "takes what fills it to its last byte and not a byte more",
  ],
  "LIMITS.graphInstances": ["graph-limits.test.ts", "takes a thousand instances and no more"],
  "LIMITS.graphBytes": [
    "graph-limits.test.ts",
    "takes an instance that fills it to its last open byte, and none beyond",
  ],
  "LIMITS.claimWaitMs": ["limit-defaults.test.ts", "waits at most ten seconds, however long it is asked to"],
  "DEFAULTS.leaseMs": ["limit-defaults.test.ts", "has a lease of a minute"],
  "DEFAULTS.maxAttempts": ["limit-defaults.test.ts", "has three attempts"],
  "DEFAULTS.backoffFirstMs": [
    "limit-defaults.test.ts",
    "waits a second after its first failure, then twice as long, up to a minute",
  ],
  "DEFAULTS.backoffCapMs": [
    "limit-defaults.test.ts",
    "waits a second after its first failure, then twice as long, up to a minute",
  ],
  "DEFAULTS.historyPage": [
    "limit-defaults.test.ts",
    "has fifty turns of history, fifty instances, fifty turns of an inbox",
  ],
  "DEFAULTS.instancePage": [
    "limit-defaults.test.ts",
    "has fifty turns of history, fifty instances, fifty turns of an inbox",
  ],
  "DEFAULTS.inboxPage": [
    "limit-defaults.test.ts",
    "has fifty turns of history, fifty instances, fifty turns of an inbox",
  ],
  "REQUEUE_DELAYS_MS.0": ["limit-defaults.test.ts", "comes after 1, 4 and 16 minutes, and then no more"],
  "REQUEUE_DELAYS_MS.1": ["limit-defaults.test.ts", "comes after 1, 4 and 16 minutes, and then no more"],
  "REQUEUE_DELAYS_MS.2": ["limit-defaults.test.ts", "comes after 1, 4 and 16 minutes, and then no more"],
  CONTINUATION_PREFIX: ["limit-defaults.test.ts", "is refused to everybody else, and nothing is written"],
  REQUEUE_PREFIX: ["limit-defaults.test.ts", "is refused to everybody else, and nothing is written"],
  REPLY_PREFIX: ["limit-defaults.test.ts", "is refused to everybody else, and nothing is written"],
  CHILD_PREFIX: ["limit-defaults.test.ts", "begins the id of every child"],
  "DEFAULT_CONFIG.max_instances": ["graph-limits.test.ts", "takes a thousand instances and no more"],
  "DEFAULT_CONFIG.max_state_bytes": [
    "graph-limits.test.ts",
    "takes an instance that fills it to its last open byte, and none beyond",
  ],
  "DEFAULT_CONFIG.history_keep_turns": [
    "limit-defaults.test.ts",
    "keeps the newest 256 turns, and all of a day",
  ],
  "DEFAULT_CONFIG.history_keep_ms": [
    "limit-defaults.test.ts",
    "keeps the newest 256 turns, and all of a day",
  ],
  "DEFAULT_CONFIG.history_tail_chars": [
    "limit-defaults.test.ts",
    "moves turns by the block of 32, or when they are longer than 64 KiB",
  ],
  "DEFAULT_CONFIG.history_segment_turns": [
    "limit-defaults.test.ts",
    "moves turns by the block of 32, or when they are longer than 64 KiB",
  ],
  "DEFAULT_CONFIG.history_page_turns": [
    "limit-defaults.test.ts",
    "has at most two pages of 256 marks in the instance",
  ],
  "DEFAULT_CONFIG.index_shards": [
    "../documents/scheduling-index.test.ts",
    "X9: has each entry in the shard of its id, and one write for each shard of a mend",
  ],
  "DEFAULT_CONFIG.poll_ms": [
    "waits.test.ts",
    "V5: are polled for once each interval, however many wait, from an interval after the first came",
  ],
};

/** `LIMITS.stateBytes`, `RETRY_AHEAD_MS`, `REQUEUE_DELAYS_MS.0`, … */
function constantsOf(value: unknown, path: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => constantsOf(inner, `${path}.${key}`));
}

describe("the table of limits", () => {
  // An epoch is a name; how often the listing runs is kept by whoever calls it.
  const configured = Object.entries(DEFAULT_CONFIG).filter(
    ([key, value]) => typeof value === "number" && key !== "epoch" && key !== "reconcile_ms",
  );
  const constants = [
    ...Object.entries(vocabulary).flatMap(([key, value]) => constantsOf(value, key)),
    ...configured.map(([key]) => `DEFAULT_CONFIG.${key}`),
  ];

  it("has a row, or a test elsewhere, for each constant, and for no other", () => {
    const rows = [VALUES, NAMES, TEXTS, NUMBERS, COUNTS].flat();
    const shown = new Set([...rows.flatMap(({ of }) => of), ...Object.keys(ELSEWHERE)]);
    expect([...shown].sort()).toEqual([...constants].sort());
  });

  it.each(Object.entries(ELSEWHERE))("%s is shown by a test that is there", (_, [file, title]) => {
    const source = readFileSync(join(import.meta.dirname, file), "utf8");
    expect(source).toContain(`"${title}`);
  });

  it("has the numbers of the contract", () => {
    const KIB = 1024;
    expect(vocabulary.LIMITS).toMatchObject({
      stepsPerTurn: 64,
      stateBytes: 64 * KIB,
      outputBytes: 64 * KIB,
      resultBytes: 64 * KIB,
      messageBytes: 32 * KIB,
      originBytes: KIB,
      signalBytes: 32 * KIB,
      signalsPerTurn: 64,
      detailsBytes: 8 * KIB,
      resumeBytes: 32 * KIB,
      storedTurnBytes: 256 * KIB,
      pendingMessages: 128,
      idChars: 128,
      graphInstances: 1_000,
      graphBytes: 64 * KIB * KIB,
      blobBytes: 8 * KIB * KIB,
      historyPage: 50,
      inboxPage: 100,
      claimWaitMs: 10_000,
    });
    const { SLEEP_MS, WAIT_MS, OPERATION_MS, RETRY_AHEAD_MS, DEFAULTS } = vocabulary;
    const dayMs = 24 * 3_600_000;
    expect([SLEEP_MS, WAIT_MS]).toEqual([
      { min: 0, max: 365 * dayMs },
      { min: 1, max: 365 * dayMs },
    ]);
    expect([OPERATION_MS, RETRY_AHEAD_MS]).toEqual([{ min: 100, max: dayMs }, 1_000]);
    expect(DEFAULTS).toMatchObject({ leaseMs: 60_000, maxAttempts: 3, operationMs: 300_000 });
    expect(DEFAULT_CONFIG).toMatchObject({
      poll_ms: 1_000,
      reconcile_ms: 30_000,
      max_instances: 1_000,
      max_state_bytes: 64 * KIB * KIB,
      history_keep_turns: 256,
      history_keep_ms: dayMs,
      history_tail_chars: 64 * KIB,
      history_segment_turns: 32,
      history_page_turns: 256,
    });
  });
});
