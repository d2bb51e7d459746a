/**
 * A small server that speaks as much S3 as the adapter needs, over a memory store: on loopback, for tests only.
 *
 * It checks no signature and knows one bucket, `bucket`. It may be told to answer the next requests with something
 * else, without looking at them, and it keeps a record of what it was asked. What it answers follows the memory store,
 * so it is a second opinion on the wire only, not on what a condition means.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type DeleteCondition, IF_ABSENT, ifMatch, NO_CONDITION } from "../../ports/object-store.ts";
import { MemoryStore } from "../memory-store.ts";

/** An answer that was made up beforehand. */
export interface Canned {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoopbackS3 {
  readonly endpoint: string;
  readonly port: number;
  /** Answers for the next requests, in order. */
  readonly canned: (Canned | "never")[];
  /** What it was asked, in order. */
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

export interface LoopbackOptions {
  /** Whether an if-match has the quotes of the etag (Amazon S3) or must not have them (Ceph). Default: kept. */
  readonly quotes?: "kept" | "stripped";
  /** `ignored`: takes every write. Default: checked. */
  readonly conditions?: "checked" | "ignored";
}

const BUCKET = "/bucket";
const DONE: Canned = { status: 204 };

/** An error as S3 words it. */
export function s3Error(status: number, code: string, more = "", headers: Canned["headers"] = {}): Canned {
  return { status, headers, body: `<?xml version="1.0"?><Error><Code>${code}</Code>${more}</Error>` };
}

export async function startLoopbackS3(options: LoopbackOptions = {}): Promise<LoopbackS3> {
  const service = new Service(options);
  const [canned, requests]: [LoopbackS3["canned"], IncomingMessage[]] = [[], []];
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      requests.push(request);
      const answer = canned.shift() ?? (await service.answer(request, body));
      if (answer !== "never") reply(response, answer);
    });
  });
  const port = await listening(server);
  const close = () => closed(server);
  return { endpoint: `http://127.0.0.1:${port}`, port, canned, requests, close };
}

/** One bucket, by requests and answers. */
class Service {
  readonly #store = new MemoryStore({ onMissingKey: "not-found" });
  readonly #quotes: "kept" | "stripped";
  readonly #ignores: boolean;

  constructor({ quotes = "kept", conditions = "checked" }: LoopbackOptions) {
    this.#quotes = quotes;
    this.#ignores = conditions === "ignored";
  }

  async answer({ method, url = "", headers }: IncomingMessage, body: string): Promise<Canned> {
    const [path = "", query = ""] = url.split("?");
    if (path !== BUCKET && !path.startsWith(`${BUCKET}/`)) return s3Error(404, "NoSuchBucket");
    const key = decodeURIComponent(path.slice(BUCKET.length + 1));
    if (key === "") return this.#list(new URLSearchParams(query));
    const match = this.#matchOf(headers["if-match"]);
    if (method === "GET") return this.#get(key);
    if (method === "DELETE") return answered(await this.#store.delete(key, match));
    const condition = headers["if-none-match"] === "*" && !this.#ignores ? IF_ABSENT : match;
    return answered(await this.#store.put(key, body, condition));
  }

  async #get(key: string): Promise<Canned> {
    const seen = await this.#store.get(key);
    if (seen.kind !== "ok") return s3Error(404, "NoSuchKey");
    return { status: 200, headers: { etag: `"${seen.etag}"` }, body: seen.body };
  }

  async #list(query: URLSearchParams): Promise<Canned> {
    const page = await this.#store.list({
      prefix: query.get("prefix") ?? "",
      startAfter: query.get("start-after"),
      cursor: query.get("continuation-token"),
      limit: Number(query.get("max-keys") ?? "1000"),
    });
    if (page.kind !== "ok") return s3Error(500, "InternalError");
    const entries = page.entries.map(
      ({ key, etag }) =>
        `<Contents><Key>${encodeURIComponent(key)}</Key><ETag>&quot;${etag}&quot;</ETag></Contents>`,
    );
    const next = page.next === null ? "" : textOf("NextContinuationToken", page.next);
    const head = `<Name>bucket</Name><KeyCount>${entries.length}</KeyCount><EncodingType>url</EncodingType>`;
    const body = `<ListBucketResult>${head}<IsTruncated>${page.next !== null}</IsTruncated>${next}${entries.join("")}</ListBucketResult>`;
    return { status: 200, body };
  }

  #matchOf(header: string | undefined): DeleteCondition {
    if (header === undefined || this.#ignores) return NO_CONDITION;
    const bare = /^"(.*)"$/.exec(header)?.[1];
    // In the other manner the header is an etag that no object has.
    return ifMatch(this.#quotes === "kept" ? (bare ?? `unquoted ${header}`) : header);
  }
}

function answered(outcome: { readonly kind: string; readonly etag?: string }): Canned {
  if (outcome.kind === "precondition-failed") return s3Error(412, "PreconditionFailed");
  if (outcome.kind === "not-found") return s3Error(404, "NoSuchKey");
  return outcome.etag === undefined ? DONE : { status: 200, headers: { etag: `"${outcome.etag}"` } };
}

function textOf(name: string, text: string): string {
  return `<${name}>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</${name}>`;
}

function reply(response: ServerResponse, { status, headers = {}, body = "" }: Canned): void {
  response.writeHead(status, headers).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
