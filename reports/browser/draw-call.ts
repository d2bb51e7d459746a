/**
 * A call between processes: an arrow when it is sent, an arrow back when the caller learns something.
 *
 *   - lost on its way: the arrow ends half-way in a cross;
 *   - reply lost, or none in time: the arrow back is a stub with a cross, and the caller has an open question mark;
 *   - delivered twice: two arrows there;
 *   - refused: the words of the refusal stand beside the caller.
 */
import type { CallData } from "../report-data.ts";
import { type Item, processLane } from "./items.ts";
import type { Picture } from "./picture.ts";
import { replyWords } from "./reply.ts";
import { cross, dot, path, text } from "./svg.ts";

const LOST_AT = 0.45;
const HEAD_PX = 4;

type CallItem = Extract<Item, { readonly type: "call" }>;

export function drawCall(item: CallItem, picture: Picture): string {
  const { call } = item;
  const from = picture.lanes.of(processLane(call.from));
  const to = picture.lanes.of(processLane(call.to));
  if (from === null || to === null) return "";
  const [send, answer] = item.stops.map((stop) => picture.axis.of(stop));
  if (send === undefined) return "";
  return drawThere(call, from.x, to.x, send, picture) + drawBack(call, from.x, to.x, answer, picture);
}

function drawThere(call: CallData, x1: number, x2: number, y: number, picture: Picture): string {
  const lost = call.faults.includes("H01-lost-call");
  const end = lost ? x1 + (x2 - x1) * LOST_AT : x2;
  const parts = [
    `<path class="hit" d="M${x1} ${y}L${end} ${y}"/>`,
    lost ? path(`M${x1} ${y}L${end} ${y}`, "call-way") + cross(end, y, 4, "loss") : arrow(x1, end, y),
  ];
  if (call.faults.includes("D01-duplicate-request")) parts.push(arrow(x1, end, y + 4));
  parts.push(dot(x1, y, 2.4, "sent"));
  const twice = call.faults.includes("D01-duplicate-request") ? ", twice" : "";
  if (picture.words) parts.push(text(x1 + 7, y - 5, `${call.operation}${twice}`, "word call-word"));
  return parts.join("");
}

function drawBack(call: CallData, x1: number, x2: number, y: number | undefined, picture: Picture): string {
  if (y === undefined) return "";
  if (call.outcome === "answered") {
    const { no, words } = replyWords(picture.run.data, call);
    const beside = picture.words && no ? text(x1 + 7, y - 5, words, "word refused-word") : "";
    return `<path class="hit" d="M${x1} ${y}L${x2} ${y}"/>${arrow(x2, x1, y, "call-back")}${beside}`;
  }
  const stub = call.faults.includes("H02-lost-reply")
    ? path(`M${x2} ${y}L${x2 + (x1 - x2) * LOST_AT} ${y}`, "call-back") +
      cross(x2 + (x1 - x2) * LOST_AT, y, 4, "loss")
    : "";
  const words = picture.words ? text(x1 + 9, y, "no reply", "word fault-word") : "";
  return `${stub}${dot(x1, y, 4.5, "open")}${text(x1, y, "?", "glyph")}${words}`;
}

function arrow(x1: number, x2: number, y: number, classes = "call-way"): string {
  const back = x2 > x1 ? -HEAD_PX : HEAD_PX;
  const head = `M${x2 + back} ${y - 3}L${x2} ${y}L${x2 + back} ${y + 3}`;
  return path(`M${x1} ${y}L${x2} ${y}${head}`, classes);
}
