/**
 * Risk: the rule on ambient calls cries at names that the file itself declares, or misses a way around it.
 */
import { describe, expect, it } from "vitest";
import { ambientCalls } from "./ambient.ts";
import { treeOf } from "./tree.ts";

function linesFound(text: string, path = "src/engine/a.ts"): number[] {
  return ambientCalls.check(treeOf([{ path, text }])).map(({ line }) => line);
}

describe("an ambient call is found", () => {
  it.each([
    "export const a = Date.now();",
    "export const a = new Date();",
    "export const a = Math.random();",
    'export const a = Math["random"]();',
    "const { random } = Math; random();",
    "setTimeout(() => 1, 5);",
    "export const wait = setImmediate;",
    "export const a = performance.now();",
    "export const a = crypto.randomUUID();",
    "export const a = globalThis.crypto;",
    "await fetch(url);",
    "export const a = process.env.HOME;",
    "console.log(1);",
    "export const a = { process };",
    "export function f(now = Date.now) { return now; }",
    "class Clock extends Date {}",
    "AbortSignal.timeout(5);",
    "{ const process = 1; } process.exit();",
    "function f(console: Log) { console.log(1); } console.log(2);",
  ])("%s", (text) => {
    expect(linesFound(text)).toEqual([1]);
  });
});

describe("no ambient call is seen", () => {
  it.each([
    'export const a = "Date.now() process.env";',
    "// Date.now()\nexport const a = 1;",
    "export const a = Math.floor(1.5);",
    "import { process } from './p.ts'; process.start();",
    "function f(process: Process) { process.crash(); }",
    "for (const process of all) process.start();",
    "export const f = ({ performance }: X) => performance;",
    "interface A { fetch(): void; process: string; at: Date }",
    "export const a = { fetch: 1, console: 2 };",
    "store.fetch(); clock.performance.now();",
    "class A { process() { return this.process; } }",
    "try { f(); } catch (process) { g(process); }",
    "type A = typeof fetch;",
    "interface A extends Date { b: 1 }",
    "export const f = function process() { return process; };",
  ])("%s", (text) => {
    expect(linesFound(text)).toEqual([]);
  });
});

it("lets only the places that own them make ambient calls", () => {
  const text = "export const now = () => Date.now();";
  for (const path of [
    "src/adapters/a.ts",
    "src/cli/a.ts",
    "sim/kernel/trap.ts",
    "sim/kernel/drain-probe.ts",
  ]) {
    expect(linesFound(text, path)).toEqual([]);
  }
  for (const path of ["src/std/a.ts", "sim/kernel/scheduler.ts", "sim/store/trap.ts", "scenarios/a.ts"]) {
    expect(linesFound(text, path)).toEqual([1]);
  }
});
