/**
 * Where on a page an invariant broke: the event that a finding names by its key and time.
 *
 *   F1  A finding with a key and a time is about the version made there then; without one, about the last event on
 *       the key not after that time. A finding that names neither has no place.
 *   F2  Findings about one event share a place.
 */
import type { FindingData } from "../report-data.ts";
import { type Item, keyLane } from "./items.ts";
import type { Picture } from "./picture.ts";
import type { RunIndex } from "./run-index.ts";

export interface BrokenPlace {
  readonly y: number;
  /** On the key's lane; null: the lane is not shown. */
  readonly x: number | null;
  readonly words: string;
}

export function brokenPlaces(picture: Picture): readonly BrokenPlace[] {
  const names = new Map<number, Set<string>>();
  const lanes = new Map<number, number | null>();
  for (const finding of picture.run.data.verdict.findings) {
    const place = placeOf(finding, picture);
    if (place === null) continue;
    const known = names.get(place.y) ?? new Set<string>();
    names.set(place.y, known.add(finding.invariant));
    if (!lanes.has(place.y)) lanes.set(place.y, place.x);
  }
  return [...names].map(([y, invariants]) => {
    const [first = "", ...others] = invariants;
    const words = `${first} broken here${others.length === 0 ? "" : `, and ${others.length} more`}`;
    return { y, x: lanes.get(y) ?? null, words };
  });
}

/** F1: the id of the item that the finding is about; null: none that was recorded. */
export function itemOf(finding: FindingData, run: RunIndex): string | null {
  const key = run.keyNamed(finding.key);
  const { atMs } = finding;
  if (key === null || atMs === null) return null;
  const made = run.chainOf(key).find((version) => version.atMs === atMs);
  if (made !== undefined) return `o${made.operation}`;
  const before = run.data.operations.filter(
    (op) => op.key === key && op.kind !== "list" && (op.appliedAtMs ?? op.sentAtMs) <= atMs,
  );
  const last = before.at(-1);
  return last === undefined ? null : `o${last.id}`;
}

function placeOf(
  finding: FindingData,
  picture: Picture,
): { readonly y: number; readonly x: number | null } | null {
  if (finding.atMs === null) return null;
  const id = itemOf(finding, picture.run);
  const item = id === null ? undefined : picture.items.find((one) => one.id === id);
  const landing = item === undefined ? undefined : landingOf(item);
  if (item?.type !== "operation" || landing === undefined)
    return { y: picture.axis.at(finding.atMs), x: null };
  const exact = landing.atMs === finding.atMs;
  const y = exact ? picture.axis.of(landing) : picture.axis.at(finding.atMs);
  return { y, x: exact ? (picture.lanes.of(keyLane(item.op.key))?.x ?? null) : null };
}

function landingOf(item: Item) {
  return item.stops.find((stop) => stop.role === "land");
}
