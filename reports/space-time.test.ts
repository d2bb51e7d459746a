/**
 * Risk: a page needs a network, cannot be told from another run's, or runs what users stored.
 */
import { describe, expect, it } from "vitest";
import { BROKEN, HOSTILE, handmadeRun } from "./fixture-run.ts";
import { REPORT_FORMAT } from "./report-data.ts";
import { renderSpaceTime } from "./space-time.ts";

const assets = { style: "body { margin: 0 }", script: "void 0;" };
const render = (...runs: readonly ReturnType<typeof handmadeRun>[]): string =>
  renderSpaceTime({ format: REPORT_FORMAT, runs }, assets);
const page = render(handmadeRun());

describe("a run's page", () => {
  it("says without a script what is broken, in words, with its key and time", () => {
    const head = page.slice(page.indexOf("<header"), page.indexOf("</header>"));
    for (const words of [
      "by-hand",
      "seed 7",
      "I04-no-foreign-write",
      "each change was asked for",
      "0.032 s",
      "order-1.json",
    ])
      expect(head).toContain(words);
  });

  it("of a run that passed says so and how much struck it", () => {
    const passed = render(handmadeRun({ kind: "pass", message: "passed", findings: [] }));
    expect(passed).toContain("Every invariant holds. 9 faults struck in 25 s");
  });

  it("asks for nothing: no link, no source, and a policy that forbids every request", () => {
    expect(page).not.toMatch(/<link|<script[^>]* src|<img|@import|url\(/);
    expect(page).toContain("default-src 'none'");
  });

  it("holds the data where only its own script reads it, and gives it back unchanged", () => {
    expect(page).not.toContain(HOSTILE);
    const [, json = ""] =
      /<script type="application\/json" id="report-data">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(json)).toEqual({ format: REPORT_FORMAT, runs: [handmadeRun()] });
  });

  it("has as many script elements as it should, whatever bodies hold", () => {
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script/g)).toHaveLength(2);
  });

  it("is the same for the same data", () => {
    expect(render(handmadeRun())).toBe(page);
  });

  it("holds the shrunken run beside the original", () => {
    const both = render({ ...handmadeRun(BROKEN), name: "shrunken" }, handmadeRun());
    expect(both).toContain('"name":"shrunken"');
    expect(both).toContain('"name":"original"');
  });
});
