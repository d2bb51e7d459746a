/**
 * Imports as data: every place where a file names another module.
 *
 * Sees static imports and exports, `import()` of a literal and of a computed name, `import("…")` types, and
 * `require`. Does not see names that are put together and handed to a loader by other means.
 */
import { posix } from "node:path";
import ts from "typescript";
import type { CodeFile, Tree } from "./tree.ts";
import { lineOf, walk } from "./tree.ts";

export interface Import {
  readonly line: number;
  /** The module's name as written; null when it is computed. */
  readonly specifier: string | null;
  /** The names taken from it; null when the whole module is taken. */
  readonly names: readonly string[] | null;
}

/** Every import of a file, in the order of the text. */
export function importsOf(file: CodeFile): readonly Import[] {
  const found: Import[] = [];
  walk(file.ast, (node) => {
    const named = specifierOf(node);
    if (named === undefined) return;
    const specifier = named !== null && ts.isStringLiteralLike(named) ? named.text : null;
    found.push({ line: lineOf(file, node), specifier, names: namesOf(node) });
  });
  return found;
}

/** The node that names the module; null when there is none; undefined when `node` imports nothing. */
function specifierOf(node: ts.Node): ts.Node | null | undefined {
  if (ts.isImportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : null;
  if (!ts.isCallExpression(node)) return undefined;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === "require";
  return isImport || isRequire ? (node.arguments[0] ?? null) : undefined;
}

function namesOf(node: ts.Node): readonly string[] | null {
  if (!ts.isImportDeclaration(node)) return null;
  const clause = node.importClause;
  if (clause === undefined || clause.name !== undefined || clause.namedBindings === undefined) return null;
  if (!ts.isNamedImports(clause.namedBindings)) return null;
  return clause.namedBindings.elements.map((element) => (element.propertyName ?? element.name).text);
}

/** The path of a relative import, whether or not it exists. */
export function resolve(file: CodeFile, specifier: string): string {
  return posix.join(posix.dirname(file.path), specifier);
}

/** Which files of the tree each file imports, with the line. */
export function importGraph(tree: Tree): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const known = new Set(tree.code.map(({ path }) => path));
  const graph = new Map<string, ReadonlyMap<string, number>>();
  for (const file of tree.code) {
    const targets = new Map<string, number>();
    for (const { specifier, line } of importsOf(file)) {
      if (specifier === null || !specifier.startsWith(".")) continue;
      const target = resolve(file, specifier);
      if (known.has(target) && !targets.has(target)) targets.set(target, line);
    }
    graph.set(file.path, targets);
  }
  return graph;
}
