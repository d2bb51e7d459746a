/**
 * The outside of every page: one HTML document that needs nothing else.
 *
 *   S1  The page's own policy forbids every request, so it is the same from a disk and behind any server.
 *   S2  Data stands in the page as JSON that no script runs; it is read by the one script behind it.
 */
import { embedJson, escapeHtml } from "./escape.ts";

/** The sources that stand in a page, made ready by whoever renders it. */
export interface PageAssets {
  /** The style sheet of all pages. */
  readonly style: string;
  /** The script of a run's page, as one plain script. */
  readonly script: string;
}

/** Data for the page's script, and the script. */
export interface Liveliness {
  readonly data: unknown;
  readonly script: string;
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

export function pageHtml(
  title: string,
  kind: "run" | "campaign",
  style: string,
  body: string,
  live: Liveliness | null,
): string {
  const scripts =
    live === null
      ? ""
      : `<script type="application/json" id="report-data">${embedJson(live.data)}</script>\n<script>${guarded(live.script)}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(title)}</title>
<style>${style.replaceAll("</", "<\\/")}</style>
</head>
<body class="${kind}">
${body}
${scripts}</body>
</html>
`;
}

/** Our own script, which holds no such text outside of strings. */
function guarded(script: string): string {
  return script.replaceAll("</script", "<\\/script");
}
