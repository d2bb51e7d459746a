/**
 * Risk: a checker that cries at a sound run, or that finds nothing in it to examine.
 */
import { expect, test } from "vitest";
import { STORE_CHECKERS } from "../../sim/index.ts";
import { ENGINE_CHECKERS } from "./index.ts";
import { Story } from "./story.ts";
import { failAttempt, findings, takeOver } from "./story-turns.ts";

const NAMES = ENGINE_CHECKERS.map((checker) => checker.name);

test.each(NAMES)("a sound history passes %s, which has something to examine", (name) => {
  const { violations, examined } = findings(new Story(), name);
  expect(violations).toEqual([]);
  expect(examined).toBeGreaterThan(0);
});

test("a sound history passes the checkers of the store", () => {
  const { history } = new Story().told();
  for (const checker of STORE_CHECKERS) {
    const { violations, examined } = checker.check(history, null);
    expect(violations).toEqual([]);
    expect(examined).toBeGreaterThan(0);
  }
});

test("a lease that has ended may be taken over; only progress misses the work that is left", () => {
  const story = new Story();
  takeOver(story, 1_500);
  expect(NAMES.filter((name) => findings(story, name).violations.length > 0)).toEqual(["I11-progress"]);
});

test("an attempt may fail and its turn wait; only progress misses the work that is left", () => {
  const story = new Story();
  failAttempt(story, 1_046);
  expect(NAMES.filter((name) => findings(story, name).violations.length > 0)).toEqual(["I11-progress"]);
});

test("every checker has a name of its own, a statement and a blind spot in words", () => {
  expect(new Set(NAMES).size).toBe(NAMES.length);
  for (const { name, statement, blind } of ENGINE_CHECKERS) {
    expect(name).toMatch(/^I\d\d-[a-z-]+$/);
    expect(statement.length).toBeGreaterThan(20);
    expect(blind.length).toBeGreaterThan(5);
  }
});
