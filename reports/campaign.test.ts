/**
 * Risk: a campaign that left a fault untried looks as if it had tried everything.
 */
import { describe, expect, it } from "vitest";
import { renderCampaign } from "./campaign.ts";
import { CAMPAIGN_FORMAT, type CampaignData } from "./campaign-data.ts";
import { faultPointsData, pointsCovered } from "./fault-points.ts";
import { HOSTILE } from "./fixture-run.ts";

const COUNTS = {
  "put if-match shop/state/orders/*": 5,
  "F01-lost-answer at put if-match shop/state/orders/*": 1,
  "F05-conflict-409 at put if-match shop/state/orders/*": 2,
  "get shop/state/orders/*": 3,
  "list shop/state/": 2,
  "call claim": 4,
};
const points = faultPointsData(COUNTS, ["F01-lost-answer", "F04-hidden-retry", "F11-list", "C01-skew"]);

const data: CampaignData = {
  format: CAMPAIGN_FORMAT,
  again: "npx baton sim --seed 1",
  ended: "done",
  firstSeed: 1,
  fingerprint: "aa",
  planted: null,
  runs: 1_200,
  pinned: 3,
  storeOps: 90_000,
  events: 1,
  virtualMs: 3_600_000,
  wallMs: 2_000,
  scenarios: [{ name: "by-hand", claim: HOSTILE, leftOut: true }],
  profiles: [{ name: "aws-s3", count: 1_200 }],
  faults: [
    { name: "F01-lost-answer", count: 7 },
    { name: "F04-hidden-retry", count: 0 },
  ],
  checks: [{ name: "I05-acknowledged", count: 0, statement: "kept" }],
  points,
  failures: [
    {
      scenario: "by-hand",
      seed: 7,
      invariant: "I05",
      message: HOSTILE,
      replayFile: "a.json",
      page: "a.html",
    },
  ],
  orders: [
    {
      scene: "by-hand",
      statement: "all 12 orders of by-hand with up to 1 fault: no violation",
      sound: true,
      orders: "12345",
      classes: 4,
      storeOps: 9,
      wallMs: 70,
    },
    {
      scene: "cut-off",
      statement: HOSTILE,
      sound: false,
      orders: "1",
      classes: 1,
      storeOps: 9,
      wallMs: 70,
    },
  ],
  matrix: {
    partial: "Not the whole matrix: stopped by the user. 1 of 2 bugs were begun.",
    strategies: [
      {
        name: "mix",
        found: 1,
        tried: 1,
        medianRuns: 3,
        p90Runs: null,
        medianSeconds: 0.12,
        p90Seconds: null,
        ratios: [{ against: "random", times: 2.345, bugs: 1 }],
      },
      {
        name: "pct",
        found: 0,
        tried: 1,
        medianRuns: null,
        p90Runs: null,
        medianSeconds: null,
        p90Seconds: null,
        ratios: [],
      },
    ],
    rows: [
      {
        bug: "back-off-forgotten",
        invariant: null,
        cells: [
          {
            found: 0,
            tried: 10,
            medianRuns: null,
            p90Runs: null,
            medianSeconds: null,
            p90Seconds: null,
          },
          null,
        ],
      },
    ],
  },
};
const page = renderCampaign(data, { style: "", script: "" });

describe("a campaign's page", () => {
  it("says in words what never struck and what was never checked", () => {
    expect(page).toContain("On and never struck: F04-hidden-retry.");
    expect(page).toContain("Nothing to check was met by I05-acknowledged.");
  });

  it("links each failure to its page and its replay file", () => {
    expect(page).toContain('<a href="a.html">I05</a>');
    expect(page).toContain('<a href="a.json">replay file</a>');
  });

  it("tells the orders that were searched to the end and which scene was not", () => {
    expect(page).toContain("all 12 orders");
    expect(page).toContain("12,345");
    expect(page).toContain("Not searched to the end, or broken: cut-off.");
  });

  it("tells the strategies against each other, a bug that nothing finds, and what the matrix lacks", () => {
    expect(page).toContain("nothing sees it");
    expect(page).toContain("not found");
    expect(page).toContain("random needs 2.35 times the runs <small>over 1 bug</small>");
    expect(page).toContain("3 (–) runs<br>0.1 (–) s");
    expect(page).toContain("stopped by the user. 1 of 2 bugs");
  });

  it("needs no script and escapes what was recorded", () => {
    expect(page).not.toContain("<script");
    expect(page).not.toContain("<img");
  });
});

describe("fault points", () => {
  const { kinds, rows } = points;
  const count = (request: string, kind: string) =>
    rows.find((row) => row.request === request)?.counts[kinds.indexOf(kind)];

  it("count requests by what they do to which sort of key, without the folders that all share", () => {
    expect(rows.find(({ request }) => request === "put if-match orders/*")?.seen).toBe(5);
    expect(count("put if-match orders/*", "F01-lost-answer")).toBe(1);
    expect(count("put if-match orders/*", "F05-conflict-409")).toBe(2);
  });

  it("have a zero where a kind could strike and did not, and nothing where it cannot", () => {
    expect(count("get orders/*", "F01-lost-answer")).toBe(0);
    expect(count("get orders/*", "F04-hidden-retry")).toBe(0);
    expect(count("get orders/*", "F05-conflict-409")).toBeNull();
    expect(count("get orders/*", "F11-list")).toBeNull();
    expect(count("call claim", "F01-lost-answer")).toBeNull();
    expect(kinds).not.toContain("C01-skew");
  });

  it("that never fired are named", () => {
    const { all, fired, never } = pointsCovered(points);
    expect([all, fired]).toEqual([8, 2]);
    expect(never).toContain("F11-list at list shop/state/");
    expect(never).not.toContain("F01-lost-answer at put if-match orders/*");
  });
});
