/**
 * The project's files as data: what every tidy rule reads.
 *
 * Owns the parsed form of the tree. Each code file is parsed once, here, and all rules share it. Rules are pure
 * functions of a tree, so that a test can hand them a few lines that break them.
 *
 *   T1  Paths are relative to the project's root, with forward slashes.
 *   T2  Lines are counted from 1.
 *   T3  Text inside strings, templates and regular expressions is never taken for a comment or for code.
 */
import ts from "typescript";

/** One file as it is stored. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** One line, or the part of one line, that a comment takes. */
export interface CommentLine {
  readonly line: number;
  readonly text: string;
}

/** A parsed TypeScript file. */
export interface CodeFile extends Source {
  readonly lines: number;
  readonly ast: ts.SourceFile;
  /** Tests and contract suites: never shipped, so some rules are wider for them. */
  readonly isTest: boolean;
  readonly comments: readonly CommentLine[];
  /** Lines that hold a comment and no code. */
  readonly commentOnly: number;
}

export interface Tree {
  readonly code: readonly CodeFile[];
  /** Markdown files. */
  readonly pages: readonly Source[];
  /** The text of `package.json`, or null where there is none. */
  readonly manifest: string | null;
  /** The text of `tsconfig.build.json`, or null where there is none. */
  readonly build: string | null;
  /** Names at the top level. */
  readonly entries: readonly string[];
  /** Every file and every folder that holds one. */
  readonly paths: ReadonlySet<string>;
}

/** A place that breaks a rule. `message` says what is wrong and what to do instead. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

export interface Rule {
  /** kebab-case. */
  readonly name: string;
  /** What holds of the tree when the rule reports nothing, as the end of "the tree …". */
  readonly claim: string;
  check(tree: Tree): readonly Finding[];
}

/** The line a node starts on, its comments apart. */
export function lineOf(file: CodeFile, node: ts.Node): number {
  return lineAt(file.ast, node.getStart(file.ast));
}

export function lineAt(ast: ts.SourceFile, position: number): number {
  return ast.getLineAndCharacterOfPosition(position).line + 1;
}

/** Calls `visit` for the node and everything below it, in the order of the text. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Parses the files and derives the rest. `entries` defaults to what the paths imply. */
export function treeOf(sources: readonly Source[], entries?: readonly string[]): Tree {
  const paths = new Set<string>();
  for (const { path } of sources) {
    const parts = path.split("/");
    for (let end = 1; end <= parts.length; end++) paths.add(parts.slice(0, end).join("/"));
  }
  return {
    code: sources.filter(({ path }) => path.endsWith(".ts")).map(parse),
    pages: sources.filter(({ path }) => path.endsWith(".md")),
    manifest: textOf(sources, "package.json"),
    build: textOf(sources, "tsconfig.build.json"),
    entries: entries ?? [...paths].filter((path) => !path.includes("/")),
    paths,
  };
}

function textOf(sources: readonly Source[], path: string): string | null {
  return sources.find((source) => source.path === path)?.text ?? null;
}

function parse({ path, text }: Source): CodeFile {
  const ast = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TS);
  const comments: CommentLine[] = [];
  const codeLines = new Set<number>();
  // What lies between two tokens and is not blank is a comment (T3).
  eachToken(ast, ast, (from, start, end) => {
    if (end > start) {
      for (let line = lineAt(ast, start); line <= lineAt(ast, end - 1); line++) codeLines.add(line);
    }
    if (start > from) comments.push(...commentLines(ast, text, from, start));
  });
  const commentLinesSeen = new Set(comments.map(({ line }) => line));
  return {
    path,
    text,
    lines: text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    ast,
    isTest: /\.(test|contract)\.ts$/.test(path),
    comments,
    commentOnly: [...commentLinesSeen].filter((line) => !codeLines.has(line)).length,
  };
}

function eachToken(
  ast: ts.SourceFile,
  node: ts.Node,
  visit: (from: number, start: number, end: number) => void,
): void {
  const children = node.getChildren(ast).filter((child) => !isDocComment(child));
  if (children.length === 0 && node.kind !== ts.SyntaxKind.SyntaxList) {
    visit(node.pos, node.getStart(ast, false), node.end);
  }
  for (const child of children) eachToken(ast, child, visit);
}

function isDocComment(node: ts.Node): boolean {
  return node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode;
}

function commentLines(ast: ts.SourceFile, text: string, from: number, to: number): CommentLine[] {
  const first = lineAt(ast, from);
  return text
    .slice(from, to)
    .split("\n")
    .map((part, index) => ({ line: first + index, text: part.trim() }))
    .filter((part) => part.text !== "");
}
