/**
 * The house rules, held against the real tree. Each rule is a test; a failure lists every place as
 * `file:line`, the rule, and what to do instead.
 *
 * That each rule can fail at all is shown in `tidy/rules.test.ts`.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTree } from "./tidy/disk.ts";
import { RULES } from "./tidy/rules.ts";
import type { Rule, Tree } from "./tidy/tree.ts";

const tree = readTree(fileURLToPath(new URL("..", import.meta.url)));

function report(rule: Rule, of: Tree): string[] {
  return rule.check(of).map(({ path, line, message }) => `${path}:${line} [${rule.name}] ${message}`);
}

describe("the tree", () => {
  it("is read whole", () => {
    for (const path of ["src/std/assert.ts", "sim/kernel/choice.ts", "src/tidy.test.ts"]) {
      expect(tree.code.map((file) => file.path)).toContain(path);
    }
    expect(tree.manifest).toContain('"name": "baton"');
  });

  for (const rule of RULES) {
    it(`${rule.claim} (${rule.name})`, () => {
      expect(report(rule, tree).join("\n")).toBe("");
    });
  }
});
