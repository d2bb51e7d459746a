/**
 * Rules: files and functions stay small.
 *
 *   Z1  A file has at most 500 lines; no file is exempt by name.
 *   Z2  Half the files have at most 130 lines.
 *   Z3  A function has at most 70 lines. The callbacks of `describe`, `it` and their kin are taken out of what
 *       surrounds them and measured each by itself: a suite is a list, not a function.
 */
import ts from "typescript";
import type { CodeFile, Finding, Rule } from "./tree.ts";
import { lineAt, lineOf, walk } from "./tree.ts";

const FILE_LINES = 500;
const MEDIAN_LINES = 130;
const FUNCTION_LINES = 70;
const SUITE = new Set(["describe", "it", "test", "beforeEach", "afterEach", "beforeAll", "afterAll"]);

export const fileLength: Rule = {
  name: "file-length",
  claim: `has no file over ${FILE_LINES} lines`,
  check: (tree) =>
    tree.code
      .filter(({ lines }) => lines > FILE_LINES)
      .map(({ path, lines }) => ({
        path,
        line: FILE_LINES + 1,
        message: `has ${lines} lines, at most ${FILE_LINES} are allowed; give one of its nouns a file of its own`,
      })),
};

export const medianLength: Rule = {
  name: "median-length",
  claim: `has half its files within ${MEDIAN_LINES} lines`,
  check: (tree) => {
    const sorted = [...tree.code].sort((a, b) => b.lines - a.lines);
    const median = sorted[Math.floor(sorted.length / 2)]?.lines ?? 0;
    if (median <= MEDIAN_LINES) return [];
    const longest = sorted.slice(0, 5).map(({ path, lines }) => `${path} (${lines})`);
    const message = `the median of ${sorted.length} files is ${median} lines, at most ${MEDIAN_LINES} are allowed; split the longest first: ${longest.join(", ")}`;
    return [{ path: ".", line: 1, message }];
  },
};

export const functionLength: Rule = {
  name: "function-length",
  claim: `has no function over ${FUNCTION_LINES} lines`,
  check: (tree) => tree.code.flatMap(longFunctions),
};

function longFunctions(file: CodeFile): Finding[] {
  const findings: Finding[] = [];
  walk(file.ast, (node) => {
    if (!ts.isFunctionLike(node) || !("body" in node) || node.body === undefined) return;
    const lines = spanOf(file, node) - suiteLines(file, node);
    if (lines <= FUNCTION_LINES) return;
    const message = `${nameOf(node)} has ${lines} lines, at most ${FUNCTION_LINES} are allowed; name its steps as functions`;
    findings.push({ path: file.path, line: lineOf(file, node), message });
  });
  return findings;
}

function spanOf(file: CodeFile, node: ts.Node): number {
  return lineAt(file.ast, node.end) - lineOf(file, node) + 1;
}

/** Lines of the outermost suite callbacks inside a function. */
function suiteLines(file: CodeFile, outer: ts.Node): number {
  let lines = 0;
  const visit = (node: ts.Node): void => {
    if (node !== outer && isSuiteCallback(node)) lines += spanOf(file, node);
    else ts.forEachChild(node, visit);
  };
  visit(outer);
  return lines;
}

function isSuiteCallback(node: ts.Node): boolean {
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false;
  if (!ts.isCallExpression(node.parent)) return false;
  let callee: ts.Expression = node.parent.expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  return ts.isIdentifier(callee) && SUITE.has(callee.text);
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named === undefined ? "a function without a name" : named.getText();
}
