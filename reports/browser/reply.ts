/**
 * What a reply says, in a word: yes, or the kind of no.
 *
 * Reads the project's result value (`ok` with `value` or `error`) where the reply is one; any other reply is a yes.
 */
import { isJsonObject, parseJson } from "../../src/std/json.ts";
import type { CallData, RunData } from "../report-data.ts";

export interface ReplyWords {
  readonly no: boolean;
  readonly words: string;
}

export function replyWords(run: RunData, call: CallData): ReplyWords {
  if (call.outcome === null) return { no: false, words: "its caller died waiting" };
  if (call.outcome !== "answered") return { no: true, words: "no reply" };
  const reply = parseJson(run.bodies[call.reply ?? -1] ?? "null");
  if (!isJsonObject(reply) || reply.ok !== false) return { no: false, words: "ok" };
  const { error } = reply;
  const kind = isJsonObject(error) && typeof error.kind === "string" ? error.kind : "refused";
  const code = isJsonObject(error) && typeof error.code === "string" ? error.code : "";
  return { no: true, words: code === "" || code === kind ? kind : code };
}
