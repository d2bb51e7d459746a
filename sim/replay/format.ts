/**
 * The replay file's text: one run as JSON that another machine can run again.
 *
 * Owns the shape, the checksum and every reason to refuse a text. Does not own files (`files.ts`) and does not run
 * anything.
 *
 *   P1  A text that was cut, changed or written in another format is refused with one line that says what to do.
 *   P2  The checksum covers everything but itself, so it does not depend on spaces.
 *   P3  Draws are kept in order, as triples of label (an index into `labels`), n and value: the file of a run with
 *       5,000 draws is about 50 kB.
 *
 * Not covered: a fingerprint for each step; a replay of changed code is told by the first draw that differs.
 */
import { sha256 } from "../../src/std/hash.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../src/std/json.ts";
import { err, ok, type Result } from "../../src/std/result.ts";
import type { Draw } from "../kernel/choice.ts";

export const REPLAY_FORMAT = "baton.replay.v1";

/** A run as it is kept. */
export interface ReplayFile {
  /** Versions that wrote it; for people, the draws tell whether they still fit. */
  readonly harness: string;
  readonly engine: string;
  readonly scenario: string;
  readonly options: { readonly nodes?: number };
  /** The planted bug that the run was made with; null: none. */
  readonly planted: string | null;
  /** The seed that the draws came from; null: from no seed. */
  readonly seed: number | null;
  readonly draws: readonly Draw[];
  readonly fingerprint: string;
  readonly outcome: OutcomeSummary;
}

/** What became of it, to compare with. */
export interface OutcomeSummary {
  readonly kind: string;
  readonly invariants: readonly string[];
  readonly message: string;
}

/** Why a text is no replay file: `reason` ends the sentence "FILE …". */
export interface Refusal {
  readonly kind: "not-found" | "not-json" | "not-a-replay" | "other-version" | "edited";
  readonly reason: string;
}

/** The text of the file, ending in a line break. */
export function renderReplay(file: ReplayFile): string {
  const content = toContent(file);
  return `${JSON.stringify({ ...content, checksum: checksumOf(content) })}\n`;
}

/** The run in the text, or why there is none. */
export function parseReplay(text: string): Result<ReplayFile, Refusal> {
  const value = parseJson(text);
  if (value === undefined) {
    return refuse(
      "not-json",
      "is not whole JSON (cut short or damaged?): take the file from its source again",
    );
  }
  if (!isJsonObject(value) || typeof value.format !== "string" || !value.format.startsWith("baton.replay.")) {
    return refuse(
      "not-a-replay",
      "is JSON but no replay file: name one that `baton sim` wrote under reports/",
    );
  }
  if (value.format !== REPLAY_FORMAT) {
    const wanted = `this version reads ${REPLAY_FORMAT}`;
    return refuse(
      "other-version",
      `has format ${value.format}, ${wanted}: use the version of baton that wrote it`,
    );
  }
  const { checksum, ...content } = value;
  if (checksum !== checksumOf(content)) {
    return refuse(
      "edited",
      "does not match its checksum (edited or damaged): take the file from its source again",
    );
  }
  const file = fromContent(content);
  if (file === null) {
    return refuse(
      "not-a-replay",
      "lacks a field or has one of the wrong type: write it again with `baton sim`",
    );
  }
  return ok(file);
}

function refuse(kind: Refusal["kind"], reason: string): Result<ReplayFile, Refusal> {
  return err({ kind, reason });
}

function checksumOf(content: JsonObject): string {
  return sha256(JSON.stringify(content));
}

function toContent(file: ReplayFile): JsonObject {
  const indices = new Map<string, number>();
  const packed: number[] = [];
  for (const draw of file.draws) {
    let index = indices.get(draw.label);
    if (index === undefined) {
      index = indices.size;
      indices.set(draw.label, index);
    }
    packed.push(index, draw.n, draw.value);
  }
  return {
    format: REPLAY_FORMAT,
    harness: file.harness,
    engine: file.engine,
    scenario: file.scenario,
    options: file.options.nodes === undefined ? {} : { nodes: file.options.nodes },
    planted: file.planted,
    seed: file.seed,
    outcome: { kind: file.outcome.kind, invariants: file.outcome.invariants, message: file.outcome.message },
    fingerprint: file.fingerprint,
    labels: [...indices.keys()],
    draws: packed,
  };
}

function fromContent(c: JsonObject): ReplayFile | null {
  const draws = unpackDraws(c.labels, c.draws);
  const outcome = parseOutcome(c.outcome);
  const options = parseOptions(c.options);
  if (draws === null || outcome === null || options === null) return null;
  if (typeof c.harness !== "string" || typeof c.engine !== "string") return null;
  if (typeof c.scenario !== "string" || typeof c.fingerprint !== "string") return null;
  if (c.planted !== null && typeof c.planted !== "string") return null;
  if (c.seed !== null && typeof c.seed !== "number") return null;
  const { harness, engine, scenario, planted, seed, fingerprint } = c;
  return { harness, engine, scenario, options, planted, seed, draws, fingerprint, outcome };
}

function unpackDraws(labels: Json | undefined, packed: Json | undefined): readonly Draw[] | null {
  if (!isList(labels) || !isList(packed) || packed.length % 3 !== 0) return null;
  const draws: Draw[] = [];
  for (let i = 0; i < packed.length; i += 3) {
    const [index, n, value] = [packed[i], packed[i + 1], packed[i + 2]];
    if (typeof index !== "number" || typeof n !== "number" || typeof value !== "number") return null;
    const label = labels[index];
    if (typeof label !== "string" || value < 0 || value >= n) return null;
    draws.push({ label, n, value });
  }
  return draws;
}

function parseOutcome(value: Json | undefined): OutcomeSummary | null {
  if (!isJsonObject(value) || !isList(value.invariants)) return null;
  const { kind, message } = value;
  const invariants = value.invariants.filter((name) => typeof name === "string");
  if (typeof kind !== "string" || typeof message !== "string") return null;
  return { kind, invariants, message };
}

function parseOptions(value: Json | undefined): { readonly nodes?: number } | null {
  if (!isJsonObject(value)) return null;
  if (value.nodes === undefined) return {};
  return typeof value.nodes === "number" ? { nodes: value.nodes } : null;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
