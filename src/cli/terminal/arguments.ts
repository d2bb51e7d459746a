/**
 * The values that a user types, read strictly: a number is a whole number in its range or a usage error.
 *
 * Owns the ranges and what is said when a value is outside. Throws commander's `InvalidArgumentError`, which the
 * program turns into one line and exit code 2; so does `UsageError` for what commander cannot know.
 */
import { InvalidArgumentError } from "commander";
import { PROFILES, SEED_LIMIT, type Shard, STRATEGIES } from "../../../sim/index.ts";
import { DEFAULT_STRATEGY } from "../campaign/run-settings.ts";
import { alike, nearest } from "./nearest.ts";

export const MOST_NODES = 9;
const MOST_FAULTS = 9;
const MOST_JOBS = 64;
export const MOST_RUNS = 1_000_000_000;
const MOST_HUNTS = 1_000;
/** Seeds that nobody gave lie below it, so that every campaign has seeds enough. */
export const FRESH_SEED_LIMIT = SEED_LIMIT - MOST_RUNS;
/** Longer lists of names help nobody who mistyped one. */
const MOST_LISTED = 12;
const UNIT_MS: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** The user asked for something that there is not; the message is one line that says what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function parseSeed(text: string): number {
  return parseWhole(text, 0, SEED_LIMIT - 1, "A seed");
}

export function parseCount(text: string): number {
  return parseWhole(text, 1, MOST_RUNS, "The number of runs");
}

/** Hunts for one bug; their seeds lie far apart. */
export function parseHunts(text: string): number {
  return parseWhole(text, 1, MOST_HUNTS, "The number of hunts");
}

/** Refuses seeds that would wrap: there are `SEED_LIMIT` of them. */
export function checkLastSeed(firstSeed: number, seeds: number): void {
  if (firstSeed + seeds <= SEED_LIMIT) return;
  throw new UsageError(
    `seeds end at ${SEED_LIMIT - 1}: ${seeds} from ${firstSeed} pass it; begin at ${SEED_LIMIT - seeds} or below`,
  );
}

export function parseFaults(text: string): number {
  return parseWhole(text, 0, MOST_FAULTS, "The number of faults");
}

export function parseNodes(text: string): number {
  return parseWhole(text, 1, MOST_NODES, "The number of nodes");
}

/** The name of a store profile; undefined for none and for `all`, which is a drawn one. */
export function pickProfile(name: string | undefined): string | undefined {
  if (name === undefined || name === "all") return undefined;
  return pickOne("store profile", PROFILES, name).name;
}

export function parseJobs(text: string): number {
  return parseWhole(text, 1, MOST_JOBS, "The number of jobs");
}

/** `2/5`: the second of five parts. */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text);
  const [nth, of] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
  if (nth < 1 || nth > of) {
    throw new InvalidArgumentError("A shard is its number and how many there are, as in 1/4 to 4/4.");
  }
  return { index: nth - 1, of };
}

/** The seed that a commit stands for: from the first 48 bits of its hash, so that all shards of a build agree on it. */
export function parseCommit(text: string): number {
  if (!/^[0-9a-fA-F]{12,64}$/.test(text)) {
    throw new InvalidArgumentError(
      "A commit is given by its hash, 12 hex digits or more, as `git rev-parse HEAD` prints it.",
    );
  }
  return Number.parseInt(text.slice(0, 12), 16) % FRESH_SEED_LIMIT;
}

export function pickStrategy(name: string | undefined): string {
  return pickOne("strategy", STRATEGIES, name ?? DEFAULT_STRATEGY).name;
}

/** `30s`, `10m`, `500ms`, `1.5h` in milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const ms = match === null ? 0 : Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? 0);
  if (ms < 1) throw new InvalidArgumentError("A duration is a number above 0 with ms, s, m or h, as in 30s.");
  return ms;
}

/** The entries by these names, each once, in the order asked for; all when none is asked for. */
export function pick<T extends { readonly name: string }>(
  what: string,
  entries: readonly T[],
  names: readonly string[],
): readonly T[] {
  if (names.length === 0) return entries;
  return [...new Set(names)].map((name) => pickOne(what, entries, name));
}

export function pickOne<T extends { readonly name: string }>(
  what: string,
  entries: readonly T[],
  name: string,
): T {
  const found = entries.find((entry) => entry.name === name);
  if (found !== undefined) return found;
  const names = entries.map((entry) => entry.name);
  throw new UsageError(`unknown ${what} '${name}'; ${hintFor(what, name, names)}`);
}

/** Where each sort of thing is listed, when there are too many for one line. */
const LISTS: { readonly [what: string]: string } = {
  "planted bug": "npx baton mutants --list",
  scenario: "npx baton scenarios",
  "store profile": "npx baton sim --help",
};

function hintFor(what: string, name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  if (meant !== null) return `did you mean ${meant}?`;
  if (names.length <= MOST_LISTED) return `known: ${names.join(", ") || "none"}`;
  const list = `\`${LISTS[what] ?? "npx baton --help"}\` lists all ${names.length}`;
  const like = alike(name, names);
  return like.length === 0 ? list : `did you mean ${like.join(", or ")}? ${list}`;
}

export function parseWhole(text: string, least: number, most: number, what: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (value < least || value > most) {
    throw new InvalidArgumentError(`${what} is a whole number from ${least} to ${most}.`);
  }
  return value;
}
