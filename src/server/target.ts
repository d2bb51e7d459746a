/**
 * The target of a request: its path as it is, and its query as text values.
 *
 * A path is compared as it was sent: an encoded or doubled slash, a dot segment or a slash at the end names no route.
 * A parameter stands once; which of two counts would be anybody's guess. Source: contract section 1.
 */
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";

export type Query = { readonly [name: string]: string };

/** More than any route has. */
const PARAMETERS = 16;

export function pathOf(target: string): string {
  const mark = target.indexOf("?");
  return mark === -1 ? target : target.slice(0, mark);
}

export function queryOf(target: string): Result<Query, Failure> {
  const mark = target.indexOf("?");
  const pairs = mark === -1 ? [] : target.slice(mark + 1).split("&", PARAMETERS + 1);
  if (pairs.length > PARAMETERS) return err(invalid(`a query has at most ${PARAMETERS} parameters`));
  const query = new Map<string, string>();
  for (const pair of pairs) {
    if (pair === "") continue;
    const [key = "", ...values] = pair.split("=");
    const [parameter, text] = [decoded(key), decoded(values.join("="))];
    if (parameter === null || text === null) return err(invalid("the query is not percent-encoded UTF-8"));
    if (query.has(parameter)) return err(invalid(`the query has ${parameter.slice(0, 128)} twice`));
    query.set(parameter, text);
  }
  return ok(Object.fromEntries(query));
}

function invalid(message: string): Failure {
  return failure("invalid", "invalid_query", message);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
