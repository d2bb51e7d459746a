/**
 * Rules: each file says at its top what it is, and comments are neither missing nor drowning the code.
 *
 * The house aims at 15 to 30 % of lines; the rule leaves slack on both sides and leaves out tests and files of
 * up to 40 lines, where one paragraph decides the share. A file without a function body holds declarations only:
 * there the comments are the contract, and up to half the lines may be theirs. Whether a comment says why cannot
 * be seen from here.
 */
import ts from "typescript";
import type { CodeFile, Finding, Rule } from "./tree.ts";
import { walk } from "./tree.ts";

const SHARE = { min: 10, max: 40, maxOfDeclarations: 50 } as const;
const SHORT_FILE_LINES = 40;

export const fileHeader: Rule = {
  name: "file-header",
  claim: "has a header on every file",
  check: (tree) => tree.code.flatMap(checkHeader),
};

function checkHeader(file: CodeFile): Finding[] {
  const text = file.text.replace(/^#!.*\n/, "");
  const header = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1];
  if (header === undefined) {
    const message = "does not start with a /** header */; say in a sentence or more what the file owns";
    return [{ path: file.path, line: 1, message }];
  }
  const words = header.replace(/^\s*\*/gm, " ").trim();
  if (/\S+\s+\S+\s+\S+.*[.:?]/s.test(words)) return [];
  const message =
    "has a header without a sentence; say what the file owns, what it does not, and its invariants";
  return [{ path: file.path, line: 1, message }];
}

export const commentShare: Rule = {
  name: "comment-share",
  claim: `has ${SHARE.min} to ${SHARE.max} % comment lines in every file of more than ${SHORT_FILE_LINES} lines`,
  check: (tree) =>
    tree.code
      .filter((file) => !file.isTest && file.lines > SHORT_FILE_LINES)
      .flatMap((file) => {
        const share = Math.round((100 * file.commentOnly) / file.lines);
        const max = isDeclarationsOnly(file) ? SHARE.maxOfDeclarations : SHARE.max;
        if (share >= SHARE.min && share <= max) return [];
        const advice =
          share < SHARE.min
            ? "say in the header what it owns, what it does not, and its invariants by number"
            : "leave out what the code says already";
        const message = `has ${share} % comment lines, ${SHARE.min} to ${max} % are allowed; ${advice}`;
        return [{ path: file.path, line: 1, message }];
      }),
};

function isDeclarationsOnly(file: CodeFile): boolean {
  let bodies = 0;
  walk(file.ast, (node) => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) bodies++;
  });
  return bodies === 0;
}
