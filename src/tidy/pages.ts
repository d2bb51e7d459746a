/**
 * Rules: every top-level folder has its architecture page, which names all folders in it, and no page names a file
 * that is not there.
 *
 * Looks at the targets of relative links, and at code spans that look like paths of the project. Fenced blocks
 * are left out (tests run their commands), and so are paths with placeholders and paths that tools generate.
 */
import { posix } from "node:path";
import { GENERATED, ROOTS, TOP_LEVEL } from "./places.ts";
import type { Finding, Rule, Source, Tree } from "./tree.ts";

const PAGE_SENTENCES = 3;

export const folderPages: Rule = {
  name: "folder-pages",
  claim: "has an architecture page in every top-level folder, which names the folders in it",
  check: (tree) =>
    ROOTS.flatMap((root): Finding[] => {
      const path = `${root}/README.md`;
      const page = tree.pages.find((one) => one.path === path);
      if (page === undefined) {
        const message = "is missing; say what lives in the folder, what it may import, and its rules";
        return [{ path, line: 1, message }];
      }
      const unnamed = foldersIn(root, tree).filter((name) => !page.text.match(`\`${name}/?\``));
      const sentences = page.text.match(/[a-z`)][.:](\s|$)/g)?.length ?? 0;
      return [
        ...unnamed.map((name) => ({
          path,
          line: 1,
          message: `does not name the folder ${name}; say what lives in it`,
        })),
        ...(sentences >= PAGE_SENTENCES
          ? []
          : [
              { path, line: 1, message: `has ${sentences} sentences; say what the folder holds and imports` },
            ]),
      ];
    }),
};

/** The names of the folders that lie directly in this one. */
function foldersIn(root: string, tree: Tree): readonly string[] {
  const below = [...tree.paths].map((path) => path.split("/")).filter(([top]) => top === root);
  return [...new Set(below.flatMap(([, name, inside]) => (name && inside ? [name] : [])))];
}

export const pageLinks: Rule = {
  name: "page-links",
  claim: "names in its pages only files that exist",
  check: (tree) => tree.pages.flatMap((page) => checkPage(page, tree)),
};

function checkPage(page: Source, tree: Tree): Finding[] {
  const folder = posix.dirname(page.path);
  let fenced = false;
  return page.text.split("\n").flatMap((text, index): Finding[] => {
    if (/^\s*(```|~~~)/.test(text)) fenced = !fenced;
    if (fenced) return [];
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map((match) => match[1] ?? "");
    const spans = [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
    const missing = [
      ...links.filter((link) => !/^[a-z]+:/.test(link) && !exists(link, [folder], tree)),
      ...spans.filter((span) => looksLikePath(span) && !exists(span, [".", folder], tree)),
    ];
    return missing.map((path) => ({
      path: page.path,
      line: index + 1,
      message: `names ${path}, which does not exist; mend the path or the page`,
    }));
  });
}

/** A top-level name and what lies below it, or anything with a slash that ends like one of our files. */
function looksLikePath(span: string): boolean {
  if (/[\s<>{}…$]/.test(span) || span.includes("://") || span.startsWith("@")) return false;
  const [first = "", ...rest] = span.split("/");
  if (rest.length === 0) return /\.(ts|md|json)$/.test(span) && !span.startsWith(".");
  return TOP_LEVEL.includes(first) || /\.(ts|md|json)$/.test(span);
}

function exists(path: string, bases: readonly string[], tree: Tree): boolean {
  const star = path.indexOf("*");
  const plain = (star === -1 ? path : path.slice(0, path.lastIndexOf("/", star))).replace(/\/$/, "");
  return bases.some((base) => {
    const full = posix.join(base, plain).replace(/\/$/, "");
    return full === "." || tree.paths.has(full) || tree.entries.includes(full) || GENERATED.test(full);
  });
}
