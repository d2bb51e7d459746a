/**
 * Scopes: whether an identifier in the text refers to something global.
 *
 * A small stand-in for the type checker, which would take longer than all rules together. It knows declarations
 * of files, blocks, functions, loops, catch clauses and classes. It does not hoist `var`, which the linter
 * forbids, and it looks at values only: a name in a type refers to nothing at run time.
 */
import ts from "typescript";

const declared = new WeakMap<ts.Node, ReadonlySet<string>>();

/** Whether the identifier is a value that nothing in its file declares. */
export function isGlobalReference(id: ts.Identifier): boolean {
  return isReference(id) && !isDeclared(id);
}

function isReference(id: ts.Identifier): boolean {
  const { parent } = id;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) return false;
  if (ts.isTypeNode(parent) && !ts.isExpressionWithTypeArguments(parent)) return false;
  if (ts.isQualifiedName(parent) || ts.isTypePredicateNode(parent)) return false;
  if (ts.isExpressionWithTypeArguments(parent)) return isClassParent(parent);
  if (ts.isBindingElement(parent)) return parent.initializer === id;
  return !("name" in parent && parent.name === id);
}

/** `class X extends Y`, not `interface X extends Y` or `implements Y`. */
function isClassParent(node: ts.ExpressionWithTypeArguments): boolean {
  const clause = node.parent;
  return (
    ts.isHeritageClause(clause) &&
    clause.token === ts.SyntaxKind.ExtendsKeyword &&
    ts.isClassLike(clause.parent)
  );
}

function isDeclared(id: ts.Identifier): boolean {
  for (let scope: ts.Node = id.parent; scope !== undefined; scope = scope.parent) {
    if (namesIn(scope).has(id.text)) return true;
  }
  return false;
}

function namesIn(scope: ts.Node): ReadonlySet<string> {
  const known = declared.get(scope);
  if (known !== undefined) return known;
  const names = new Set<string>();
  if (ts.isSourceFile(scope) || ts.isBlock(scope))
    for (const one of scope.statements) addStatement(one, names);
  if (ts.isCaseBlock(scope)) {
    for (const clause of scope.clauses) for (const one of clause.statements) addStatement(one, names);
  }
  if (ts.isFunctionLike(scope)) for (const parameter of scope.parameters) addBinding(parameter.name, names);
  if (ts.isFunctionExpression(scope) || ts.isClassExpression(scope)) addName(scope.name, names);
  if (ts.isForStatement(scope) || ts.isForInStatement(scope) || ts.isForOfStatement(scope)) {
    const { initializer } = scope;
    if (initializer !== undefined && ts.isVariableDeclarationList(initializer)) addList(initializer, names);
  }
  if (ts.isCatchClause(scope) && scope.variableDeclaration !== undefined) {
    addBinding(scope.variableDeclaration.name, names);
  }
  declared.set(scope, names);
  return names;
}

function addStatement(statement: ts.Statement, names: Set<string>): void {
  if (ts.isVariableStatement(statement)) addList(statement.declarationList, names);
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) addName(statement.name, names);
  if (!ts.isImportDeclaration(statement)) return;
  const clause = statement.importClause;
  addName(clause?.name, names);
  if (clause?.namedBindings === undefined) return;
  if (ts.isNamespaceImport(clause.namedBindings)) addName(clause.namedBindings.name, names);
  else for (const element of clause.namedBindings.elements) addName(element.name, names);
}

function addList(list: ts.VariableDeclarationList, names: Set<string>): void {
  for (const declaration of list.declarations) addBinding(declaration.name, names);
}

function addBinding(binding: ts.BindingName, names: Set<string>): void {
  if (ts.isIdentifier(binding)) names.add(binding.text);
  else
    for (const element of binding.elements) if (ts.isBindingElement(element)) addBinding(element.name, names);
}

function addName(name: ts.Identifier | undefined, names: Set<string>): void {
  if (name !== undefined) names.add(name.text);
}
