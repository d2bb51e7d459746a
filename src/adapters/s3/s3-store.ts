/**
 * The object store port over a bucket.
 *
 * Owns how a key, a body, a condition and a page look on the wire. What an answer means is the table of
 * `failures.ts`; how requests are sent is `connection.ts`. It retries nothing and settles nothing: that is done above
 * the port, once, by looking for one's own write.
 *
 *   S1  every key lies below the prefix, and none is seen with it.
 *   S2  an etag is handed on as the store gave it; only in a condition it may lose its quotes (Ceph refuses them).
 *   S3  an answer without what it must have (an etag, the next page's mark) is no answer: a proxy's friendly page
 *       must not be taken for an empty bucket.
 *   S4  keys are listed URL-encoded, since XML cannot carry every character of a key.
 */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import type {
  DeleteCondition,
  DeleteOutcome,
  Etag,
  GetOutcome,
  ListEntry,
  ListOutcome,
  ListRequest,
  ObjectStore,
  PutCondition,
  PutOutcome,
} from "../../ports/object-store.ts";
import { assert } from "../../std/assert.ts";
import { compareKeys } from "../../std/sorted-keys.ts";
import type { S3Connection } from "./connection.ts";
import { commonOutcome, failureOf, isConflict, isMissingKey, type S3Failure } from "./failures.ts";
import type { EtagQuotes } from "./location.ts";

const CONTENT_TYPE = "text/plain; charset=utf-8";
const MOST_LISTED = 1_000;

export class S3Store implements ObjectStore {
  readonly #connection: S3Connection;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #quotes: EtagQuotes;
  /** Directory buckets know no start-after. */
  readonly #startsAfter: boolean;

  constructor(connection: S3Connection, quotes: EtagQuotes) {
    const { bucket, prefix } = connection.location;
    this.#connection = connection;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#quotes = quotes;
    this.#startsAfter = !bucket.endsWith("--x-s3");
  }

  async get(key: string): Promise<GetOutcome> {
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + key });
    try {
      return await this.#connection.call(async (client, abortSignal): Promise<GetOutcome> => {
        const { ETag: etag, Body } = await client.send(command, { abortSignal });
        if (etag === undefined || etag === "" || Body === undefined) return incomplete("an etag");
        const bytes = await Body.transformToByteArray();
        return { kind: "ok", body: Buffer.from(bytes).toString("utf8"), etag };
      });
    } catch (error) {
      const failure = failureOf(error);
      return isMissingKey(failure) ? { kind: "not-found" } : commonOutcome(failure);
    }
  }

  async put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: this.#prefix + key,
      Body: Buffer.from(body),
      ContentType: CONTENT_TYPE,
      ...(condition.kind === "if-absent" ? { IfNoneMatch: "*" } : this.#match(condition)),
    });
    try {
      const { ETag: etag } = await this.#connection.call((client, abortSignal) =>
        client.send(command, { abortSignal }),
      );
      return etag === undefined || etag === "" ? incomplete("an etag") : { kind: "ok", etag };
    } catch (error) {
      const failure = failureOf(error);
      return refusalOf(failure, condition) ?? commonOutcome(failure);
    }
  }

  async delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome> {
    const command = new DeleteObjectCommand({
      Bucket: this.#bucket,
      Key: this.#prefix + key,
      ...this.#match(condition),
    });
    try {
      await this.#connection.call((client, abortSignal) => client.send(command, { abortSignal }));
      return { kind: "ok" };
    } catch (error) {
      const failure = failureOf(error);
      if (condition.kind === "none" && isMissingKey(failure)) return { kind: "ok" };
      return refusalOf(failure, condition) ?? commonOutcome(failure);
    }
  }

  async list({ prefix, startAfter = null, cursor, limit }: ListRequest): Promise<ListOutcome> {
    assert(
      Number.isInteger(limit) && limit >= 1 && limit <= MOST_LISTED,
      `a page limit is 1 to ${MOST_LISTED}, not ${limit}`,
    );
    const command = new ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: this.#prefix + prefix,
      MaxKeys: limit,
      EncodingType: "url",
      ...(cursor === null ? {} : { ContinuationToken: cursor }),
      ...(startAfter === null || !this.#startsAfter ? {} : { StartAfter: this.#prefix + startAfter }),
    });
    try {
      const page = await this.#connection.call((client, abortSignal) =>
        client.send(command, { abortSignal }),
      );
      return pageOf(page, this.#prefix, startAfter, cursor);
    } catch (error) {
      return commonOutcome(failureOf(error));
    }
  }

  /** S2. */
  #match(condition: PutCondition | DeleteCondition): { readonly IfMatch?: string } {
    if (condition.kind !== "if-match") return {};
    return { IfMatch: this.#quotes === "kept" ? condition.etag : stripped(condition.etag) };
  }
}

function stripped(etag: Etag): string {
  return /^"(.*)"$/s.exec(etag)?.[1] ?? etag;
}

/** A refusal that the condition explains, or null. */
function refusalOf(
  failure: S3Failure,
  condition: PutCondition | DeleteCondition,
): { readonly kind: "precondition-failed" | "not-found" | "conflict" } | null {
  if (condition.kind === "none") return null;
  if (failure.status === 412) return { kind: "precondition-failed" };
  if (condition.kind === "if-match" && isMissingKey(failure)) return { kind: "not-found" };
  return isConflict(failure) ? { kind: "conflict" } : null;
}

/** S3, S4. A store that leaves out start-after, or does not know it, is put right here. */
function pageOf(
  page: ListObjectsV2CommandOutput,
  root: string,
  startAfter: string | null,
  cursor: string | null,
): ListOutcome {
  if (page.Name === undefined && page.KeyCount === undefined) return incomplete("the bucket's name");
  const entries: ListEntry[] = [];
  for (const { Key, ETag } of page.Contents ?? []) {
    if (Key === undefined || ETag === undefined) return incomplete("a key or an etag");
    const key = page.EncodingType === "url" ? decoded(Key) : Key;
    if (!key.startsWith(root)) return incomplete("the keys that were asked for");
    const name = key.slice(root.length);
    if (startAfter === null || compareKeys(name, startAfter) > 0) entries.push({ key: name, etag: ETag });
  }
  if (page.IsTruncated !== true) return { kind: "ok", entries, next: null };
  const next = page.NextContinuationToken;
  // The same mark again would never end (catalogue B26).
  if (next === undefined || next === "" || next === cursor) return incomplete("the mark of the next page");
  return { kind: "ok", entries, next };
}

function decoded(key: string): string {
  return decodeURIComponent(key.replaceAll("+", " "));
}

function incomplete(what: string): { readonly kind: "unknown-outcome"; readonly detail: string } {
  return { kind: "unknown-outcome", detail: `the store's answer lacks ${what}; is it a store on S3?` };
}
