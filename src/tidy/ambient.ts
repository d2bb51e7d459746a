/**
 * Rule: no ambient time, randomness, network, process or output outside the places that own them.
 *
 * One such call makes a run differ from its replay. The linter says the same of most of these names while one
 * types; this rule also sees members (`Math.random`) and ways around (`globalThis`). What reaches the machine
 * through a package is kept out by the import matrix; what is left is caught by the trap of `sim/kernel` at run
 * time. Tests may use what they like: they prove, they are not replayed.
 */
import ts from "typescript";
import { AMBIENT_PLACES, isIn } from "./places.ts";
import { isGlobalReference } from "./scope.ts";
import type { CodeFile, Finding, Rule } from "./tree.ts";
import { lineOf, walk } from "./tree.ts";

const CLOCK = "use Clock (src/ports/clock.ts)";

/** Banned globals, each with what to use instead. */
const GLOBALS: { readonly [name: string]: string } = {
  Date: CLOCK,
  performance: `${CLOCK}: monotonicMs`,
  setTimeout: `${CLOCK}: sleep`,
  setInterval: `${CLOCK}: a loop over sleep`,
  setImmediate: `${CLOCK}: sleep`,
  clearTimeout: `${CLOCK}: sleep`,
  clearInterval: `${CLOCK}: sleep`,
  crypto: "use Ids (src/ports/ids.ts) for identifiers, src/std/hash.ts for hashes",
  fetch: "use a port with an adapter in src/adapters",
  process: "take settings as parameters; src/cli and src/adapters read the process",
  console: "use Trace (src/ports/trace.ts); src/cli prints",
  globalThis: "name what you need as a port or a parameter",
  global: "name what you need as a port or a parameter",
};

/** Banned members of globals that are otherwise fine. */
const MEMBERS: { readonly [name: string]: { readonly [member: string]: string } } = {
  Math: {
    random: "use Random (src/ports/random.ts), in sim a draw from ChoiceSource (sim/kernel/choice.ts)",
  },
  AbortSignal: { timeout: `${CLOCK}: sleep` },
};

export const ambientCalls: Rule = {
  name: "ambient-calls",
  claim: "has no ambient clock, randomness, timer, network, process or console",
  check: (tree) =>
    tree.code.filter((file) => !file.isTest && !isIn(file.path, AMBIENT_PLACES)).flatMap(checkFile),
};

function checkFile(file: CodeFile): Finding[] {
  const findings: Finding[] = [];
  walk(file.ast, (node) => {
    if (!ts.isIdentifier(node) || !isGlobalReference(node)) return;
    const found = problem(node);
    if (found === null) return;
    findings.push({ path: file.path, line: lineOf(file, node), message: found });
  });
  return findings;
}

function problem(id: ts.Identifier): string | null {
  const instead = Object.hasOwn(GLOBALS, id.text) ? GLOBALS[id.text] : undefined;
  if (instead !== undefined) return `uses the ambient ${id.text}; ${instead}`;
  const members = Object.hasOwn(MEMBERS, id.text) ? MEMBERS[id.text] : undefined;
  if (members === undefined || ts.isTypeNode(id.parent)) return null;
  const member = memberOf(id);
  if (member === null)
    return `takes ${id.text} as a whole; name the member, so that ${id.text} can be checked`;
  const better = Object.hasOwn(members, member) ? members[member] : undefined;
  return better === undefined ? null : `uses the ambient ${id.text}.${member}; ${better}`;
}

/** The member that is taken from `id`, or null when it is not said in the text. */
function memberOf(id: ts.Identifier): string | null {
  const { parent } = id;
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text;
  if (!ts.isElementAccessExpression(parent)) return null;
  return ts.isStringLiteralLike(parent.argumentExpression) ? parent.argumentExpression.text : null;
}
