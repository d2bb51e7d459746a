/**
 * Risk: a difference of two documents shows a line that neither has, or hides one that changed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeHtml } from "./documents.ts";
import { lineDiff } from "./line-diff.ts";

const texts = fc
  .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.join("\n"));

describe("a difference", () => {
  it("holds the first text without what is new, and the second without what is gone", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = lineDiff(before, after);
        const without = (mark: string) => lines.filter((line) => line.mark !== mark).map(({ text }) => text);
        expect(without("new").join("\n")).toBe(before);
        expect(without("gone").join("\n")).toBe(after);
      }),
    );
  });

  it("marks only the line that changed", () => {
    const marks = lineDiff("a\nb\nc", "a\nx\nc").map(({ mark }) => mark);
    expect(marks).toEqual(["same", "gone", "new", "same"]);
  });

  it("of equal texts marks nothing", () => {
    expect(lineDiff("a\nb", "a\nb").every(({ mark }) => mark === "same")).toBe(true);
  });
});

describe("a changed document", () => {
  it("is pretty JSON with its difference counted and far lines folded", () => {
    const body = (n: number) => JSON.stringify({ list: Array.from({ length: 40 }, (_, i) => i), n });
    const html = changeHtml("v0 → v1", body(1), body(2));
    expect(html).toContain("−1");
    expect(html).toContain("+1");
    expect(html).toMatch(/<summary>\d+ equal lines<\/summary>/);
  });

  it("that is no JSON is shown as it is, escaped", () => {
    expect(changeHtml("v0", null, "<b>not json")).toContain("&lt;b&gt;not json");
  });
});
