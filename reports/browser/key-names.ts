/**
 * Short names for keys, so that a lane's head and a sentence can hold them.
 *
 * Knows nothing of what keys mean: it leaves out the folders that all keys share, a final `.json`, the middle of
 * long hexadecimal numbers and the zeroes in front of padded ones.
 */

export interface KeyName {
  /** The folders of the key that not all keys share; may be empty. */
  readonly folder: string;
  /** The last part; unique among the run's keys together with the folder. */
  readonly name: string;
  /** Unique in the run: `name` with as many folders in front as it takes, and one at least before a bare number. */
  readonly short: string;
  readonly full: string;
}

export class KeyNames {
  readonly #names: readonly KeyName[];

  constructor(keys: readonly string[]) {
    const shared = sharedFolders(keys.filter((key) => key !== ""));
    const parts = keys.map((key) => key.slice(shared.length).split("/").map(shortPart));
    this.#names = keys.map((full, i) => {
      const own = parts[i] ?? [];
      const others = parts.filter((_, other) => other !== i);
      return { full, folder: own.slice(0, -1).join("/"), name: own.at(-1) ?? "", short: unique(own, others) };
    });
  }

  of(key: number): KeyName {
    return this.#names[key] ?? { folder: "", name: "?", short: "?", full: "?" };
  }
}

/** The folders that all keys begin with, with their last slash. */
function sharedFolders(keys: readonly string[]): string {
  let shared = keys[0] ?? "";
  for (const key of keys) while (!key.startsWith(shared)) shared = shared.slice(0, -1);
  return shared.slice(0, shared.lastIndexOf("/") + 1);
}

function shortPart(part: string): string {
  return part
    .replace(/\.json$/, "")
    .replace(/[0-9a-f]{17,}/g, (hex) => `${hex.slice(0, 6)}…`)
    .replace(/^0+(?=\d)/, "");
}

function unique(own: readonly string[], others: readonly (readonly string[])[]): string {
  const telling = /^[A-Za-z][\w.-]*$/.test(own.at(-1) ?? "") ? 1 : 2;
  for (let length = telling; length < own.length; length++) {
    const end = own.slice(-length).join("/");
    if (!others.some((other) => other.slice(-length).join("/") === end)) return end;
  }
  return own.join("/");
}
