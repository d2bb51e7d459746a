/**
 * The moments of a run that a person reads first, in order: what struck it, who lost which race, what was made of
 * the key that the first finding names, and where it broke.
 *
 * Owns the choice. Leaves out what goes well (plain reads, calls that are answered, writes elsewhere) and the pleas
 * of the store to slow down that are its ordinary rate limit and no fault.
 */
import type { RunData } from "../report-data.ts";
import { itemOf } from "./broken-places.ts";
import { type Item, itemsOf } from "./items.ts";
import type { RunIndex } from "./run-index.ts";
import { clockOffset, sentence } from "./sentences.ts";

export interface Moment {
  readonly atMs: number;
  readonly words: string;
  /** The item to show; null: it is about the whole run. */
  readonly item: string | null;
  readonly tone: Item["tone"] | "broken";
}

/** Writes of the key in question that are told before the break. */
const WRITES_BEFORE = 12;

export function story(run: RunIndex): readonly Moment[] {
  const { findings } = run.data.verdict;
  const about = run.keyNamed(findings[0]?.key ?? null);
  const breakMs = findings.find(({ atMs }) => atMs !== null)?.atMs ?? null;
  const told = new Set([...writesOf(run.data, about, breakMs), ...callsBehind(run)]);
  const moments: Moment[] = [];
  const clocks = clockMoment(run.data);
  if (clocks !== null) moments.push(clocks);
  for (const item of itemsOf(run.data)) {
    if (!isTelling(item) && !told.has(item.id)) continue;
    moments.push({ atMs: item.atMs, words: sentence(item, run), item: item.id, tone: item.tone });
  }
  for (const { atMs, key, invariant, message } of findings) {
    if (atMs === null) continue;
    const item = itemOf({ atMs, key, invariant, message, statement: null }, run);
    moments.push({ atMs, words: `${invariant} is broken: ${message}`, item, tone: "broken" });
  }
  return moments.sort((a, b) => a.atMs - b.atMs || rank(a) - rank(b));
}

function rank(moment: Moment): number {
  return moment.tone === "broken" ? 1 : 0;
}

function isTelling(item: Item): boolean {
  if (item.type === "incident") return item.atMs > 0 || !/^(start|skew|drift|tick)$/.test(item.incident.kind);
  return item.tone === "fault" || item.tone === "refused";
}

/** The ids of the last writes of the key that were applied until the break. */
function writesOf(run: RunData, key: number | null, breakMs: number | null): readonly string[] {
  const made = run.operations.filter(
    (op) =>
      op.key === key && op.verdict === "applied" && (breakMs === null || (op.appliedAtMs ?? 0) <= breakMs),
  );
  return made.slice(-WRITES_BEFORE).map((op) => `o${op.id}`);
}

/** The calls that were being served when the events that the findings name were sent: one each. */
function callsBehind(run: RunIndex): readonly string[] {
  return run.data.verdict.findings.flatMap((finding) => {
    const id = itemOf(finding, run);
    const op = run.data.operations.find((one) => `o${one.id}` === id);
    const call = op === undefined ? undefined : run.servedBy(op)[0];
    return call === undefined ? [] : [`c${call.id}`];
  });
}

/** All clocks that are off from the beginning, in one. */
function clockMoment(run: RunData): Moment | null {
  const off = run.incidents.filter(({ kind, atMs }) => atMs === 0 && /^(skew|drift|tick)$/.test(kind));
  if (off.length === 0) return null;
  const words = off
    .map(
      ({ process, detail, kind }) =>
        `${process} ${kind === "skew" ? clockOffset(detail) : `${kind} ${detail}`}`,
    )
    .join(", ");
  return { atMs: 0, words: `clocks are off: ${words}`, item: null, tone: "incident" };
}
