/**
 * Risk: results of different code are taken for results of one, or a new comment makes hours of them worthless.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeHash } from "./code-hash.ts";

const ENTRIES = ["src/index.ts", "sim/index.ts"];
const SUM = "export const sum = (a: number, b: number) => a + b;\n";

/** The hash of a package with these files besides. */
function hashWith(files: { readonly [path: string]: string } = {}): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "baton-code-"));
  const all = {
    "src/sum.ts": SUM,
    "src/index.ts": 'export * from "./sum.ts";\n',
    "sim/index.ts": "export const sim = 1;\n",
    ...files,
  };
  for (const folder of ["src", "sim"]) mkdirSync(join(root, folder));
  for (const [path, text] of Object.entries(all)) writeFileSync(join(root, path), text);
  return codeHash(ENTRIES, root);
}

test.each([
  ["a comment", { "src/sum.ts": `// Adds.\n${SUM}` }],
  ["a type", { "src/sum.ts": SUM.replace("b: number", "b: 1 | 2") }],
  ["layout", { "src/sum.ts": SUM.replace("=> a", "=>\n\n  a") }],
  ["a file that nothing loads", { "src/other.ts": "export const other = 1;\n" }],
  ["the place of the package", {}],
])("%s does not count (H1)", async (_, files) => {
  expect(await hashWith(files)).toBe(await hashWith());
});

test.each([
  ["an operator", { "src/sum.ts": SUM.replace("a + b", "a - b") }],
  ["another entry", { "sim/index.ts": "export const sim = 2;\n" }],
])("%s counts (H1)", async (_, files) => {
  const hash = await hashWith(files);
  expect(hash).toMatch(/^[0-9a-f]{16}$/);
  expect(hash).not.toBe(await hashWith());
});

test("sources that do not build are told in one line", async () => {
  const hash = hashWith({ "src/sum.ts": "export const =" });
  await expect(hash).rejects.toThrow(/^the sources do not build: [^\n]*src\/sum\.ts[^\n]*$/);
});
