/**
 * What the marks mean, drawn with the marks themselves.
 *
 * Uses the classes of the diagram, so a legend that looks right is right; what a kind of mark looks like is decided
 * where it is drawn, and here only repeated. Leaves out what its own words explain beside the mark.
 */
import { arc, cross, dot, line, path, rect, text } from "./svg.ts";

const ROWS: readonly (readonly [mark: string, words: string])[] = [
  [
    `<g class="item write">${line(2, 9, 26, 9, "way")}${dot(26, 9, 4.5, "made")}</g>`,
    "a write made a version; its number stands beside it",
  ],
  [
    `<g class="item read">${line(2, 9, 26, 9, "way")}${dot(26, 9, 3, "seen")}</g>`,
    "a read was served that version",
  ],
  [
    `<g class="item refused">${line(2, 9, 26, 9, "way")}${cross(26, 9, 4.5, "refusal")}</g>`,
    "a write was refused: 412 for another version, 404, 409",
  ],
  [
    `<g class="item write">${arc(26, 2, 16, -12, "edge")}${dot(26, 16, 3, "made")}</g>`,
    "from the version that a condition names to the one it made (dashed: to its refusal)",
  ],
  [
    `<g class="item fault">${line(2, 9, 18, 9, "way")}${cross(18, 9, 4, "loss")}</g>`,
    "a request, an answer or a call was lost there",
  ],
  [
    `<g class="item fault">${dot(14, 9, 4.5, "open")}${text(14, 9, "?", "glyph")}</g>`,
    "the sender gave up and cannot know what happened",
  ],
  [
    `<g class="item fault">${line(2, 3, 26, 15, "way late")}${path("M26 9L32 15L26 21L20 15Z", "made")}</g>`,
    "a write landed late, after its sender had given up",
  ],
  [
    `<g class="item call">${path("M2 9L26 9M22 6L26 9L22 12", "call-way")}</g>`,
    "a call to another process, and its reply",
  ],
  [
    `${rect(8, 3, 12, 12, "end-mark")}${cross(14, 9, 3, "end-glyph")}`,
    "a process crashed; its line is broken while it is down",
  ],
  [rect(10, 1, 8, 17, "paused"), "a process was paused"],
  [
    rect(10, 1, 7, 9, "band") + rect(10, 10, 7, 8, "band odd"),
    "how long each version of a key was the current one",
  ],
];

export function legendHtml(): string {
  const rows = ROWS.map(([mark, words]) => `<li><svg width="36" height="20">${mark}</svg>${words}</li>`);
  return `<ul class="legend">${rows.join("")}</ul>`;
}
