/**
 * Text made safe for the place in a page where it is put.
 *
 * Everything that was recorded is foreign text: bodies hold what users wrote, keys hold ids that they chose. All of
 * it goes through one of these two functions on its way into a page.
 */

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * JSON for the inside of a `<script>` element: no `<` is left, so nothing in it can end the element or begin a
 * comment, and the two line separators that older scripts take for line ends are spelt out.
 */
export function embedJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
