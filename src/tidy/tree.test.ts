/**
 * Risk: a rule that takes a string for code, or code for a comment, reports what is right or misses what is wrong.
 */
import { expect, it } from "vitest";
import { treeOf } from "./tree.ts";

function parse(text: string) {
  const [file] = treeOf([{ path: "src/std/a.ts", text }]).code;
  if (file === undefined) throw new Error("no file was parsed");
  return file;
}

it("finds comments before, after and between tokens", () => {
  const file = parse("/** Head. */\nconst a = 1; // after\nf(/* between */ a);\n/* last\n   of all */\n");
  expect(file.comments).toEqual([
    { line: 1, text: "/** Head. */" },
    { line: 2, text: "// after" },
    { line: 3, text: "/* between */" },
    { line: 4, text: "/* last" },
    { line: 5, text: "of all */" },
  ]);
});

it("counts as comment lines only lines without code", () => {
  expect(parse("/** Head.\n *\n */\nconst a = 1; // after\n\n// own\n").commentOnly).toBe(4);
});

it("takes nothing inside strings, templates and patterns for a comment", () => {
  const file = parse('const a = "// no"; const b = `\n// no\n$' + "{a} /* no */`; const c = /\\/\\/ no/;\n");
  expect(file.comments).toEqual([]);
});

it("counts doc comments of members once", () => {
  expect(parse("interface A {\n  /** One. */\n  readonly a: 1;\n}\n").comments).toHaveLength(1);
});

it("counts lines as an editor does", () => {
  expect(parse("").lines).toBe(0);
  expect(parse("a;\nb;\n").lines).toBe(2);
  expect(parse("a;\nb;").lines).toBe(2);
});

it("knows every folder on the way to a file", () => {
  const { paths, entries } = treeOf([{ path: "src/std/a.ts", text: "" }]);
  expect([...paths]).toEqual(["src", "src/std", "src/std/a.ts"]);
  expect(entries).toEqual(["src"]);
});
