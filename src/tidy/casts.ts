/**
 * Rule: nothing switches the type checker off without a reason.
 *
 * `any`, the non-null `!`, casts and the compiler's ignore comments. A comment on the same line or the line
 * above counts as the reason; whether it is a good one is for people. Adapters and tests meet untyped values at
 * their edge and are left out. `as const` is no cast: it only narrows.
 */
import ts from "typescript";
import { isIn } from "./places.ts";
import type { CodeFile, Finding, Rule } from "./tree.ts";
import { lineAt, lineOf, walk } from "./tree.ts";

export const typeEscapes: Rule = {
  name: "type-escapes",
  claim: "gives a reason for every any, !, cast and ignored type error",
  check: (tree) =>
    tree.code.filter((file) => !file.isTest && !isIn(file.path, ["src/adapters"])).flatMap(checkFile),
};

function checkFile(file: CodeFile): Finding[] {
  const commented = new Set(file.comments.map(({ line }) => line));
  const messages = new Map<number, string>();
  walk(file.ast, (node) => {
    const message = problem(node);
    if (message === null) return;
    const first = lineOf(file, node);
    const last = lineAt(file.ast, node.end);
    if (commented.has(first - 1) || commented.has(first) || commented.has(last)) return;
    if (!messages.has(first)) messages.set(first, message);
  });
  for (const { line, text } of file.comments) {
    if (!/@ts-(ignore|nocheck)/.test(text)) continue;
    messages.set(line, "ignores type errors; mend the type, or use @ts-expect-error with the reason");
  }
  return [...messages].map(([line, message]) => ({ path: file.path, line, message }));
}

function problem(node: ts.Node): string | null {
  const orReason = "or say in a comment on the line why it cannot be avoided";
  if (node.kind === ts.SyntaxKind.AnyKeyword) return `uses any; use unknown and narrow it, ${orReason}`;
  if (ts.isNonNullExpression(node)) return `uses !; use present() of src/std/assert.ts, ${orReason}`;
  if (ts.isTypeAssertionExpression(node)) return `casts a value; narrow with a type guard, ${orReason}`;
  if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) {
    return `casts a value; narrow with a type guard or use satisfies, ${orReason}`;
  }
  return null;
}
