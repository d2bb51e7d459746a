/**
 * Risk: a search that did not get to its end is told as "all orders", or a violation that it found cannot be shown.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runLine } from "../example-io.ts";
import type { Io } from "../io.ts";
import { packageShelf } from "../shelf.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-explore-"));

const baton = (line: string, changes: Partial<Io> = {}) => runLine(line, packageShelf(), folder, changes);

describe("baton explore", () => {
  test("says of a sound scene that no order of it breaks anything, and how many orders there are", async () => {
    const { code, out } = await baton("explore two-node-handoff --faults 0");
    expect(code).toBe(0);
    expect(out).toMatch(/^all [\d,]+ orders \([\d,]+ classes\) with up to 0 faults: no violation$/m);
    expect(out).toMatch(/pruned +[\d,]+ orders equivalent to one that was run/);
    expect(out).toMatch(/not searched +latencies/);
  });

  test("gives one JSON object whose counts add up", async () => {
    const { code, out } = await baton("explore two-node-handoff --faults 0 --json");
    const told = JSON.parse(out);
    expect(code).toBe(0);
    expect(told).toMatchObject({
      scene: "two-node-handoff",
      complete: true,
      faults: 0,
      failure: null,
      cut: 0,
    });
    expect(BigInt(told.orders)).toBe(BigInt(told.classes) + BigInt(told.pruned));
    expect(told.classesByFaults).toEqual([told.classes]);
  });

  test.each([
    ["--for 100ms", {}, "not all orders: the time was over", 0],
    ["", { interrupted: () => true }, "not all orders: stopped by Ctrl-C", 130],
    ["--faults 0 --depth 2", {}, "differ in the first 2 steps", 0],
  ])("does not say all when it was not all: `%s`", async (words, changes, told, due) => {
    const { code, out } = await baton(`explore two-node-handoff ${words}`.trim(), changes);
    expect(out).toContain(told);
    expect(out).not.toMatch(/^all /m);
    expect(code).toBe(due);
  });

  test("finds a planted bug, and its replay file shows the very run again", async () => {
    const found = await baton("explore two-node-handoff --plant unconditional-write");
    expect(found.code).toBe(1);
    expect(found.out).toContain("FAILED explore-two-node-handoff");
    expect(found.out).not.toContain("no violation");
    const file = /^ +file: +(\S+)$/m.exec(found.out)?.[1];
    const again = await baton(`replay ${file}`);
    expect(again.code).toBe(1);
    expect(again.out).toContain("the run is as recorded, step by step");
  }, 60_000);

  test.each([
    ["explore", "missing required argument"],
    ["explore two-node-handof", "did you mean two-node-handoff?"],
    ["explore two-node-handoff --faults 10", "from 0 to 9"],
    ["explore two-node-handoff --depth 0", "whole number"],
    ["explore two-node-handoff --plant nothing", "unknown planted bug"],
  ])("`baton %s` is one clear line and exit code 2", async (line, words) => {
    const { code, out, err } = await baton(line);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error: [^\n]+\n$/);
    expect(err).toContain(words);
  });
});
