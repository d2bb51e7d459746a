/**
 * The S3 adapter: from an address to a bucket that answers. Whether it keeps the contract is asked elsewhere.
 */
import { err, type Result } from "../../std/result.ts";
import type { StoreRefusal } from "../store-refusal.ts";
import type { S3Credentials } from "./connection.ts";
import { parseS3Url } from "./location.ts";
import { type OpenBucket, openBucket } from "./opening.ts";

export type { S3Credentials } from "./connection.ts";
export { type EtagQuotes, parseS3Url, S3_URL_EXAMPLE, type S3Location } from "./location.ts";
export { type OpenBucket, openBucket } from "./opening.ts";
export { S3Store } from "./s3-store.ts";

/** Opens the bucket at an address (grammar: `location.ts`). */
export async function openBucketAt(
  url: string,
  credentials: S3Credentials | null = null,
): Promise<Result<OpenBucket, StoreRefusal>> {
  const location = parseS3Url(url);
  if (!location.ok) return err({ kind: "invalid", message: location.error });
  return openBucket(location.value, credentials);
}
