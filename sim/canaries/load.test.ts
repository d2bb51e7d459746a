/**
 * Risk: a planted bug that is not there any more, so that "all are caught" proves nothing.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadWithEdit, sourcePlace } from "./load.ts";
import { PlantError, type PlantedBug, plant } from "./planted-bug.ts";

const bug: PlantedBug = {
  name: "wrong-sum",
  catalogue: "B00",
  file: "src/sum.ts",
  find: "a + b",
  replace: "a - b",
  about: "sums are differences",
  caughtBy: ["I00"],
};

function project(): string {
  const root = mkdtempSync(join(tmpdir(), "baton-load-"));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "package.json"), '{"name":"baton"}');
  writeFileSync(
    join(root, "src/sum.ts"),
    "export const sum = (a: number, b: number): number => a + b;\n\nexport function place(): string {\n  return new Error().stack ?? '';\n}\n",
  );
  writeFileSync(join(root, "src/other.ts"), "export const other = 1 + 1;\n");
  writeFileSync(join(root, "src/index.ts"), 'export { place, sum } from "./sum.ts";\n');
  return root;
}

function member(loaded: unknown, name: string): (...args: unknown[]) => unknown {
  return (loaded as Record<string, (...args: unknown[]) => unknown>)[name] as never;
}

describe("loading code with a planted bug", () => {
  test("the edit is in the loaded code and not in the source", async () => {
    const root = project();
    const sound = await loadWithEdit("src/index.ts", null, root);
    const planted = await loadWithEdit("src/index.ts", bug, root);
    expect(member(sound, "sum")(5, 3)).toBe(8);
    expect(member(planted, "sum")(5, 3)).toBe(2);
    expect(readFileSync(join(root, "src/sum.ts"), "utf8")).toContain("a + b");
  });

  test("the same sources and bug give the same module", async () => {
    const root = project();
    expect(await loadWithEdit("src/index.ts", bug, root)).toBe(await loadWithEdit("src/index.ts", bug, root));
  });

  describe("and its bundles (C5)", () => {
    const HOUR_MS = 3_600_000;
    const folderOf = (root: string) => join(root, "node_modules", ".cache", "baton");
    const age = (path: string, hours: number) => {
      const at = new Date(Date.now() - hours * HOUR_MS);
      utimesSync(path, at, at);
    };
    /** A folder in which the bug is loaded, with files of these ages. */
    async function loadedBeside(files: { readonly [name: string]: number }) {
      const root = project();
      await loadWithEdit("src/index.ts", bug, root);
      const folder = folderOf(root);
      const planted = join(folder, readdirSync(folder)[0] ?? "");
      for (const [name, hours] of Object.entries(files)) {
        writeFileSync(join(folder, name), "");
        age(join(folder, name), hours);
      }
      return { root, folder, planted };
    }

    test("what nobody has used for a day goes when another one is written", async () => {
      const files = {
        "a-0.mjs": 25,
        "b-0.mjs": 23,
        "c.mjs.1.unfinished": 25,
        "d.mjs.1.unfinished": 1,
        e: 99,
      };
      const { root, folder, planted } = await loadedBeside(files);
      mkdirSync(join(folder, "programs.mjs"));
      age(join(folder, "programs.mjs"), 99);
      // What another process has removed between the look at the folder and the look at the file.
      symlinkSync("nowhere", join(folder, "gone.mjs"));
      age(planted, 25);
      await loadWithEdit("src/index.ts", null, root);
      const left = readdirSync(folder).filter((name) => !name.startsWith("unedited-"));
      expect(left.sort()).toEqual(["b-0.mjs", "d.mjs.1.unfinished", "e", "gone.mjs", "programs.mjs"]);
      expect(readdirSync(folder)).toHaveLength(6);
    });

    test("one that is found counts as used, and nothing goes for it", async () => {
      const { root, folder, planted } = await loadedBeside({ "a-0.mjs": 25 });
      age(planted, 25);
      await loadWithEdit("src/index.ts", bug, root);
      expect(Date.now() - statSync(planted).mtimeMs).toBeLessThan(HOUR_MS);
      expect(existsSync(join(folder, "a-0.mjs"))).toBe(true);
      await loadWithEdit("src/index.ts", null, root);
      expect([existsSync(planted), existsSync(join(folder, "a-0.mjs"))]).toEqual([true, false]);
    });
  });

  test.each([
    ["whose text is gone", { find: "a * b" }, "no longer there in src/sum.ts"],
    ["whose text is there twice", { find: "number" }, "there 3 times in src/sum.ts"],
    ["whose file is not loaded", { file: "src/other.ts" }, "does not load src/other.ts"],
    ["that changes nothing", { replace: "a + b" }, "changes nothing in src/sum.ts"],
    ["that does not parse", { replace: "a +" }, "does not build"],
  ])("an edit %s fails and names the bug", async (_, change, words) => {
    const loading = loadWithEdit("src/index.ts", { ...bug, ...change }, project());
    await expect(loading).rejects.toThrow(PlantError);
    await expect(loading).rejects.toThrow("planted bug wrong-sum");
    await expect(loading).rejects.toThrow(words);
  });

  test("a place in the bundle is told as the place in the source", async () => {
    const root = project();
    const stack = String(member(await loadWithEdit("src/index.ts", bug, root), "place")());
    const line = stack.split("\n").find((text) => text.includes("place")) ?? "";
    expect(sourcePlace(line, root)).toMatch(/\(src\/sum\.ts:4\)/);
  });

  test("dollar signs in a replacement stay text", () => {
    expect(plant({ ...bug, replace: "'$&'" }, "x = a + b;")).toBe("x = '$&';");
  });
});
