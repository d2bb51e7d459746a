/**
 * What struck a process, or the whole run: a mark with its word on the lane, or a line across for what is about all.
 *
 * A kind that is not known here has a mark and is told by its own name, so that nothing that happened is left out.
 * How long a process was down or paused is drawn with its lane (`draw-lanes.ts`).
 */
import { type Item, processLane } from "./items.ts";
import type { Picture } from "./picture.ts";
import { clockOffset } from "./sentences.ts";
import { cross, line, path, rect, text } from "./svg.ts";

type IncidentItem = Extract<Item, { readonly type: "incident" }>;

/** Words for kinds of incidents whose own name says too little. */
const WORDS: { readonly [kind: string]: string } = {
  heal: "faults are off from here",
  start: "starts",
  crash: "crashes",
  pause: "paused",
  resume: "goes on",
  stall: "stalls",
  stop: "asked to stop",
  starve: "starved",
  twin: "a twin",
  "crash-before": "crash before",
  "crash-after": "crash after",
  lose: "write lost",
};

/** Other ways for a clock to be wrong, told with their figures. */
const CLOCK = new Set(["drift", "tick", "step"]);

export function drawIncident(item: IncidentItem, picture: Picture): string {
  const { kind, process, detail } = item.incident;
  const [stop] = item.stops;
  if (stop === undefined) return "";
  const y = picture.axis.of(stop);
  const words = wordsFor(kind, detail);
  if (process === null) {
    const across = line(0, y, picture.lanes.width, y, `across ${kind === "heal" ? "heal" : ""}`);
    return `${across}${text(8, y - 7, words, "word incident-word")}`;
  }
  const lane = picture.lanes.of(processLane(process));
  if (lane === null) return "";
  const beside = picture.words ? text(lane.x + 11, y, words, `word incident-word ${grave(kind)}`) : "";
  return glyph(kind, lane.x, y) + beside;
}

function wordsFor(kind: string, detail: string): string {
  if (kind === "skew") return `clock ${clockOffset(detail)}`;
  return CLOCK.has(kind) ? `${kind} ${detail}` : (WORDS[kind] ?? kind);
}

function grave(kind: string): string {
  return kind === "start" || kind === "resume" || kind === "skew" || CLOCK.has(kind) ? "" : "grave";
}

function glyph(kind: string, x: number, y: number): string {
  switch (kind) {
    case "crash":
    case "stopped":
      return `${rect(x - 6, y - 6, 12, 12, "end-mark")}${cross(x, y, 3, "end-glyph")}`;
    case "start":
    case "resume":
      return path(`M${x - 4} ${y - 5}L${x + 5} ${y}L${x - 4} ${y + 5}Z`, "begin-mark");
    case "pause":
    case "stall":
    case "starve":
      return `${rect(x - 6, y - 6, 12, 12, "end-mark")}${path(`M${x - 2} ${y - 3}V${y + 3}M${x + 2} ${y - 3}V${y + 3}`, "end-glyph")}`;
    default:
      return path(`M${x} ${y - 5.5}L${x + 5.5} ${y}L${x} ${y + 5.5}L${x - 5.5} ${y}Z`, "end-mark");
  }
}
