/**
 * Keys as paths of plain files, and back.
 *
 *   Y1  exact: two keys never have one path, and every path that is one gives its key back.
 *   Y2  safe: a path is made of `A-Z a-z 0-9 _ - . @ = % + /` alone, no part of it begins with a dot, none is empty and
 *       none is longer than a file system takes. So no key leads out of the folder.
 *   Y3  a key that ends in `.json` is a file of that name, so that a person finds it.
 *
 * How: parts between `/` are folders. Any other byte of UTF-8, and a dot in front, is `%XX`; an empty part is `%`; a long
 * part is cut, where one piece ends in `%-` and the next begins with `%+`. A file ends in `.json`, or has `.object` added; a folder whose
 * name would look like a file's has its last dot as `%2E`. So a key may also be the folder of others.
 */

const PLAIN = /^[A-Za-z0-9_@=.-]$/;
const ADDED = ".object";
const CUT = "%-";
const GOES_ON = "%+";
/** Characters of one part. Most file systems take 255 bytes. */
const LONGEST = 200;

/** The path of a key, with `/`. */
export function pathOfKey(key: string): string {
  const parts = key.split("/").map(escaped);
  const file = parts.pop() ?? "";
  return [...parts.flatMap((part) => pieces(folderName(part))), ...pieces(fileName(file))].join("/");
}

/** The key whose path this is, or null. */
export function keyOfPath(path: string): string | null {
  const joined = path.replaceAll(`${CUT}/${GOES_ON}`, "");
  const parts = joined.split("/");
  const file = parts.pop() ?? "";
  const last = file.endsWith(ADDED) ? file.slice(0, -ADDED.length) : file;
  try {
    const key = [...parts, last].map(unescaped).join("/");
    // Y1: whatever is spelled in another way is none.
    return pathOfKey(key) === path ? key : null;
  } catch {
    return null;
  }
}

function escaped(part: string): string {
  if (part === "") return "%";
  let text = "";
  for (const character of part)
    text += PLAIN.test(character) && !(text === "" && character === ".") ? character : bytesOf(character);
  return text;
}

function bytesOf(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}

/** Throws where it is no text that `escaped` made. */
function unescaped(part: string): string {
  return part === "%" ? "" : decodeURIComponent(part);
}

function fileName(part: string): string {
  return part.endsWith(".json") ? part : part + ADDED;
}

function folderName(part: string): string {
  return part.replace(/\.(json|object)$/, "%2E$1");
}

function pieces(name: string): readonly string[] {
  const found: string[] = [];
  let rest = name;
  while (rest.length > LONGEST) {
    // No `%XX` is cut through.
    const at = [LONGEST, LONGEST - 1, LONGEST - 2].find((end) => !/%.?$/.test(rest.slice(0, end))) ?? LONGEST;
    found.push(rest.slice(0, at) + CUT);
    rest = GOES_ON + rest.slice(at);
  }
  return [...found, rest];
}
