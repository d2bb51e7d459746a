/**
 * Rule: what the build leaves out is used by tests alone.
 *
 * The compiler follows imports, so a helper of tests that shipped code imports is shipped in spite of its place in
 * `exclude`. Patterns with `**` name tests and contract suites, which the import matrix keeps apart. Not covered: a
 * helper of tests that nobody put there.
 */
import { importGraph } from "./imports.ts";
import { isIn } from "./places.ts";
import type { Finding, Rule, Tree } from "./tree.ts";

const BUILD = "tsconfig.build.json";

export const testSupport: Rule = {
  name: "test-support",
  claim: "uses what the build leaves out in tests alone",
  check: (tree) => {
    const leftOut = leftOutOf(tree);
    const graph = importGraph(tree);
    const shipped = tree.code.filter(({ path, isTest }) => !isTest && !isIn(path, leftOut));
    return [
      ...leftOut.filter((path) => !tree.paths.has(path)).map((path) => gone(tree, path)),
      ...shipped.flatMap(({ path }) =>
        [...(graph.get(path) ?? [])]
          .filter(([target]) => isIn(target, leftOut))
          .map(([target, line]): Finding => {
            const message = `imports ${target}, which the build leaves out; take it off the list or do without it`;
            return { path, line, message };
          }),
      ),
    ];
  },
};

function leftOutOf(tree: Tree): readonly string[] {
  // Nothing else reads this file, and what is no path of the tree is reported.
  const { exclude = [] } = JSON.parse(tree.build ?? "{}") as { readonly exclude?: readonly string[] };
  return exclude.filter((pattern) => !pattern.includes("*"));
}

function gone(tree: Tree, path: string): Finding {
  const index = (tree.build ?? "").split("\n").findIndex((line) => line.includes(`"${path}"`));
  return { path: BUILD, line: index + 1, message: `leaves out ${path}, which does not exist; mend the path` };
}
