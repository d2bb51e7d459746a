/**
 * Risk: a chart shows another figure than the record has, or draws a curve through rows that differ in more than its axis.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type LedgerRecord, parseRecords } from "../ledger/index.ts";
import { curveSvg } from "./cost-curves.ts";
import { renderCost } from "./cost-page.ts";
import { HOSTILE } from "./fixture-run.ts";

const assets = { style: "", script: "" };
const parsed = parseRecords(readFileSync(new URL("../ledger/baseline.jsonl", import.meta.url), "utf8"));
const records: readonly LedgerRecord[] = parsed.ok ? parsed.value : [];
const page = renderCost(records, "aws-s3", assets);

describe("the page of the ledger", () => {
  it("has the documented protocol first among the bars, and every cause's figure in its part", () => {
    expect(records.length).toBeGreaterThan(20);
    const names = [...page.matchAll(/text-anchor="end">([a-z][^<]*)</g)].map(([, name]) => name);
    expect(names.slice(0, 3)).toEqual(["documented", "sticky", "cross-node"]);
    expect(names).not.toContain("steps-8");
    for (const part of ["documented: history 3", "sticky: ", "long-step: heartbeat 3"])
      expect(page).toContain(`<title>${part}`);
  });

  it("draws a curve for each thing that grows, and lets no row in that differs in more", () => {
    const along = (title: string) =>
      [...page.matchAll(new RegExp(`<title>${title} (\\d+): [^<]* puts<`, "g"))].map(([, at]) => Number(at));
    expect(along("steps of a turn")).toEqual([1, 2, 8, 32, 64]);
    expect(along("identities")).toEqual([1, 10, 100, 1_000]);
    expect(along("nodes")).toEqual([1, 2, 4, 8]);
    expect(along("messages that wait in the inbox")).toEqual([0, 16, 64, 120]);
    expect(along("turns in the history")).toEqual([0, 64, 256, 512]);
  });

  it("gives the same bytes each time, asks for nothing, and takes what was recorded for foreign text", () => {
    expect(renderCost(records, "aws-s3", assets)).toBe(page);
    expect(page).not.toMatch(/(src|href)=|<script/);
    const foreign = records.map((record) => ({ ...record, why: HOSTILE, commit: HOSTILE, version: HOSTILE }));
    expect(renderCost(foreign, "aws-s3", assets)).not.toContain(HOSTILE);
    expect(renderCost([], "aws-s3", assets)).toContain("What a handoff costs");
  });

  it("says nothing of a serial time that a record does not have", () => {
    expect(page).toContain("serial store time, p50");
    const without = records.map((record) => ({ ...record, serial_ms: null }));
    expect(renderCost(without, "aws-s3", assets)).not.toMatch(/serial store time|>null|undefined|NaN/);
  });

  it("begins its scale at nothing and keeps the names at the ends of lines apart", () => {
    const points = [
      [1, 9.9],
      [2, 10],
    ] as const;
    const svg = curveSvg(
      "t",
      [
        { name: "a", classes: "x", points },
        { name: "b", classes: "y", points },
      ],
      String,
    );
    expect([...svg.matchAll(/text-anchor="end">([\d.]+)</g)].map(([, label]) => label)).toEqual([
      "0",
      "5",
      "10",
    ]);
    const ends = [...svg.matchAll(/class="name ." x="\d+" y="([\d.]+)"/g)].map(([, at]) => Number(at));
    expect(Math.abs((ends[0] ?? 0) - (ends[1] ?? 0))).toBeGreaterThanOrEqual(12);
  });
});
