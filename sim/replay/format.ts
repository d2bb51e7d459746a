/**
 * The replay file's text: one run as JSON that another machine can run again.
 *
 * Owns the shape, the checksum and every reason to refuse a text. Does not own files (`files.ts`) and does not run
 * anything.
 *
 *   P1  A text that was cut, changed or written in another format is refused with one line that says what to do.
 *   P2  The checksum covers everything but itself, so it does not depend on spaces.
 *   P3  Draws are kept in order, as triples of label (an index into `labels`), n and value, and `marks` holds four hex
 *       digits for each draw: the file of a run with 5,000 draws is about 70 kB.
 *   P9  `options` and `strategy` are all that a run is a function of besides its scenario and draws. What a file does
 *       not have (files of earlier versions) means: the scenario's own, and no marks.
 */
import { sha256 } from "../../src/std/hash.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../src/std/json.ts";
import { err, ok, type Result } from "../../src/std/result.ts";
import { fromContent, toContent } from "./content.ts";
import type { ReplayFile } from "./replay-file.ts";

export const REPLAY_FORMAT = "baton.replay.v1";

/** Why a text is no replay file: `reason` ends the sentence "FILE …". */
export interface Refusal {
  readonly kind: "not-found" | "not-json" | "not-a-replay" | "other-version" | "edited";
  readonly reason: string;
}

/** The text of the file, ending in a line break. */
export function renderReplay(file: ReplayFile): string {
  const content = { format: REPLAY_FORMAT, ...toContent(file) };
  return `${JSON.stringify({ ...content, checksum: checksumOf(content) })}\n`;
}

/** The run in the text, or why there is none. */
export function parseReplay(text: string): Result<ReplayFile, Refusal> {
  const value = parseJson(text);
  if (value === undefined) {
    return refuse(
      "not-json",
      "is not whole JSON (cut short or damaged?): take the file from its source again",
    );
  }
  if (!isJsonObject(value) || typeof value.format !== "string" || !value.format.startsWith("baton.replay.")) {
    return refuse(
      "not-a-replay",
      "is JSON but no replay file: name one that `baton sim` wrote under reports/",
    );
  }
  if (value.format !== REPLAY_FORMAT) {
    const wanted = `this version reads ${REPLAY_FORMAT}`;
    return refuse(
      "other-version",
      `has format ${value.format}, ${wanted}: use the version of baton that wrote it`,
    );
  }
  const { checksum, ...content } = value;
  if (checksum !== checksumOf(content)) {
    return refuse(
      "edited",
      "does not match its checksum (edited or damaged): take the file from its source again",
    );
  }
  const file = fromContent(content);
  if (file === null) {
    return refuse(
      "not-a-replay",
      "lacks a field or has one of the wrong type: write it again with `baton sim`",
    );
  }
  return ok(file);
}

function refuse(kind: Refusal["kind"], reason: string): Result<ReplayFile, Refusal> {
  return err({ kind, reason });
}

function checksumOf(content: JsonObject): string {
  return sha256(JSON.stringify(content));
}
