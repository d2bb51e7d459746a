/**
 * What lies behind the events: the lanes, when their processes lived, how long each version of a key was current.
 *
 *   B1  A process's line is whole while it runs, double while two lives run under its name, broken while it is down,
 *       and a band while it is paused.
 *   B2  A key's band changes its shade with each version, so two events beside one shade saw the same version.
 */
import type { IncidentData } from "../report-data.ts";
import { keyLane } from "./items.ts";
import type { Lane } from "./lanes.ts";
import type { Picture } from "./picture.ts";
import { line, rect } from "./svg.ts";

const BAND_PX = 7;
/** Incidents that end a life of a process. */
const ENDS = new Set(["crash", "stopped"]);

export function drawLanes(picture: Picture): string {
  return picture.lanes.all
    .map((lane) => (lane.kind === "process" ? drawLife(lane, picture) : drawKey(lane, picture)))
    .join("");
}

/** A stretch of one state of a process. */
interface Stretch {
  readonly state: "up" | "down" | "paused" | "twin";
  /** What began and ended it; null: the run did. */
  readonly from: IncidentData | null;
  readonly to: IncidentData | null;
}

function drawLife(lane: Lane, picture: Picture): string {
  const { axis, run } = picture;
  const mine = run.data.incidents.filter(({ process }) => process === lane.full);
  return stretches(mine)
    .map(({ state, from, to }) => {
      const y1 = from === null ? 0 : picture.heightOfIncident(from);
      const y2 = to === null ? axis.height : picture.heightOfIncident(to);
      if (state === "paused") return rect(lane.x - 4, y1, 8, Math.max(0, y2 - y1), "paused");
      return line(lane.x, y1, lane.x, y2, `life ${state}`);
    })
    .join("");
}

/** B1. A run that tells of no start had its processes up all the time. */
function stretches(incidents: readonly IncidentData[]): readonly Stretch[] {
  const found: Stretch[] = [];
  let lives = incidents.some(({ kind }) => kind === "start") ? 0 : 1;
  let paused = false;
  let state = stateOf(lives, paused);
  let from: IncidentData | null = null;
  for (const incident of incidents) {
    if (incident.kind === "start") lives++;
    if (ENDS.has(incident.kind)) lives = Math.max(0, lives - 1);
    if (incident.kind === "pause") paused = true;
    if (incident.kind === "resume" || lives === 0) paused = false;
    const next = stateOf(lives, paused);
    if (next === state) continue;
    found.push({ state, from, to: incident });
    [state, from] = [next, incident];
  }
  found.push({ state, from, to: null });
  return found;
}

function stateOf(lives: number, paused: boolean): Stretch["state"] {
  if (lives === 0) return "down";
  if (paused) return "paused";
  return lives > 1 ? "twin" : "up";
}

/** B2. */
function drawKey(lane: Lane, picture: Picture): string {
  const parts = [line(lane.x, 0, lane.x, picture.axis.height, "life key")];
  const key = picture.run.objectKeys.find((one) => keyLane(one) === lane.id);
  if (lane.kind === "other-keys" || key === undefined) return parts.join("");
  const chain = picture.run.chainOf(key);
  for (const [index, version] of chain.entries()) {
    if (version.body === null) continue;
    const y1 = picture.heightOfVersion(key, index);
    const last = index === chain.length - 1;
    const y2 = last ? picture.axis.height : picture.heightOfVersion(key, index + 1);
    parts.push(
      rect(lane.x - BAND_PX / 2, y1, BAND_PX, Math.max(0, y2 - y1), `band ${index % 2 ? "odd" : ""}`),
    );
  }
  return parts.join("");
}
