/**
 * Rule: no import cycles, types included.
 *
 * Reports a shortest cycle through a file, and no file twice. A knot of files may hold more cycles than are
 * reported; they show when these are cut.
 */
import { importGraph } from "./imports.ts";
import type { Finding, Rule } from "./tree.ts";

type Graph = ReadonlyMap<string, ReadonlyMap<string, number>>;

export const importCycles: Rule = {
  name: "import-cycles",
  claim: "has no import cycle",
  check: (tree) => {
    const graph = importGraph(tree);
    const reported = new Set<string>();
    const findings: Finding[] = [];
    for (const path of [...graph.keys()].sort()) {
      if (reported.has(path)) continue;
      const cycle = shortestCycle(graph, path);
      if (cycle === null) continue;
      for (const member of cycle) reported.add(member);
      const line = graph.get(path)?.get(cycle[1] ?? path) ?? 1;
      const message = `is in an import cycle: ${cycle.join(" -> ")}; move what both sides need to a file that imports neither`;
      findings.push({ path, line, message });
    }
    return findings;
  },
};

/** The files of a shortest cycle from `start` back to it, both ends included; null when there is none. */
function shortestCycle(graph: Graph, start: string): readonly string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const next of graph.get(path)?.keys() ?? []) {
      if (next === start) return [...wayTo(path, cameFrom, start), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, path);
      queue.push(next);
    }
  }
  return null;
}

function wayTo(path: string, cameFrom: ReadonlyMap<string, string>, start: string): string[] {
  const way = [path];
  for (let at = path; at !== start; ) {
    at = cameFrom.get(at) ?? start;
    way.unshift(at);
  }
  return way;
}
