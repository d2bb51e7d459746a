/**
 * Risk: the gate lets a dearer protocol pass, by rounding, by a missing row, or by a file that it does not understand.
 */
import { describe, expect, it } from "vitest";
import {
  baselineOf,
  differences,
  isFailure,
  type LedgerRecord,
  NOTHING,
  parseRecords,
  RECORD_FORMAT,
  ratioOf,
  recordLine,
  tellDifference,
  tellRatio,
} from "./index.ts";

const CONFIGURATION = {
  nodes: 1,
  identities: 1,
  steps: 1,
  waiting: 0,
  history: 0,
  index_shards: 4,
  key_writes_per_second: null,
  folds: true,
  claims_next: true,
  records_starts: false,
  poll_ms: 1_000,
  reconcile_ms: 30_000,
  history_keep_turns: 256,
  history_keep_ms: 86_400_000,
};

function record(changes: Partial<LedgerRecord> = {}): LedgerRecord {
  return {
    format: RECORD_FORMAT,
    version: "0.1.0",
    commit: "abc",
    scenario: "sticky",
    profile: "aws-s3",
    unit: "handoff",
    units: 1_000_000,
    configuration: CONFIGURATION,
    counts: { checkpoint: { ...NOTHING, get: 1_000_000, put: 1_000_000 } },
    serial_ms: { p50: 100, p99: 200 },
    dollars_per_million: 5.4,
    processor: null,
    why: null,
    ...changes,
  };
}

function told(before: readonly LedgerRecord[], now: readonly LedgerRecord[]) {
  return differences(baselineOf(before), now).map((one) => [isFailure(one), tellDifference(one)] as const);
}

describe("a comparison with the baseline", () => {
  it("sees one request more in a million handoffs, and one less, and nothing in as many of twice the length", () => {
    const counts = (get: number) => ({ checkpoint: { ...NOTHING, get, put: 1_000_000 } });
    expect(told([record()], [record({ counts: counts(1_000_001) })])).toEqual([
      [true, "sticky on aws-s3: checkpoint gets rose, 1 to 1.00 (+0.000)"],
    ]);
    expect(told([record()], [record({ counts: counts(0) })])).toEqual([
      [false, "sticky on aws-s3: checkpoint gets fell, 1 to 0 (−1)"],
    ]);
    const twice = { checkpoint: { ...NOTHING, get: 2_000_000, put: 2_000_000 } };
    expect(told([record()], [record({ units: 2_000_000, counts: twice })])).toEqual([]);
  });

  it("C5: sees the same requests one after the other that were side by side", () => {
    const [p50, p99] = [100, 200];
    expect(told([record()], [record({ serial_ms: { p50: p50 + 1, p99 } })])).toEqual([
      [true, "sticky on aws-s3: serial ms p50 rose, 100 to 101 (+1)"],
    ]);
    expect(told([record()], [record({ serial_ms: { p50, p99: p99 - 1 } })])).toEqual([
      [false, "sticky on aws-s3: serial ms p99 fell, 200 to 199 (−1)"],
    ]);
  });

  it("C5: fails where a serial time comes or goes, and takes two rows without one for equal", () => {
    const without = record({ serial_ms: null });
    expect(told([record()], [without])).toEqual([
      [true, "sticky on aws-s3: its serial time is in the baseline and not measured any more"],
    ]);
    expect(told([without], [record()])).toEqual([[true, "sticky on aws-s3: no serial time in the baseline"]]);
    expect(told([without], [without])).toEqual([]);
  });

  it("holds a row against its last record, and fails on rows that nothing holds", () => {
    const dearer = record({ counts: { checkpoint: { ...NOTHING, get: 3_000_000 } } });
    expect(told([record(), dearer], [dearer])).toEqual([]);
    expect(told([], [record()])).toEqual([[true, "sticky on aws-s3: not in the baseline"]]);
    expect(told([record()], [])[0]?.[0]).toBe(true);
    const other = record({ configuration: { ...CONFIGURATION, steps: 2 } });
    expect(told([record()], [other])).toEqual([
      [true, "sticky on aws-s3: measured in another configuration than the baseline"],
    ]);
  });
});

describe("records as lines", () => {
  it("are read as they were written, and a line of anything else is named", () => {
    const both = [record(), record({ why: "cheaper" })];
    expect(parseRecords(both.map(recordLine).join(""))).toEqual({ ok: true, value: both });
    for (const bad of ["{}", "not json", recordLine(record()).replace(".v1", ".v9"), '{"format":null}']) {
      const parsed = parseRecords(`${recordLine(record())}${bad}\n`);
      expect(parsed).toEqual({ ok: false, error: `line 2 is no ${RECORD_FORMAT}` });
    }
    const wrong = { ...record(), counts: { checkpoint: { get: 1 } } };
    expect(parseRecords(JSON.stringify(wrong)).ok).toBe(false);
  });
});

describe("a ratio of pairs", () => {
  it("is told apart from 1 only when its whole interval is on one side", () => {
    const wobble = Array.from({ length: 20 }, (_, n) => 1 + (n % 5) / 100);
    const pairs = (factor: number) =>
      wobble.map((base, n) => [base, factor * (wobble[(n + 2) % 20] ?? 1)] as const);
    expect(tellRatio(ratioOf(pairs(1.2)))).toMatch(/^×1\.200 .*20 pairs\), slower$/);
    expect(tellRatio(ratioOf(pairs(0.8)))).toMatch(/, faster$/);
    expect(tellRatio(ratioOf(pairs(1)))).toMatch(/, not told apart$/);
  });
});
