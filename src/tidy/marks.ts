/**
 * Rules: nothing is left for later without saying so elsewhere, and every test runs and can fail.
 *
 * A note in a comment is forgotten; an issue is not. Not covered: a test that calls the code and asserts nothing
 * of its answer. A test is known to be empty only when it has no statement or holds a literal against itself.
 */
import ts from "typescript";
import type { CodeFile, Finding, Rule } from "./tree.ts";
import { lineOf, walk } from "./tree.ts";

// Put together, so that a search for the words finds only what is meant.
const LATER = new RegExp(
  `\\b(${["TO", "FIX", "X"].map((head, i) => head + ["DO", "ME", "XX"][i]).join("|")})\\b`,
);
const SUITES = new Set(["describe", "it", "test"]);
// `skipIf` and `runIf` stay: a suite may leave out what a store has no means for, and says so by name.
const SWITCHES = new Set(["skip", "only", "todo"]);
const SWITCHED = new Set(["xit", "xdescribe", "xtest", "fit", "fdescribe"]);

export const nothingForLater: Rule = {
  name: "nothing-for-later",
  claim: "leaves no work for later in a comment",
  check: (tree) => {
    const ofCode = tree.code.flatMap(({ path, comments }) => comments.map((one) => ({ path, ...one })));
    const ofPages = tree.pages.flatMap(({ path, text }) =>
      text.split("\n").map((line, index) => ({ path, line: index + 1, text: line })),
    );
    return [...ofCode, ...ofPages]
      .filter(({ text }) => LATER.test(text))
      .map(({ path, line }) => ({ path, line, message: "leaves work for later; do it, or open an issue" }));
  },
};

export const testsRun: Rule = {
  name: "tests-run",
  claim: "has no test that is switched off or that cannot fail",
  check: (tree) => tree.code.filter(({ isTest }) => isTest).flatMap(checkFile),
};

function checkFile(file: CodeFile): Finding[] {
  const findings: Finding[] = [];
  walk(file.ast, (node) => {
    const message = ts.isIdentifier(node) ? switched(node) : ts.isCallExpression(node) ? empty(node) : null;
    if (message !== null) findings.push({ path: file.path, line: lineOf(file, node), message });
  });
  return findings;
}

/** A test, or a whole suite, that does not run or keeps others from running. */
function switched(id: ts.Identifier): string | null {
  const { parent } = id;
  if (SWITCHED.has(id.text) && ts.isCallExpression(parent) && parent.expression === id) {
    return `uses ${id.text}; let every test run, or delete it`;
  }
  if (!SWITCHES.has(id.text) || !ts.isPropertyAccessExpression(parent) || parent.name !== id) return null;
  let root: ts.Expression = parent.expression;
  while (ts.isPropertyAccessExpression(root) || ts.isCallExpression(root)) root = root.expression;
  if (!ts.isIdentifier(root) || !SUITES.has(root.text)) return null;
  return `uses ${root.text}.${id.text}; let every test run, or delete it`;
}

/** A test without a statement, or an expectation of a literal. */
function empty(call: ts.CallExpression): string | null {
  if (!ts.isIdentifier(call.expression)) return null;
  const name = call.expression.text;
  const [first, second] = call.arguments;
  if (name === "expect" && first !== undefined && isLiteral(first)) {
    return `expects something of ${first.getText()}; expect something of what the code answered`;
  }
  if (!SUITES.has(name) || second === undefined || !ts.isArrowFunction(second)) return null;
  const { body } = second;
  return ts.isBlock(body) && body.statements.length === 0
    ? "has no statement; assert the claim of its title"
    : null;
}

function isLiteral(node: ts.Expression): boolean {
  const { kind } = node;
  return (
    ts.isLiteralExpression(node) || kind === ts.SyntaxKind.TrueKeyword || kind === ts.SyntaxKind.FalseKeyword
  );
}
