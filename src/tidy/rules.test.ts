/**
 * Every house rule can fail: each reports the line of a small sample that breaks it, and nothing of its twin.
 *
 * A rule without a sample here fails this suite.
 */
import { describe, expect, it } from "vitest";
import { RULES } from "./rules.ts";
import type { Finding, Source } from "./tree.ts";
import { treeOf } from "./tree.ts";

/** `broken` breaks the rule at `at`; `kept` does not. The first line of a sample names its path. */
interface Sample {
  readonly rule: string;
  readonly broken: readonly string[];
  readonly at: string;
  readonly kept: readonly string[];
}

const LATER = "TO" + "DO";
const lines = (count: number): string => "f();\n".repeat(count);
const comments = (count: number): string => "// why\n".repeat(count);
const PAGE = "It holds parts. It imports nothing. It has rules.";
const pages = (names: string): string[] => names.split(" ").map((name) => `${name}/README.md\n${PAGE}`);

const LEFT_OUT = 'tsconfig.build.json\n{ "exclude": [\n"sim/bench.ts", "**/*.test.ts"] }';

const SAMPLES: readonly Sample[] = [
  {
    rule: "import-matrix",
    broken: ['sim/a.ts\nf();\nimport "../src/engine/b.ts";', "src/engine/b.ts\n"],
    at: "sim/a.ts:2",
    kept: ['sim/a.ts\nf();\nimport "../src/std/b.ts";', "src/std/b.ts\n"],
  },
  {
    rule: "import-cycles",
    broken: [
      'src/a.ts\nimport "./b.ts";',
      'src/b.ts\nf();\nimport type { C } from "./c.ts";',
      'src/c.ts\nexport * from "./a.ts";',
    ],
    at: "src/a.ts:1",
    kept: ['src/a.ts\nimport "./b.ts";\nimport "./c.ts";', 'src/b.ts\nimport "./c.ts";', "src/c.ts\n"],
  },
  {
    rule: "ambient-calls",
    broken: ["src/engine/a.ts\n\nexport const now = Date.now();"],
    at: "src/engine/a.ts:2",
    kept: ["src/adapters/a.ts\n\nexport const now = Date.now();"],
  },
  {
    rule: "type-escapes",
    broken: ["src/std/a.ts\n\nexport const a = f() as string;"],
    at: "src/std/a.ts:2",
    kept: [
      "src/std/a.ts\nexport const a = f() as string; // f is typed too wide\nexport const b = [1] as const;",
    ],
  },
  {
    rule: "type-escapes",
    broken: ["src/std/a.ts\nexport let a: any;"],
    at: "src/std/a.ts:1",
    kept: ["src/std/a.test.ts\nexport let a: any;"],
  },
  {
    rule: "type-escapes",
    broken: ["src/std/a.ts\nexport const a = b!.c;"],
    at: "src/std/a.ts:1",
    kept: ["src/adapters/a.ts\nexport const a = b!.c;"],
  },
  {
    rule: "type-escapes",
    broken: ["src/std/a.ts\n// @ts-ignore it is fine\nexport const a = 1 + b;"],
    at: "src/std/a.ts:1",
    kept: ["src/std/a.ts\n// @ts-expect-error b is declared by the loader\nexport const a = 1 + b;"],
  },
  {
    rule: "file-length",
    broken: [`src/a.ts\n${lines(501)}`],
    at: "src/a.ts:501",
    kept: [`src/a.ts\n${lines(500)}`],
  },
  {
    rule: "median-length",
    broken: [`src/a.ts\n${lines(131)}`, `src/b.ts\n${lines(140)}`, "src/c.ts\n"],
    at: ".:1",
    kept: [`src/a.ts\n${lines(131)}`, `src/b.ts\n${lines(130)}`, "src/c.ts\n"],
  },
  {
    rule: "function-length",
    broken: [`src/a.ts\n\nfunction long() {\n${lines(69)}}`],
    at: "src/a.ts:2",
    kept: [`src/a.ts\n\nfunction short() {\n${lines(68)}}`],
  },
  {
    rule: "function-length",
    broken: [`src/a.test.ts\ndescribe("a", () => {\n  it("b", () => {\n${lines(69)}});});`],
    at: "src/a.test.ts:2",
    kept: [`src/a.test.ts\ndescribe("a", () => {\n${`it("b", () => {\n${lines(50)}});\n`.repeat(3)}});`],
  },
  {
    rule: "file-header",
    broken: ["src/a.ts\n// Not a header.\nexport const a = 1;"],
    at: "src/a.ts:1",
    kept: ["src/a.ts\n#!/usr/bin/env node\n/**\n * It owns the a.\n */\nexport const a = 1;"],
  },
  {
    rule: "file-header",
    broken: ["src/a.ts\n/** A */\nexport const a = 1;"],
    at: "src/a.ts:1",
    kept: ["src/a.ts\n/** It owns the a. */\nexport const a = 1;"],
  },
  {
    rule: "comment-share",
    broken: [`src/a.ts\n${comments(9)}${lines(91)}`],
    at: "src/a.ts:1",
    kept: [`src/a.ts\n${comments(10)}${lines(90)}`, `src/a.test.ts\n${lines(90)}`, `src/b.ts\n${lines(40)}`],
  },
  {
    rule: "comment-share",
    broken: [`src/a.ts\n${comments(41)}${lines(58)}function f() {}`],
    at: "src/a.ts:1",
    kept: [`src/a.ts\n${comments(40)}${lines(59)}function f() {}`, `src/b.ts\n${comments(50)}${lines(50)}`],
  },
  {
    rule: "file-names",
    broken: ["src/std/string-utils.ts\n"],
    at: "src/std/string-utils.ts:1",
    kept: ["src/std/utilisation.ts\n"],
  },
  {
    rule: "top-level",
    broken: ["docs/a.md\n", "src/a.ts\n"],
    at: "docs:1",
    kept: ["README.md\n", "src/a.ts\n"],
  },
  {
    rule: "folder-pages",
    broken: pages("src sim scenarios ledger examples"),
    at: "reports/README.md:1",
    kept: pages("src sim scenarios ledger reports examples"),
  },
  {
    rule: "folder-pages",
    broken: [...pages("src sim scenarios ledger examples"), "reports/README.md\n# Reports"],
    at: "reports/README.md:1",
    kept: pages("src sim scenarios ledger reports examples"),
  },
  {
    rule: "folder-pages",
    broken: [...pages("src scenarios ledger reports sim examples"), "sim/store/a.ts\n"],
    at: "sim/README.md:1",
    kept: [
      ...pages("src scenarios ledger reports examples"),
      `sim/README.md\n${PAGE} \`store\``,
      "sim/store/a.ts\n",
    ],
  },
  {
    rule: "test-support",
    broken: [LEFT_OUT, "sim/bench.ts\n", 'sim/a.ts\nimport "./bench.ts";'],
    at: "sim/a.ts:1",
    kept: [LEFT_OUT, "sim/bench.ts\n", 'sim/a.test.ts\nimport "./bench.ts";'],
  },
  {
    rule: "test-support",
    broken: [LEFT_OUT],
    at: "tsconfig.build.json:2",
    kept: [LEFT_OUT, "sim/bench.ts\n"],
  },
  {
    rule: "page-links",
    broken: ["src/README.md\n\nSee [the clock](ports/clock.ts).", "src/std/a.ts\n"],
    at: "src/README.md:2",
    kept: ["src/README.md\n\nSee [a](std/a.ts#b), [b](https://example.org/a.ts).", "src/std/a.ts\n"],
  },
  {
    rule: "page-links",
    broken: ["README.md\n`src/std/b.ts`", "src/std/a.ts\n"],
    at: "README.md:1",
    kept: [
      "README.md\n`src/std/*.ts`, `src/std/`, `a/<id>/b.json`, `reports/x.json`\n```\nsrc/b.ts\n```",
      "src/std/a.ts\n",
    ],
  },
  {
    rule: "nothing-for-later",
    broken: [`src/a.ts\nf();\n// ${LATER}: mend`],
    at: "src/a.ts:2",
    kept: [`src/a.ts\nf("${LATER}");`],
  },
  {
    rule: "tests-run",
    broken: ['src/a.test.ts\nf();\nit.skip("a", () => f());'],
    at: "src/a.test.ts:2",
    kept: ['src/a.test.ts\nit.each([1])("a", () => f()); list.skip(1);'],
  },
  {
    rule: "tests-run",
    broken: ['src/a.test.ts\ndescribe.each([1]).only("a", () => f());'],
    at: "src/a.test.ts:1",
    kept: ['src/a.test.ts\ndescribe("only", () => f());'],
  },
  {
    rule: "tests-run",
    broken: ['src/a.test.ts\nit("a", () => {\n  expect(true).toBe(true);\n});'],
    at: "src/a.test.ts:2",
    kept: ['src/a.test.ts\nit("a", () => {\n  expect(f()).toBe(true);\n});'],
  },
  {
    rule: "tests-run",
    broken: ['src/a.test.ts\nit("a", () => {});'],
    at: "src/a.test.ts:1",
    kept: ['src/a.test.ts\nit("a", () => f());'],
  },
  {
    rule: "pinned-versions",
    broken: ['package.json\n{ "dependencies": { "a": "1.0.0" },\n  "devDependencies": { "b": "^1.0.0" } }'],
    at: "package.json:2",
    kept: ['package.json\n{ "dependencies": { "a": "1.0.0" }, "devDependencies": { "b": "1.0.0-rc.1" } }'],
  },
  {
    rule: "package-exports",
    broken: [
      'package.json\n{ "exports": { ".": 1, "./sim": 1, "./ports": 1, "./package.json": 1,\n"./src/*": 1 } }',
    ],
    at: "package.json:2",
    kept: ['package.json\n{ "exports": { ".": 1, "./sim": 1, "./ports": 1, "./package.json": 1 } }'],
  },
  {
    rule: "package-exports",
    broken: ['package.json\n{ "exports": { ".": 1, "./sim": 1, "./package.json": 1 } }'],
    at: "package.json:1",
    kept: ['package.json\n{ "exports": { ".": 1, "./sim": 1, "./ports": 1, "./package.json": 1 } }'],
  },
];

function check(name: string, sample: readonly string[]): readonly Finding[] {
  const rule = RULES.find((one) => one.name === name);
  if (rule === undefined) throw new Error(`there is no rule ${name}`);
  return rule.check(treeOf(sample.map(sourceOf)));
}

function sourceOf(sample: string): Source {
  const end = sample.indexOf("\n");
  return { path: sample.slice(0, end), text: sample.slice(end + 1) };
}

describe("each rule", () => {
  it.each(RULES.map(({ name }) => name))("%s has a sample that breaks it", (name) => {
    expect(SAMPLES.map(({ rule }) => rule)).toContain(name);
  });

  it("has a name of its own", () => {
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
  });
});

describe("a sample", () => {
  it.each(SAMPLES)("that breaks $rule is reported at $at", ({ rule, broken, at }) => {
    const found = check(rule, broken);
    expect(found.map(({ path, line }) => `${path}:${line}`)).toEqual([at]);
    // What is wrong, and after the semicolon what to do instead.
    for (const { message } of found) expect(message).toMatch(/^\S.+; .{10,}/);
  });

  it.each(SAMPLES)("that keeps $rule, twin of $at, is not reported", ({ rule, kept }) => {
    expect(check(rule, kept)).toEqual([]);
  });
});

it("names the whole cycle", () => {
  const [found] = check("import-cycles", ['src/a.ts\nimport "./b.ts";', 'src/b.ts\nimport "./a.ts";']);
  expect(found?.message).toContain("src/a.ts -> src/b.ts -> src/a.ts");
});
