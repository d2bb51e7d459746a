/**
 * Risk: what users stored runs as a script, or breaks the page, of whoever looks at a failure.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { embedJson, escapeHtml } from "./escape.ts";

describe("escaped text", () => {
  it("keeps no character that begins an element or ends an attribute", () => {
    expect(escapeHtml(`<b a="x" c='y'>&`)).toBe("&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;");
  });
});

describe("embedded JSON", () => {
  it("holds nothing that ends the script or begins a comment, and parses to the same value", () => {
    const parts = fc.constantFrom("</script>", "<!--", "<script", "]]>", "\u2028", "\u2029", "\\", '"', "x");
    const texts = fc.array(parts).map((list) => list.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const embedded = embedJson({ [text]: text });
        expect(embedded).not.toMatch(/[<\u2028\u2029]/);
        expect(JSON.parse(embedded)).toEqual({ [text]: text });
      }),
    );
  });
});
