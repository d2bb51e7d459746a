/**
 * Where a store on S3 is and how it is spoken to, as one text:
 *
 *   s3://BUCKET[/PREFIX][?OPTION=VALUE[&...]]
 *
 *   endpoint     http:// or https:// address of the service; without it, Amazon S3 in the region
 *   region       as the service calls it; default: AWS_REGION, then the profile, and with an endpoint us-east-1
 *   path_style   true: BUCKET in the path; false: in the host name. Default: true with an endpoint, else false
 *   etag_quotes  how an etag goes back: kept, stripped, or auto (found out at the first opening). Default: auto
 *   timeout_ms   how long one request may take in all, 100 to 300000. Default: 10000
 *   profile      which profile of the shared credentials file
 *
 *   L1  credentials are never part of the text: it ends up in logs and process lists.
 *   L2  what is misspelt is refused: an option that nobody reads is a store that is not the one that was meant.
 *   L3  the prefix is taken as it stands, without decoding, and ends in `/` when it is not empty.
 *
 * Examples for each service: README.md in this folder.
 */
import { err, ok, type Result } from "../../std/result.ts";

/** How the store wants its etags back in a condition: with their quotes, as Amazon S3, or without, as Ceph. */
export type EtagQuotes = "kept" | "stripped";

export interface S3Location {
  readonly bucket: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /** Null: Amazon S3. */
  readonly endpoint: string | null;
  /** Null: what the environment or the profile says. */
  readonly region: string | null;
  readonly pathStyle: boolean;
  readonly etagQuotes: EtagQuotes | "auto";
  readonly timeoutMs: number;
  /** Null: the default one. */
  readonly profile: string | null;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const OPTIONS = ["endpoint", "region", "path_style", "etag_quotes", "timeout_ms", "profile"];
/** Leaves room for the keys of the engine below the 1,024 bytes of a key. */
const MOST_PREFIX_BYTES = 256;

export const S3_URL_EXAMPLE = "s3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=us-east-1";

/** Whether the text means a store on S3 at all. */
export function isS3Url(text: string): boolean {
  return /^s3:/i.test(text);
}

/** Reads the text; the error is one line that says what to mend. */
export function parseS3Url(text: string): Result<S3Location, string> {
  const parts = /^s3:\/\/([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(text);
  if (parts === null)
    return err(`"${withoutSecrets(text)}" is no address of a bucket; write ${S3_URL_EXAMPLE}`);
  const [, bucket = "", path = "", query = ""] = parts;
  // L1
  if (bucket.includes("@"))
    return err("credentials do not go into the URL; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(bucket))
    return err(`"${bucket}" is no name of a bucket; write ${S3_URL_EXAMPLE}`);
  const prefix = prefixOf(path);
  if (!prefix.ok) return prefix;
  const options = optionsOf(query);
  if (!options.ok) return options;
  return locationOf(bucket, prefix.value, options.value);
}

function prefixOf(path: string): Result<string, string> {
  const name = path.replace(/^\//, "").replace(/\/$/, "");
  if (name === "") return ok("");
  if (name.split("/").some((part) => part === "" || part === "." || part === ".."))
    return err(`the prefix "${name}" has an empty part or one of dots; use plain names between single /`);
  // Not a control character in the expression: linters take that for a mistake.
  if ([...name].some((char) => char < " " || char === "\u007f"))
    return err("the prefix has a control character in it");
  if (Buffer.byteLength(name) > MOST_PREFIX_BYTES)
    return err(`the prefix is longer than ${MOST_PREFIX_BYTES} bytes`);
  return ok(`${name}/`);
}

function optionsOf(query: string): Result<ReadonlyMap<string, string>, string> {
  const options = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!OPTIONS.includes(name))
      return err(`"${name}" is no option of a store on S3; there are ${OPTIONS.join(", ")}`);
    if (options.has(name)) return err(`the option ${name} is given twice`);
    if (value === "") return err(`the option ${name} has no value`);
    options.set(name, value);
  }
  return ok(options);
}

function locationOf(
  bucket: string,
  prefix: string,
  options: ReadonlyMap<string, string>,
): Result<S3Location, string> {
  const endpoint = options.get("endpoint") ?? null;
  if (endpoint !== null && !isEndpoint(endpoint))
    return err(`endpoint=${withoutSecrets(endpoint)} is no address; write http://HOST:PORT or https://HOST`);
  const style = options.get("path_style") ?? String(endpoint !== null);
  if (style !== "true" && style !== "false") return err(`path_style is true or false, not ${style}`);
  const quotes = options.get("etag_quotes") ?? "auto";
  if (quotes !== "auto" && quotes !== "kept" && quotes !== "stripped")
    return err(`etag_quotes is auto, kept or stripped, not ${quotes}`);
  const timeout = options.get("timeout_ms") ?? String(DEFAULT_TIMEOUT_MS);
  const timeoutMs = Number(timeout);
  if (!/^\d+$/.test(timeout) || timeoutMs < 100 || timeoutMs > 300_000)
    return err(`timeout_ms is a whole number from 100 to 300000, not ${timeout}`);
  return ok({
    bucket,
    prefix,
    endpoint: endpoint?.replace(/\/+$/, "") ?? null,
    region: options.get("region") ?? null,
    pathStyle: style === "true",
    etagQuotes: quotes,
    timeoutMs,
    profile: options.get("profile") ?? null,
  });
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}

/** L1: what a text may be shown as, also one that is refused. */
export function withoutSecrets(text: string): string {
  return text.replace(/\/\/[^/@]*@/, "//…@");
}
