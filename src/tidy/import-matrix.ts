/**
 * Rule: a file imports only what the architecture lets it (`places.ts` holds the tables).
 *
 * Types count like values: a type that comes from the wrong side ties the two sides together just as well.
 *
 *   M1  Between the parts of the project only the arrows of MATRIX are allowed; a relative import names a file.
 *   M2  A package is imported only where PACKAGES says, so that each has one owner and can be replaced there.
 *   M3  Node's own modules reach the machine; outside AMBIENT_PLACES only their pure functions are allowed.
 *   M4  Tests may import test packages and Node's modules; M1 holds for them too, with MATRIX_OF_TESTS added.
 */
import type { Import } from "./imports.ts";
import { importsOf, resolve } from "./imports.ts";
import {
  AMBIENT_PLACES,
  isIn,
  MATRIX,
  MATRIX_OF_TESTS,
  PACKAGES,
  PURE_BUILTINS,
  TEST_PACKAGES,
  zoneOf,
} from "./places.ts";
import type { CodeFile, Finding, Rule, Tree } from "./tree.ts";

export const importMatrix: Rule = {
  name: "import-matrix",
  claim: "imports only along the arrows of the architecture",
  check: (tree) => tree.code.flatMap((file) => checkFile(file, tree)),
};

function checkFile(file: CodeFile, tree: Tree): Finding[] {
  if (MATRIX[zoneOf(file.path)] === undefined) {
    const message = `${zoneOf(file.path)} is no part of the architecture; move the file, or add a row to MATRIX in src/tidy/places.ts`;
    return [{ path: file.path, line: 1, message }];
  }
  return importsOf(file).flatMap((found) => {
    const message = problem(file, found, tree);
    return message === null ? [] : [{ path: file.path, line: found.line, message }];
  });
}

function problem(file: CodeFile, found: Import, tree: Tree): string | null {
  const { specifier } = found;
  if (specifier === null) {
    if (file.isTest || isIn(file.path, AMBIENT_PLACES)) return null;
    return "imports a computed name, which nobody can check; name the module";
  }
  if (specifier.startsWith("node:")) return builtinProblem(file, specifier, found);
  return specifier.startsWith(".") ? relativeProblem(file, specifier, tree) : packageProblem(file, specifier);
}

/** M1. */
function relativeProblem(file: CodeFile, specifier: string, tree: Tree): string | null {
  const target = resolve(file, specifier);
  if (target === "package.json" && file.isTest) return null;
  if (!tree.paths.has(target) || !/\.(ts|json)$/.test(target)) {
    return `imports ${specifier}, which is no file; write the path in full, with its .ts`;
  }
  const zone = zoneOf(file.path);
  if (zoneOf(target) === zone) return null;
  const allowed = [...(MATRIX[zone] ?? []), ...((file.isTest && MATRIX_OF_TESTS[zone]) || [])];
  if (isIn(target, allowed)) return null;
  const list = allowed.length === 0 ? "nothing but itself" : allowed.join(", ");
  return `imports ${target}; ${zone} may import ${list}; take what you need as a parameter, or move it to where both may see it`;
}

/** M2 and the first half of M4. */
function packageProblem(file: CodeFile, specifier: string): string | null {
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  const places = PACKAGES[name];
  const mayLoad = places !== undefined && isIn(file.path, places);
  if (TEST_PACKAGES.includes(name) && !mayLoad) {
    return file.isTest ? null : `imports ${name}, which only tests have; move this to a *.test.ts`;
  }
  if (places === undefined) {
    return `imports the package ${name}, which nobody may; use what src/std has, write node: before a module of Node, or add a row to PACKAGES in src/tidy/places.ts`;
  }
  if (isIn(file.path, places)) return null;
  return `imports the package ${name}, which only ${places.join(", ")} may; use what that place offers`;
}

/** M3. */
function builtinProblem(file: CodeFile, specifier: string, found: Import): string | null {
  if (file.isTest || isIn(file.path, AMBIENT_PLACES)) return null;
  const pure = PURE_BUILTINS[specifier];
  if (pure !== undefined && isIn(file.path, pure.places)) {
    if (found.names?.every((name) => pure.names.includes(name))) return null;
    return `imports more of ${specifier} than ${pure.names.join(", ")}; the rest is not pure: use a port (src/ports)`;
  }
  return `imports ${specifier}; only ${AMBIENT_PLACES.join(", ")} and tests may touch the machine: use a port (src/ports) or src/std`;
}
