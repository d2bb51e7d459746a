/**
 * Risk: a campaign that left a fault untried looks as if it had tried everything.
 */
import { describe, expect, it } from "vitest";
import { renderCampaign } from "./campaign.ts";
import { CAMPAIGN_FORMAT, type CampaignData } from "./campaign-data.ts";
import { FaultPoints } from "./fault-points.ts";
import { HOSTILE, handmadeHistory } from "./fixture-run.ts";

function pointsOfOneRun(): NonNullable<CampaignData["points"]> {
  const points = new FaultPoints();
  points.add(handmadeHistory());
  return points.data(["F01-lost-answer", "F04-hidden-retry", "C01-skew"]);
}

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
  points: pointsOfOneRun(),
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
  orders: ["all 12 orders of by-hand with up to 1 fault: no violation"],
  matrix: {
    strategies: ["uniform", "pct"],
    rows: [
      {
        bug: "back-off-forgotten",
        invariant: null,
        cells: [{ found: 0, tried: 10, medianRuns: 0, p90Runs: 0, medianSeconds: 0, p90Seconds: 0 }, null],
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

  it("tells the orders that were searched to the end and a bug that nothing finds", () => {
    expect(page).toContain("all 12 orders");
    expect(page).toContain("nothing sees it");
    expect(page).toContain("not found");
  });

  it("needs no script and escapes what was recorded", () => {
    expect(page).not.toContain("<script");
    expect(page).not.toContain("<img");
  });
});

describe("fault points", () => {
  const { kinds, rows } = pointsOfOneRun();
  const count = (request: string, kind: string) =>
    rows.find((row) => row.request === request)?.counts[kinds.indexOf(kind)];

  it("count requests by what they do to which sort of key", () => {
    expect(rows.find(({ request }) => request === "put if-match state/orders/*")?.seen).toBe(5);
    expect(count("put if-match state/orders/*", "F01-lost-answer")).toBe(1);
    expect(count("put if-match state/orders/*", "F05-conflict-409")).toBe(1);
  });

  it("have a zero where a kind could strike and did not, and nothing where it cannot", () => {
    expect(count("get state/orders/*", "F01-lost-answer")).toBe(0);
    expect(count("get state/orders/*", "F04-hidden-retry")).toBe(0);
    expect(count("get state/orders/*", "F05-conflict-409")).toBeNull();
    expect(count("call claim", "F01-lost-answer")).toBeNull();
    expect(kinds).not.toContain("C01-skew");
  });
});
