/**
 * A run as the JSON of its replay file, and back.
 *
 * Owns the fields and their types. Does not own the checksum nor what is said of a text that does not fit
 * (`format.ts`): here such a text is `null`.
 *
 * A field that later versions added is optional when it is read: what is missing means what was so before.
 */
import { isJsonObject, type Json, type JsonObject } from "../../src/std/json.ts";
import type { Draw } from "../kernel/choice.ts";
import type { RunConfiguration } from "../runner/outcome.ts";
import type { OutcomeSummary, ReplayFile, ShrinkSummary } from "./replay-file.ts";

/** Hex digits of one mark. */
const MARK_DIGITS = 4;

export function toContent(file: ReplayFile): JsonObject {
  const { outcome, shrunk } = file;
  return {
    harness: file.harness,
    engine: file.engine,
    scenario: file.scenario,
    options: { ...file.options },
    strategy: file.strategy,
    planted: file.planted,
    seed: file.seed,
    outcome: { ...outcome },
    shrunk: shrunk === null ? null : { ...shrunk },
    fingerprint: file.fingerprint,
    ...packDraws(file.draws),
    marks: file.marks.map((mark) => mark.toString(16).padStart(MARK_DIGITS, "0")).join(""),
  };
}

export function fromContent(c: JsonObject): ReplayFile | null {
  const draws = unpackDraws(c.labels, c.draws);
  const outcome = parseOutcome(c.outcome);
  const options = parseOptions(c.options);
  const marks = parseMarks(c.marks ?? "");
  const shrunk = parseShrunk(c.shrunk ?? null);
  const { harness, engine, scenario, planted, seed, fingerprint, strategy = "random" } = c;
  if (draws === null || outcome === null || options === null || marks === null) return null;
  if (shrunk === undefined || (marks.length > 0 && marks.length !== draws.length)) return null;
  if (typeof harness !== "string" || typeof engine !== "string" || typeof strategy !== "string") return null;
  if (typeof scenario !== "string" || typeof fingerprint !== "string") return null;
  if (planted !== null && typeof planted !== "string") return null;
  if (seed !== null && typeof seed !== "number") return null;
  const made = { harness, engine, scenario, options, strategy, planted, seed };
  return { ...made, draws, marks, fingerprint, outcome, shrunk };
}

/** P3: three numbers for each draw. */
function packDraws(draws: readonly Draw[]): JsonObject {
  const indices = new Map<string, number>();
  const packed: number[] = [];
  for (const draw of draws) {
    let index = indices.get(draw.label);
    if (index === undefined) {
      index = indices.size;
      indices.set(draw.label, index);
    }
    packed.push(index, draw.n, draw.value);
  }
  return { labels: [...indices.keys()], draws: packed };
}

/** A value outside its range is no draw. */
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

/** Four digits for each, nothing between. */
function parseMarks(text: Json): readonly number[] | null {
  if (typeof text !== "string" || !/^([0-9a-f]{4})*$/.test(text)) return null;
  const marks: number[] = [];
  for (let i = 0; i < text.length; i += MARK_DIGITS) {
    marks.push(Number.parseInt(text.slice(i, i + MARK_DIGITS), 16));
  }
  return marks;
}

function parseOutcome(value: Json | undefined): OutcomeSummary | null {
  if (!isJsonObject(value) || !isList(value.invariants)) return null;
  const { kind, message } = value;
  const invariants = value.invariants.filter((name) => typeof name === "string");
  if (typeof kind !== "string" || typeof message !== "string") return null;
  const { profile, faults } = value;
  return {
    kind,
    invariants,
    message,
    ...(typeof profile === "string" ? { profile } : {}),
    ...(isList(faults) ? { faults: faults.filter((fault) => typeof fault === "string") } : {}),
  };
}

function parseOptions(value: Json | undefined): RunConfiguration | null {
  if (!isJsonObject(value)) return null;
  const { nodes, profile, slackMs } = value;
  if (nodes !== undefined && typeof nodes !== "number") return null;
  if (profile !== undefined && typeof profile !== "string") return null;
  if (slackMs !== undefined && typeof slackMs !== "number") return null;
  return {
    ...(nodes === undefined ? {} : { nodes }),
    ...(profile === undefined ? {} : { profile }),
    ...(slackMs === undefined ? {} : { slackMs }),
  };
}

/** `undefined` is a value of a wrong type. */
function parseShrunk(value: Json): ShrinkSummary | null | undefined {
  if (value === null) return null;
  if (!isJsonObject(value)) return undefined;
  const { before, after, runs, removed } = value;
  if (typeof before !== "number" || typeof after !== "number" || typeof runs !== "number") return undefined;
  return typeof removed === "string" ? { before, after, runs, removed } : undefined;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
