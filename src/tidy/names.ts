/**
 * Rules: names say what a thing is, and the top level stays the architecture.
 *
 * A file called after a heap collects one. Whether a good name is the right one cannot be seen from here.
 */
import { isIn, ROOTS, TOP_LEVEL } from "./places.ts";
import type { Finding, Rule } from "./tree.ts";

const HEAPS = /^(utils?|helpers?|misc|common|managers?)$/;

export const fileNames: Rule = {
  name: "file-names",
  claim: "has no file or folder named after a heap",
  check: (tree) =>
    [...tree.paths].sort().flatMap((path): Finding[] => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const heap = name.split(/[-._]/).find((word) => HEAPS.test(word.toLowerCase()));
      if (heap === undefined || !isIn(path, ROOTS)) return [];
      return [{ path, line: 1, message: `is named after a heap ("${heap}"); name the one noun it owns` }];
    }),
};

export const topLevel: Rule = {
  name: "top-level",
  claim: "has at its top level only the parts of the architecture and the files of the tools",
  check: (tree) =>
    tree.entries
      .filter((entry) => !TOP_LEVEL.includes(entry))
      .map((path) => ({
        path,
        line: 1,
        message: `does not belong at the top level; move it into ${ROOTS.join(", ")}, or delete it`,
      })),
};
