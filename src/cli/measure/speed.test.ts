/**
 * Risk: a measurement that leaves its stores behind, counts nothing, or says nothing about what it cannot do. No figure of
 * time is looked at.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runLine } from "../example-io.ts";
import { packageShelf } from "../shelf.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-speed-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const speed = (line: string) => runLine(`speed ${line}`, packageShelf(), folder);

test("turns in this process are counted, one after the other and at once, and their stores are removed", {
  timeout: 60_000,
}, async () => {
  const { code, out } = await speed("--only process --seconds 1 --warm-up 20 --lanes 3 --store . --json");
  expect(code).toBe(0);
  const { figures } = JSON.parse(out);
  expect(figures.map(({ way, protocol }: { way: string; protocol: string }) => [way, protocol])).toEqual([
    ["in process, one after the other", "ours"],
    ["in process, one after the other", "documented"],
    ["in process, 3 at once", "ours"],
    ["in process, 3 at once", "documented"],
  ]);
  for (const { turns, requestsPerTurn, protocol } of figures) {
    expect(turns).toBeGreaterThan(0);
    // Each call cannot do with fewer than one write.
    expect(requestsPerTurn).toBeGreaterThanOrEqual(protocol === "ours" ? 2 : 4);
  }
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["--seconds 0", "--seconds is a whole number from 1 to 600"],
  ["--warm-up -1", "--warm-up is a whole number from 0 to 1000000"],
  ["--lanes many", "--lanes is a whole number from 1 to 1000"],
  ["--store not/there", "no store can be made in"],
  ["--only disk", "disk"],
])("`baton speed %s` is one clear line and exit code 2", async (line, words) => {
  const { code, out, err } = await speed(line);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/^error: [^\n]+\n$/);
  expect(err).toContain(words);
});
