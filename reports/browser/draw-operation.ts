/**
 * A store operation on the page: sent by a process, decided at a key, answered or not.
 *
 * Owns the look of each way that a request can go:
 *   - a plain one: a line there, a mark at the key, a fainter line back;
 *   - lost on the way there: the line ends half-way in a cross, and nothing stands at the key;
 *   - answer lost: the line back ends in a cross, and the sender has an open question mark when it gives up;
 *   - landed late: a dashed line from sending to landing, below the question mark of its sender;
 *   - sender gone: no line back.
 * At the key: a full dot for a version made, an open one for a version read, a cross for a refusal. An edge at the
 * left of the key joins the version that a condition names to the version made, or to the refusal.
 */
import type { OperationData } from "../report-data.ts";
import { type Item, keyLane, processLane, type Stop, wasToldNothing } from "./items.ts";
import type { Picture } from "./picture.ts";
import { isWrite, type RunIndex } from "./run-index.ts";
import { arc, cross, dot, line, path, rect, text } from "./svg.ts";

/** How far along a line a loss is drawn. */
const LOST_AT = 0.45;

type OperationItem = Extract<Item, { readonly type: "operation" }>;

export function drawOperation(item: OperationItem, picture: Picture): string {
  const { op } = item;
  const from = picture.lanes.of(processLane(op.process));
  if (from === null) return "";
  const y = heights(item, picture);
  if (op.kind === "list") return drawList(op, from.x, y.send, y.answer, picture);
  const to = picture.lanes.of(keyLane(op.key));
  if (to === null) return "";
  return [
    y.land === null ? lostRequest(from.x, to.x, y.send) : drawWay(op, from.x, to.x, y.send, y.land),
    y.land === null ? "" : drawBack(op, from.x, to.x, y.land, y.answer),
    dot(from.x, y.send, 2.2, "sent"),
    y.answer === null ? "" : drawTold(op, from.x, y.answer, picture),
    y.land === null ? "" : drawEdge(op, to.x, y.land, picture) + drawLanding(op, to.x, y.land, picture),
  ].join("");
}

function heights(item: OperationItem, { axis }: Picture) {
  const of = (role: Stop["role"]): number | null => {
    const stop = item.stops.find((one) => one.role === role);
    return stop === undefined ? null : axis.of(stop);
  };
  return { send: of("send") ?? 0, land: of("land"), answer: of("answer") };
}

function drawWay(op: OperationData, x1: number, x2: number, y1: number, y2: number): string {
  const late = op.faults.includes("F03-late-write") ? " late" : "";
  return `<path class="hit" d="M${x1} ${y1}L${x2} ${y2}"/>${line(x1, y1, x2, y2, `way${late}`)}`;
}

function lostRequest(x1: number, x2: number, y: number): string {
  const x = x1 + (x2 - x1) * LOST_AT;
  const end = cross(x, y + 4, 4, "loss");
  return `<path class="hit" d="M${x1} ${y}L${x} ${y + 4}"/>${line(x1, y, x, y + 4, "way")}${end}${text(x + 9, y + 4, "request lost", "word fault-word")}`;
}

/** Nothing when the sender had given up before it landed, or when nothing was ever told. */
function drawBack(op: OperationData, x1: number, x2: number, y2: number, y3: number | null): string {
  if (y3 === null || y3 < y2) return "";
  if (!wasToldNothing(op)) return line(x2, y2, x1, y3, "back");
  const x = x2 + (x1 - x2) * LOST_AT;
  const y = y2 + Math.min(10, (y3 - y2) * LOST_AT);
  return `${line(x2, y2, x, y, "back")}${cross(x, y, 4, "loss")}${text(x - 9, y, "answer lost", "word fault-word end")}`;
}

function drawTold(op: OperationData, x: number, y: number, picture: Picture): string {
  if (!wasToldNothing(op)) return dot(x, y, 1.6, `told${isNo(op) ? " no" : ""}`);
  const words = picture.words ? text(x + 9, y, "no answer", "word fault-word") : "";
  return `${dot(x, y, 4.5, "open")}${text(x, y, "?", "glyph")}${words}`;
}

function isNo(op: OperationData): boolean {
  return op.told !== null && op.told !== "ok" && isWrite(op);
}

/** From the version that the condition names to what became of the write. */
function drawEdge(op: OperationData, x: number, y: number, picture: Picture): string {
  const named = picture.run.version(op.key, op.condition?.version ?? null);
  // A 409 and a plea to slow down say nothing about the version.
  if (named === null || op.verdict === "conflict" || op.verdict === "throttled") return "";
  const y1 = picture.heightOfVersion(op.key, named.index);
  const bulge = -Math.min(34, 9 + Math.abs(y - y1) * 0.12);
  return arc(x - 3, y1, y, bulge, op.verdict === "applied" ? "edge" : "edge refused-edge");
}

function drawLanding(op: OperationData, x: number, y: number, picture: Picture): string {
  const mark = landingMark(op, x, y);
  if (!picture.words) return mark;
  const lane = picture.lanes.of(keyLane(op.key));
  const name = lane?.kind === "other-keys" ? `${picture.run.names.of(op.key).short} ` : "";
  return mark + text(x + 9, y, name + landingWords(op, picture.run), `word ${landingClass(op)}`);
}

function landingMark(op: OperationData, x: number, y: number): string {
  switch (op.verdict) {
    case "applied":
      if (op.kind === "delete") return rect(x - 4.5, y - 4.5, 9, 9, "made");
      if (op.faults.includes("F03-late-write"))
        return path(`M${x} ${y - 6.5}L${x + 6.5} ${y}L${x} ${y + 6.5}L${x - 6.5} ${y}Z`, "made");
      return dot(x, y, 4.5, "made");
    case "served":
      return dot(x, y, 3, "seen");
    case "absent":
      return dot(x, y, 3, "seen none");
    default:
      return cross(x, y, 4.5, "refusal");
  }
}

function landingClass(op: OperationData): string {
  if (op.verdict === "applied") return "made-word";
  return op.verdict === "served" || op.verdict === "absent" || op.verdict === "throttled"
    ? "seen-word"
    : "refused-word";
}

/** What the store did, in a word or two. */
function landingWords(op: OperationData, run: RunIndex): string {
  const version = op.version === null ? "" : `v${op.version}`;
  switch (op.verdict) {
    case "applied": {
      if (op.kind === "delete") return `${version} deleted`;
      const told = op.told === null || op.told === "ok" || wasToldNothing(op) ? "" : ", told no";
      return `${version}${op.faults.includes("F03-late-write") ? " late" : ""}${told}`;
    }
    case "served":
      return version;
    case "absent":
      return "none";
    case "precondition-failed":
      return lossWords(op, run);
    case "not-found":
      return isWrite(op) ? "404 gone" : "none";
    case "conflict":
      return "409";
    case "throttled":
      return "slow down";
    default:
      return op.verdict ?? "";
  }
}

/** Whom it lost to. */
function lossWords(op: OperationData, run: RunIndex): string {
  const winner = run.rivalOf(op)?.operation.process;
  if (winner === undefined) return "412";
  return winner === op.process ? "412, own write" : `412, ${winner} won`;
}

function drawList(op: OperationData, x: number, y1: number, y3: number | null, picture: Picture): string {
  const y2 = y3 ?? y1 + 8;
  const loop = path(`M${x} ${y1}C${x + 16} ${y1} ${x + 16} ${y2} ${x} ${y2}`, "way list");
  const words = op.listed === null ? "list" : `list, ${op.listed}`;
  const told = y3 === null ? "" : drawTold(op, x, y3, picture);
  const beside =
    picture.words && !wasToldNothing(op) ? text(x + 14, (y1 + y2) / 2, words, "word seen-word") : "";
  return `<path class="hit" d="M${x} ${y1}L${x + 12} ${(y1 + y2) / 2}"/>${loop}${dot(x, y1, 2, "sent")}${told}${beside}`;
}
