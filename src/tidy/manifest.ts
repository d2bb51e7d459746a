/**
 * Rules: the package pins what it uses and opens only its public faces.
 *
 * A range lets two clones of one commit run different code, and then a seed no longer names a run. A path that
 * is not in `exports` cannot be imported by users, so it may change freely.
 */
import type { Finding, Rule, Tree } from "./tree.ts";

const EXPORTS = [".", "./sim", "./ports", "./package.json"];
const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** The parts of `package.json` that the rules read. */
interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly exports?: Record<string, unknown>;
}

export const pinnedVersions: Rule = {
  name: "pinned-versions",
  claim: "pins every package to one version",
  check: (tree) => {
    const { dependencies, devDependencies } = read(tree);
    return Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, version]) => !EXACT.test(version))
      .map(([name, version]) =>
        at(tree, `"${name}"`, `asks for ${name} ${version}; pin the exact version that was tested`),
      );
  },
};

export const packageExports: Rule = {
  name: "package-exports",
  claim: `exports exactly ${EXPORTS.join(", ")}`,
  check: (tree) => {
    const found = Object.keys(read(tree).exports ?? {});
    return [
      ...found
        .filter((name) => !EXPORTS.includes(name))
        .map((name) =>
          at(tree, `"${name}"`, `exports ${name}; deeper paths stay closed: export it from a face`),
        ),
      ...EXPORTS.filter((name) => !found.includes(name)).map((name) =>
        at(tree, `"exports"`, `does not export ${name}; users rely on it`),
      ),
    ];
  },
};

function read(tree: Tree): Manifest {
  // Nothing else reads these fields, and the rules look at each value before they use it.
  return JSON.parse(tree.manifest ?? "{}") as Manifest;
}

function at(tree: Tree, text: string, message: string): Finding {
  const index = (tree.manifest ?? "").split("\n").findIndex((line) => line.includes(text));
  return { path: "package.json", line: index + 1, message };
}
