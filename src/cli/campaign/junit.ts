/**
 * A campaign as JUnit XML, which CI servers show as tests.
 *
 * A suite for each scenario: one test for all of its runs that passed, and one for each run that failed. So the number
 * of tests says how many failures there are, not how many runs.
 *
 *   J1  The text is well-formed whatever the messages hold: what XML forbids is replaced, what it reserves is escaped.
 */

import { grouped } from "../terminal/table.ts";
import type { CampaignResult } from "./campaign-result.ts";
import type { FailureRecord } from "./failure-report.ts";

export function junitXml(result: CampaignResult): string {
  const suites = Object.entries(result.byScenario).map(([name, { runs, failures }]) => {
    const failed = result.failures.filter((failure) => failure.scenario === name);
    const passed = runs - failures;
    const tests = failed.map(failedCase);
    if (passed > 0) tests.unshift(testCase(name, `${grouped(passed)} runs that passed`, ""));
    return suite(name, tests, failed.length);
  });
  const elsewhere = result.failures.filter((failure) => result.byScenario[failure.scenario] === undefined);
  if (elsewhere.length > 0) suites.push(suite("pinned", elsewhere.map(failedCase), elsewhere.length));
  const tests = suites.reduce((sum, { tests: n }) => sum + n, 0);
  const counts = `tests="${tests}" failures="${result.failures.length}" time="${seconds(result.wallMs)}"`;
  const lines = suites.map(({ xml }) => xml).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="baton sim" ${counts}>\n${lines}</testsuites>\n`;
}

function suite(name: string, tests: readonly string[], failures: number) {
  const head = `  <testsuite name="${escaped(name)}" tests="${tests.length}" failures="${failures}">\n`;
  return { tests: tests.length, xml: `${head}${tests.join("")}  </testsuite>\n` };
}

function failedCase(failure: FailureRecord): string {
  const { scenario, seed, invariant, message, replayFile, invariants } = failure;
  const name = seed === null ? `recorded run ${replayFile}` : `seed ${seed}`;
  const text = `${message}\nbroken: ${invariants.join(", ")}\nagain: npx baton replay ${replayFile}`;
  const attributes = `message="${escaped(`${invariant}: ${message}`)}" type="${escaped(invariant)}"`;
  return testCase(scenario, name, `      <failure ${attributes}>${escaped(text)}</failure>\n`);
}

function testCase(scenario: string, name: string, body: string): string {
  const head = `    <testcase classname="baton.${escaped(scenario)}" name="${escaped(name)}"`;
  return body === "" ? `${head}/>\n` : `${head}>\n${body}    </testcase>\n`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** J1. */
function escaped(text: string): string {
  let safe = "";
  for (const character of text) safe += isAllowed(character) ? (ENTITIES[character] ?? character) : "\uFFFD";
  return safe;
}

/** Whether XML 1.0 lets the character stand in a text. */
function isAllowed(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
